import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { notFoundPage, type ResultPage } from './result-pages.ts';

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

/** Listens on a free port of 127.0.0.1 and, if there is one, of ::1. */
export async function openLoopbackListener(): Promise<LoopbackListener> {
	let handle: ResponseHandler | undefined;
	let result: ResultPage | undefined;
	let resultShown = (): void => undefined;
	const shown = new Promise<void>((resolve) => (resultShown = resolve));
	const { servers, port } = await listen((request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		// Another host name is DNS rebinding.
		const isOwn = request.method === 'GET' && request.headers.host === `localhost:${String(port)}`;
		if (isOwn && url.pathname === result?.path) {
			response.once('close', resultShown);
			return send(response, 200, result);
		}
		const isResponse = url.pathname === '/' && ['code', 'error', 'state'].some((name) => url.searchParams.has(name));
		if (!isOwn || !isResponse || handle === undefined) return send(response, 404, notFoundPage);
		void handle(url.searchParams).then(({ page, ended }) => {
			if (!ended) return send(response, 400, page);
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
async function listen(onRequest: RequestListener, attempt = 1): Promise<{ servers: Server[]; port: number }> {
	const ipv4 = await bind(onRequest, '127.0.0.1', 0);
	const address = ipv4.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	try {
		return { servers: [ipv4, await bind(onRequest, '::1', port)], port };
	} catch (error) {
		const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
		if (!isTaken || attempt === 10) return { servers: [ipv4], port };
		await stop(ipv4);
		return listen(onRequest, attempt + 1);
	}
}

function bind(onRequest: RequestListener, host: string, port: number): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 10_000 }, onRequest);
		server.once('error', reject);
		server.listen({ host, port, exclusive: true }, () => resolve(server));
	});
}

function stop(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function send(response: ServerResponse, status: number, { html }: ResultPage): void {
	response
		.writeHead(status, {
			...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' },
			...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
		})
		.end(html);
}
