import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pocketCompanion } from '../demo-clients.ts';
import { outOfBandUri } from '../oauth/client-registration.ts';
import { ClientError, sanitizeLine } from '../oauth/client-error.ts';
import type { OAuthEvent } from '../oauth/events.ts';
import { createProvider, isLoopbackUrl } from '../oauth/provider.ts';
import { sendRequest, type Fetch } from '../oauth/send-request.ts';
import { TokenEndpoint } from '../oauth/token-endpoint.ts';
import { TokenManager } from '../oauth/token-manager.ts';
import type { TokenSet } from '../oauth/token-store.ts';
import type { RateLimitEvent } from '../rate-limit/rate-limit-event.ts';
import { isObject, parseJson } from '../rate-limit/json-value.ts';
import { ResourceClient } from '../rate-limit/resource-client.ts';
import { ServerClock } from '../server-clock.ts';
import { serviceUrls } from '../service-urls.ts';
import { caCertificates, createTrustingFetch } from './ca-certificates.server.ts';
import { CredentialsFile } from './credentials-file.server.ts';
import { commandFormatter } from './format-command.ts';
import { Terminal, type CliEnvironment } from './terminal.server.ts';

/** Pocket Companion at one service, for one command. */
export type CliClient = ReturnType<typeof createCliClient>;

const timeoutMs = 30_000;

/**
 * Creates the client.
 * @param baseUrl see `parseBaseUrl`
 * @param options `--ca` and `--json`
 * @param redirect_uri of a sign-in
 * @throws {ClientError} `ca_unreadable`
 */
export function createCliClient(
	baseUrl: string,
	options: { readonly ca?: string; readonly json?: boolean },
	environment: CliEnvironment,
	redirect_uri = outOfBandUri
) {
	const terminal = new Terminal(environment, options.json === true);
	const trustingFetch = createTrustingFetch(caCertificates(baseUrl, options.ca, environment));
	const clock = new ServerClock(Date.now, () => undefined);
	const fetch: Fetch = async (url, init) => {
		const signals = [AbortSignal.timeout(timeoutMs), environment.interrupted];
		const response = await trustingFetch(url, { ...init, signal: AbortSignal.any(signals) });
		clock.update(response.headers.get('date'));
		return response;
	};
	const onEvent = (event: OAuthEvent | RateLimitEvent) => {
		if (event.type === 'refresh_started') terminal.note('Refreshing the access token …');
		if (event.type === 'request_throttled') {
			terminal.note(`Waiting ${String(Math.ceil(event.delay / 1000))} s because few requests are left.`);
		}
	};
	const registration = pocketCompanion(redirect_uri);
	const tokenEndpoint = new TokenEndpoint(createProvider(baseUrl), registration, { fetch });
	const credentials = new CredentialsFile(credentialsPath(baseUrl, environment.env));
	const tokens = new TokenManager({ store: credentials, tokenEndpoint, onEvent });
	const resources = new ResourceClient({ baseUrl, tokens, fetch, now: () => clock.now(), onEvent });
	const formatCommand = commandFormatter(baseUrl, options.ca, environment.programName);
	const shared = { baseUrl, environment, terminal, formatCommand, fetch, clock };
	return { ...shared, tokenEndpoint, credentials, tokens, resources };
}

/**
 * Returns the tokens of the signed-in user.
 * @throws {ClientError} `not_signed_in`
 */
export async function requireTokens(credentials: CredentialsFile): Promise<TokenSet> {
	const tokenSet = (await credentials.list()).at(-1);
	if (tokenSet === undefined) throw new ClientError('not_signed_in');
	return tokenSet;
}

/**
 * Checks a base URL.
 * @param value as the user typed it
 * @returns the URL without a trailing slash
 * @throws {ClientError} `invalid_command`; `plain_http`, unless the service runs on this machine
 */
export function parseBaseUrl(value: string): string {
	const url = URL.canParse(value) ? new URL(value) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
		throw new ClientError(
			'invalid_command',
			`The base URL "${value}" is invalid. Use a URL such as https://localhost:8443.`
		);
	}
	const path = url.pathname.replace(/\/+$/, '');
	if (url.protocol === 'http:' && !isLoopbackUrl(value)) throw new ClientError('plain_http', `${url.host}${path}`);
	return `${url.origin}${path}`;
}

/** Each service has its own file, in the user's configuration folder. */
function credentialsPath(baseUrl: string, env: CliEnvironment['env']): string {
	const { XDG_CONFIG_HOME = '', APPDATA = '', HOME = homedir() } = env;
	const folder = [XDG_CONFIG_HOME, APPDATA].find((path) => isAbsolute(path)) ?? join(HOME, '.config');
	const digest = createHash('sha256').update(baseUrl).digest('hex').slice(0, 12);
	const host = new URL(baseUrl).host.replace(/[^\w.-]+/g, '-');
	return join(folder, 'tollgate', 'companion', `${host}-${digest}.json`);
}

/**
 * Finds out why the service sent no response. Only `/ratelimiting` responds to a blacklisted address (section 8.5).
 * @returns `blacklisted` with the service's reason, or the error itself
 */
export async function explainNoResponse(error: ClientError, { baseUrl, fetch }: CliClient): Promise<ClientError> {
	if (error.code !== 'no_response') return error;
	try {
		const { text } = await sendRequest(fetch, serviceUrls(baseUrl).ratelimiting, {
			headers: { accept: 'application/json' }
		});
		const status = parseJson(text);
		if (!isObject(status) || status.state !== 'blacklisted') return error;
		return new ClientError('blacklisted', typeof status.reason === 'string' ? sanitizeLine(status.reason) : '');
	} catch {
		return error;
	}
}
