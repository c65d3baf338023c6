import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Problem, problemOf } from '../problems.ts';
import { overPage, refusedPage, signedInPage, strangerPage, type ListenerPage } from './result-pages.ts';

/** A listener for the one answer of a sign-in (specification, section 3.2). */
export type Listener = {
	/** `http://localhost:PORT`, as the authorization request names it. */
	readonly redirect_uri: string;
	/**
	 * Waits for the answer. One whose state proves nothing is refused, and the waiting goes on: any program on this machine,
	 * and any page in the browser, can send such a thing.
	 * @param receive exchanges an answer; what it throws ends the waiting, unless it was about the state
	 * @param until aborts the waiting
	 * @throws what `receive` throws, or `Problem('stopped')`
	 */
	answer<T>(receive: (answer: URLSearchParams) => Promise<T>, until: AbortSignal): Promise<T>;
	/** Ends it; the browser may still fetch the page that tells how it went. */
	close(): Promise<void>;
};

/** How long the browser gets to fetch the last page, in milliseconds. */
const farewell = 2000;
const strange = new Set(['state_missing', 'state_unknown', 'state_used']);

/** What comes of one request: a page, at once or under an address without a code. */
type Outcome = { readonly page: ListenerPage; readonly at?: string };

/** Opens a listener on a free port of this machine, on 127.0.0.1 and, where there is one, on ::1. */
export async function openListener(): Promise<Listener> {
	let receive: ((answer: URLSearchParams) => Promise<Outcome>) | undefined;
	let end: ListenerPage | undefined;
	let said = (): void => undefined;
	const goodbye = new Promise<void>((resolve) => (said = resolve));
	const { servers, port } = await listen((request, response) => {
		const url = new URL(request.url ?? '/', 'http://localhost');
		const mine = request.headers.host === `localhost:${String(port)}`;
		if (request.method !== 'GET' || !mine) return show(response, strangerPage, 404);
		if (end !== undefined && url.pathname === end.path) {
			response.once('close', said);
			return show(response, end, 200);
		}
		const isAnswer = url.pathname === '/' && ['code', 'error', 'state'].some((name) => url.searchParams.has(name));
		if (!isAnswer) return show(response, strangerPage, 404);
		if (receive === undefined) return show(response, overPage, 410);
		void receive(url.searchParams).then(({ page, at }) => {
			if (at === undefined) return show(response, page, 400);
			// The code leaves the address bar and the history.
			end = page;
			response.writeHead(303, { location: at, 'cache-control': 'no-store', connection: 'close' }).end();
		});
	});
	return {
		redirect_uri: `http://localhost:${String(port)}`,
		answer: (exchange, until) =>
			new Promise((resolve, reject) => {
				const stop = () => {
					receive = undefined;
					reject(new Problem('stopped'));
				};
				if (until.aborted) return stop();
				until.addEventListener('abort', stop, { once: true });
				const conclude = (page: ListenerPage, settle: () => void): Outcome => {
					receive = undefined;
					until.removeEventListener('abort', stop);
					settle();
					return { page, at: page.path };
				};
				receive = async (answer) => {
					try {
						const came = await exchange(answer);
						return conclude(signedInPage, () => resolve(came));
					} catch (thrown) {
						const problem = problemOf(thrown);
						if (isStrange(answer, problem)) return { page: refusedPage(problem) };
						return conclude(refusedPage(problem), () => reject(problem));
					}
				};
			}),
		close: async () => {
			const timer = setTimeout(said, end === undefined ? 0 : farewell);
			await goodbye;
			clearTimeout(timer);
			await Promise.all(servers.map(shut));
		}
	};
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** The same port on both loopback addresses: `localhost` may be either to a browser. */
async function listen(handler: Handler, attempt = 1): Promise<{ servers: Server[]; port: number }> {
	const first = await bind(handler, '127.0.0.1', 0);
	const address = first.address();
	const port = typeof address === 'object' && address !== null ? address.port : 0;
	try {
		return { servers: [first, await bind(handler, '::1', port)], port };
	} catch (fault) {
		const isTaken = fault instanceof Error && 'code' in fault && fault.code === 'EADDRINUSE';
		if (!isTaken || attempt === 10) return { servers: [first], port };
		await shut(first);
		return listen(handler, attempt + 1);
	}
}

function bind(handler: Handler, host: string, port: number): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer({ maxHeaderSize: 32 * 1024, requestTimeout: 10_000 }, handler);
		server.once('error', reject);
		server.listen({ host, port, exclusive: true }, () => resolve(server));
	});
}

function shut(server: Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}

function show(response: ServerResponse, { html }: ListenerPage, status: number): void {
	response
		.writeHead(status, {
			...{ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', connection: 'close' },
			...{ 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
			'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'"
		})
		.end(html);
}

/**
 * Whether an answer was refused for its state, which proves nothing, or nothing any more.
 * @param answer as it came
 * @param problem that it ended with
 */
export function isStrange(answer: URLSearchParams, problem: Problem): boolean {
	return strange.has(problem.code) || answer.getAll('state').length > 1;
}
