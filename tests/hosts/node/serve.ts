import { onTestFinished } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '#hosts/node/server.server.ts';
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
export const soon = {
	handshake: 500,
	headers: 500,
	request: 1000,
	keepAlive: 500,
	delivery: 700,
	page: 700,
	shutdown: 1000,
	check: 20,
	linger: 100
};
