import * as v from 'valibot';
import { createHash, randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { pocketCompanion } from '../demo-clients.ts';
import { outOfBandUri } from '../oauth/client-registration.ts';
import { ClientError, sanitizeLine } from '../oauth/client-error.ts';
import type { OAuthEvent } from '../oauth/events.ts';
import { createProvider, isLoopbackUrl } from '../oauth/provider.ts';
import { type Fetch, sendRequest } from '../oauth/send-request.ts';
import { TokenEndpoint } from '../oauth/token-endpoint.ts';
import { TokenManager } from '../oauth/token-manager.ts';
import type { TokenSet, TokenStore } from '../oauth/token-store.ts';
import type { RateLimitEvent } from '../rate-limit/rate-limit-event.ts';
import { isObject, parseJson } from '../rate-limit/json-value.ts';
import { ResourceClient } from '../rate-limit/resource-client.ts';
import { ServerClock } from '../server-clock.ts';
import { serviceUrls } from '../service-urls.ts';
import { caCertificates, createTrustingFetch } from './ca-certificates.server.ts';
import { commandFormatter } from './cli-error.ts';
import { type CliEnvironment, Terminal } from './terminal.server.ts';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createMemoryLock } from '../oauth/lock.ts';
import { tokenSet } from '../storage/schema.ts';

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

type TokenSets = Readonly<Record<string, TokenSet>>;

const fileSchema = v.object({ token_sets: v.record(v.string(), tokenSet) });

/** Stores tokens in a file that only its owner can read. Without tokens there is no file. */
export class CredentialsFile implements TokenStore {
	readonly path: string;
	readonly #lock = createMemoryLock();

	/** @param path of the file; missing folders are created */
	constructor(path: string) {
		this.path = path;
	}

	/** @throws {ClientError} `credentials_unreadable` */
	async get(id: string): Promise<TokenSet | undefined> {
		return (await this.#read())[id];
	}

	/**
	 * Returns all token sets, the oldest first.
	 * @throws {ClientError} `credentials_unreadable`
	 */
	async list(): Promise<readonly TokenSet[]> {
		return Object.values(await this.#read());
	}

	/** @throws {ClientError} `credentials_unreadable`, `credentials_unwritable` */
	update(id: string, change: (current: TokenSet | undefined) => TokenSet | undefined): Promise<TokenSet | undefined> {
		return this.#lock(this.path, async () => {
			const { [id]: current, ...others } = await this.#read();
			const next = change(current);
			const tokenSets = next === undefined ? others : { ...others, [id]: next };
			if (Object.keys(tokenSets).length > 0) await this.#write(tokenSets, (file) => rename(file, this.path));
			else await rm(this.path, { force: true }).catch((error: unknown) => this.#failWrite(error));
			return next;
		});
	}

	/**
	 * Checks that tokens can be stored, before the user signs in.
	 * @throws {ClientError} `credentials_unreadable`, `credentials_unwritable`
	 */
	async check(): Promise<void> {
		await this.#write(await this.#read(), (file) => rm(file));
	}

	async #read(): Promise<TokenSets> {
		try {
			return v.parse(fileSchema, JSON.parse(await readFile(this.path, 'utf8'))).token_sets;
		} catch (error) {
			// ENOTDIR: one of its folders is a file.
			if (error instanceof Error && 'code' in error && /^(?:ENOENT|ENOTDIR)$/.test(String(error.code))) return {};
			throw new ClientError('credentials_unreadable', this.path, { cause: error });
		}
	}

	/** @param finish gets a complete file beside the real one, so that no reader finds half of it */
	async #write(token_sets: TokenSets, finish: (file: string) => Promise<void>): Promise<void> {
		const file = `${this.path}.${randomBytes(6).toString('hex')}`;
		const text = `${JSON.stringify({ token_sets }, null, '\t')}\n`;
		try {
			await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
			await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
			await finish(file);
		} catch (error) {
			await rm(file, { force: true }).catch(() => undefined); // the first error is the one to report
			this.#failWrite(error);
		}
	}

	#failWrite(error: unknown): never {
		throw new ClientError('credentials_unwritable', dirname(this.path), { cause: error });
	}
}
