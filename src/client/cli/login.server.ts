import { handleCallback } from '../oauth/authorization-response.ts';
import { startAuthorization } from '../oauth/authorization-request.ts';
import { ClientError, toClientError } from '../oauth/client-error.ts';
import { PendingAuthorizations } from '../oauth/pending-authorizations.ts';
import { MemoryStore } from '../oauth/atomic-store.ts';
import type { TokenSet } from '../oauth/token-store.ts';
import { describeError } from '../errors.ts';
import { serviceUrls } from '../service-urls.ts';
import type { CliClient } from './client.server.ts';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { ErrorText } from '#api/errors.ts';

/** The options of the command `login`. */
export type LoginOptions = {
	readonly scope: readonly string[];
	readonly online?: true;
	/** Whether to open the browser, or only to print the URL. */
	readonly open: boolean;
	/** How long to wait for the browser, in seconds. */
	readonly timeout: number;
};

/**
 * Signs a user in with the browser. Replaces an earlier sign-in.
 * @param listener whose redirect URI the client was created with; the caller closes it
 * @throws {ClientError} `credentials_unwritable` before the browser opens; `browser_timeout`, `aborted`, and those of
 * `handleCallback`
 */
export async function login(client: CliClient, listener: LoopbackListener, options: LoginOptions): Promise<void> {
	const { baseUrl, environment, terminal, tokenEndpoint, credentials, tokens } = client;
	await credentials.check();
	const previous = await credentials.list();
	const pending = new PendingAuthorizations(new MemoryStore());
	const request = { scope: options.scope, access_type: options.online === true ? 'online' : 'offline' } as const;
	const url = (await startAuthorization(tokenEndpoint.provider, tokenEndpoint.client, request, pending)).href;
	const response = receiveTokens(client, listener, pending, options.timeout * 1000);
	response.catch(() => undefined); // it may fail before the browser has opened, and is awaited below
	const isOpened = options.open && (await environment.openBrowser(url));
	terminal.note(`${isOpened ? 'Your browser should open. If it does not, open' : 'Open'} this URL:\n\n${url}\n`);
	const tokenSet = await terminal.withSpinner(`Waiting for the browser at ${listener.redirect_uri} …`, () => response);
	for (const { id } of previous) await tokens.delete(id);

	const { scope, expiresAt, refresh_token } = tokenSet;
	const data = {
		signed_in: true,
		base_url: baseUrl,
		scope,
		offline: refresh_token !== null,
		replaced: previous.length > 0,
		expires_at: expiresAt === null ? null : Math.round(expiresAt / 1000),
		stored_in: credentials.path
	};
	const stored = refresh_token === null ? 'Access token (no refresh token)' : 'Refresh token';
	const heading = terminal.style('bold', 'Signed in.');
	terminal.result(data, `${heading} Permissions: ${scope.join(', ')}.\n${stored} stored in ${credentials.path}`);
	if (previous.length === 0) return;
	const { account } = serviceUrls(baseUrl);
	terminal.note(`The tokens of the earlier sign-in were deleted. To revoke its access, open ${account}`);
}

/** Waits for the authorization response and stores its tokens. */
function receiveTokens(
	{ environment, terminal, tokenEndpoint, tokens }: CliClient,
	listener: LoopbackListener,
	pending: PendingAuthorizations,
	timeoutMs: number
): Promise<TokenSet> {
	return new Promise((resolve, reject) => {
		const timeout = AbortSignal.timeout(timeoutMs);
		const signal = AbortSignal.any([timeout, environment.interrupted]);
		const stop = () => reject(new ClientError(timeout.aborted ? 'browser_timeout' : 'aborted'));
		if (signal.aborted) stop();
		signal.addEventListener('abort', stop, { once: true });
		listener.receive(async (params) => {
			try {
				resolve(await tokens.save(await handleCallback(params, pending, tokenEndpoint)));
				return { page: signedInPage, ended: true };
			} catch (thrown) {
				const error = toClientError(thrown);
				const ended = !isUnsolicited(params, error);
				if (ended) reject(error);
				else terminal.note('Rejected a response with an unknown state. Still waiting for the browser.');
				return { page: failedPage(describeError(error)), ended };
			}
		});
	});
}

/** Any program on this machine can send a response. Only one with the right state ends the sign-in. */
function isUnsolicited(params: URLSearchParams, { code }: ClientError): boolean {
	return ['state_missing', 'state_unknown', 'state_used'].includes(code) || params.getAll('state').length > 1;
}

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
type ResponseHandler = (params: URLSearchParams) => Promise<{ readonly page: ResultPage; readonly ended: boolean }>;

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

/** A page that the browser shows at the end of a sign-in, and its path on the listener. */
type ResultPage = { readonly path: string; readonly title: string; readonly paragraphs: readonly string[] };

/** The sign-in succeeded. */
export const signedInPage: ResultPage = {
	path: '/signed-in',
	title: 'You’re signed in',
	paragraphs: ['Return to your terminal. You can close this window.']
};

/** The request is no authorization response, or the sign-in has ended. */
const notFoundPage: ResultPage = {
	path: '/not-found',
	title: 'Page not found',
	paragraphs: ['Pocket Companion only accepts the response of a sign-in at this address.']
};

/** The sign-in failed, or the authorization response was rejected. */
function failedPage({ title, cause }: ErrorText): ResultPage {
	const nextStep = 'See your terminal for the next step. You can close this window.';
	return { path: '/not-signed-in', title, paragraphs: [cause, nextStep] };
}

/**
 * A page as HTML, with the stylesheet of the service's own pages.
 * @param origin of the service
 */
function renderPage({ title, paragraphs }: ResultPage, origin: string): string {
	return `<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="color-scheme" content="light dark" />
		<title>${escapeHtml(title)} · Pocket Companion</title>
		<link rel="icon" href="data:," />
		<link rel="stylesheet" href="${origin}/service.css" />
	</head>
	<body class="service">
		<header class="masthead"><strong>Pocket Companion</strong></header>
		<main class="card">
			<h1>${escapeHtml(title)}</h1>
			${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n\t\t\t')}
		</main>
		<footer class="colophon">This page comes from your own computer.</footer>
	</body>
</html>
`;
}

function escapeHtml(text: string): string {
	return text.replace(/[&<>"]/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
