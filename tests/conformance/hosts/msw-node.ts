import { setupServer } from 'msw/node';
import { createNodeService } from '#hosts/node-service.server.ts';
import { handlers } from '#hosts/library/msw.ts';
import type { Transport } from '../transport.ts';
import { fetchTransport } from './fetching.ts';

/** MSW's handlers in Node: they respond to `fetch` in this process, as in the test suite of a user of the package. */
export function startMswNode(): Promise<Transport> {
	const origin = 'https://tollgate.test';
	const report = (fault: unknown) => console.error(fault);
	const service = createNodeService({ origin, report });
	const server = setupServer(...handlers({ ...service, origin }));
	server.listen({ onUnhandledRequest: 'error' });
	const close = () => Promise.resolve(server.close());
	return Promise.resolve(fetchTransport(origin, '', (request) => fetch(request), close));
}
