import { onTestFinished } from 'vitest';
import { startServer, type RunningServer, type ServerOptions } from '#hosts/node/listen.server.ts';
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

/** Time-outs short enough for a test to see them pass. */
export const soon = {
	handshake: 150,
	headers: 150,
	request: 300,
	keepAlive: 150,
	delivery: 200,
	page: 200,
	shutdown: 300,
	check: 20,
	linger: 50
};
