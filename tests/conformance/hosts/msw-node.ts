import { setupServer } from 'msw/node';
import { createNodeService } from '#hosts/node-service.server.ts';
import { handlers } from '#hosts/library/msw.ts';
import type { Transport } from '../transport.ts';
import { fetchTransport } from './fetching.ts';

/** MSW's handlers in Node: `fetch` is answered in this process, as in somebody's own test suite. */
export function startMswNode(): Promise<Transport> {
	const origin = 'https://tollgate.test';
	const report = (fault: unknown) => console.error(fault);
	const service = createNodeService({ origin, report });
	const server = setupServer(...handlers({ ...service, origin }));
	server.listen({ onUnhandledRequest: 'error' });
	const close = () => Promise.resolve(server.close());
	return Promise.resolve(fetchTransport(origin, '', (request) => fetch(request), close));
}
