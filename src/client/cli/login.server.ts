import { handleCallback } from '../oauth/authorization-response.ts';
import { startAuthorization } from '../oauth/authorization-request.ts';
import { ClientError, toClientError } from '../oauth/client-error.ts';
import { PendingAuthorizations } from '../oauth/pending-authorizations.ts';
import { MemoryStore } from '../oauth/atomic-store.ts';
import type { TokenSet } from '../oauth/token-store.ts';
import { describeError } from '../errors.ts';
import { serviceUrls } from '../service-urls.ts';
import type { CliClient } from './client.server.ts';
import type { LoopbackListener } from './loopback-listener.server.ts';
import { failedPage, signedInPage } from './result-pages.ts';

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
