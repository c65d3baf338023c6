import { setupServer } from 'msw/node';
import { vi } from 'vitest';
import { handlers } from '#hosts/library/msw.ts';
import type { Transport } from '../transport.ts';
import { createHostlessService } from './direct.ts';
import { fetchTransport } from './fetching.ts';

/** MSW's handlers in Node: `fetch` responds in this process, as in a test suite of another project. */
export async function startMswNode(): Promise<Transport> {
	const service = createHostlessService();
	// A stub of the test file before goes at the next test, and would take the `fetch` that MSW places now with it.
	vi.unstubAllGlobals();
	const server = setupServer(...handlers(service));
	server.listen({ onUnhandledRequest: 'error' });
	return fetchTransport(
		service.origin,
		'',
		(request) => fetch(request),
		async () => server.close()
	);
}
