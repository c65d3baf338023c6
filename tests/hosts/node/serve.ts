import { onTestFinished } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '#hosts/node/server.server.ts';
import { testCertificate } from '../certificate.ts';
import { fakeService, type FakeService } from '../fake-service.ts';

/** Starts a server on a free port, with a fake service, until the test has ended. */
export async function serve(
	options: Partial<Omit<ServerOptions, 'service'>> & { service?: FakeService } = {}
): Promise<RunningServer & { fake: FakeService; faults: unknown[] }> {
	const { certificate } = await testCertificate();
	const { service: fake = fakeService(), ...rest } = options;
	const faults: unknown[] = [];
	const server = await startServer({
		certificate,
		service: () => fake,
		report: (fault) => faults.push(fault),
		...rest
	});
	onTestFinished(() => server.close());
	return { ...server, fake, faults };
}

/** Time-outs short enough for a test to see them pass, long enough for a machine with other work to be in time. */
export const shortLimits = {
	tlsHandshakeTimeout: 500,
	headersTimeout: 500,
	requestTimeout: 1000,
	keepAliveTimeout: 500,
	writeStallTimeout: 700,
	pageTimeout: 700,
	shutdownTimeout: 1000,
	checkInterval: 20,
	lingerTimeout: 100
};
