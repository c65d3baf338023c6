import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { notFoundPage, renderPage, type ResultPage } from './result-pages.ts';

/** Receives the authorization response of one sign-in (specification, section 3.2; RFC 8252, section 7.3). */
export type LoopbackListener = {
	/** `http://localhost:PORT`, as the authorization request names it. */
	readonly redirect_uri: string;
	/** Accepts authorization responses until `handle` has ended the sign-in. */
	receive(handle: ResponseHandler): void;
	/** Stops listening. After a sign-in the browser gets up to two seconds to load the result page. */
	close(): Promise<void>;
};

/**
 * Handles one authorization response.
 * @returns the page to show, and whether the sign-in has ended; it goes on after a response that proves nothing
 */
export type ResponseHandler = (
	params: URLSearchParams
) => Promise<{ readonly page: ResultPage; readonly ended: boolean }>;

const lingerMs = 2000;

/**
 * Listens on a free port of 127.0.0.1 and, if there is one, of ::1.
 * @param service origin of the service, whose stylesheet the pages use
 */
export async function openLoopbackListener(service: string): Promise<LoopbackListener> {
	let handle: ResponseHandler | undefined;
	let result: ResultPage | undefined;
	let resultShown = (): void => undefined;
	const shown = new Promise<void>((resolve) => (resultShown = resolve));
	const headers = {
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
		connection: 'close',
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'x-frame-options': 'DENY',
		'content-security-policy': `default-src 'none'; style-src ${service}; font-src data:; img-src data:; frame-ancestors 'none'`
	};
	const { servers, port } = await listen((request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const send = (status: number, page: ResultPage) =>
			void response.writeHead(status, headers).end(renderPage(page, service));
		// Another host name is DNS rebinding.
		const isOwn = request.method === 'GET' && request.headers.host === `localhost:${String(port)}`;
		if (isOwn && url.pathname === result?.path) {
			response.once('close', resultShown);
			return send(200, result);
		}
		const isResponse = url.pathname === '/' && ['code', 'error', 'state'].some((name) => url.searchParams.has(name));
		if (!isOwn || !isResponse || handle === undefined) return send(404, notFoundPage);
		void handle(url.searchParams).then(({ page, ended }) => {
			if (!ended) return send(400, page);
			handle = undefined;
			result = page;
			// The redirect removes the code from the address bar and the history.
			response.writeHead(303, { location: page.path, 'cache-control': 'no-store', connection: 'close' }).end();
		});
	});
	return {
		redirect_uri: `http://localhost:${String(port)}`,
		receive: (handler) => void (handle = handler),
		close: async () => {
			const timer = setTimeout(resultShown, result === undefined ? 0 : lingerMs);
			await shown;
			clearTimeout(timer);
			await Promise.all(servers.map(stop));
		}
	};
}

/** Uses the same port for both loopback addresses: a browser may resolve `localhost` to either. */
async function listen(onRequest: RequestListener): Promise<{ servers: Server[]; port: number }> {
	const servers: Server[] = [];
	let port = 0;
	for (const host of ['127.0.0.1', '::1']) {
		const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 10_000 }, onRequest);
		try {
			await once(server.listen({ host, port, exclusive: true }), 'listening');
		} catch (error) {
			if (port === 0) throw error;
			break; // this machine has no IPv6
		}
		servers.push(server);
		const address = server.address();
		if (typeof address === 'object' && address !== null) ({ port } = address);
	}
	return { servers, port };
}

async function stop(server: Server): Promise<void> {
	server.close();
	server.closeAllConnections();
	await once(server, 'close');
}
