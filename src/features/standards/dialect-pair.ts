import type { TrafficEntry } from '#api/control/traffic.ts';
import { documentUrl, exampleDocument } from '#api/client-document.ts';
import type { DialectName } from '#api/dialect.ts';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { createFlowSecrets } from '#client/oauth/authorization-request.ts';
import { lookupScope } from '#client/world.ts';
import type { Difference, DifferenceRequest } from '#evidence/differences/difference.ts';
import { readTokens } from '../request-builder/send-draft.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What a pair needs to be created. */
export type PairOptions = {
	/** The control API of the root sandbox. */
	readonly root: ControlApi;
	readonly fetch: Fetch;
	/** Sends the key of a sandbox, where there is no cookie of its owner. Default: false. */
	readonly sendsKey?: boolean;
};

export type SentDifference = Readonly<Record<DialectName, TrafficEntry>>;

const username = 'standards-user';
const redirect_uri = 'http://localhost:3000/callback';
/** Of the installed application: with any port, and at the origin of this page, whose scripts are a client in a browser. */
const installedUris = ['http://127.0.0.1/callback', '{base_url}/callback'];
/** The limit of character requests in an hour, but for the difference about the limit. */
const usualLimit = 600;

/** Two sandboxes that differ in their dialect only. What is sent to them changes no other sandbox. */
export class DialectPair {
	readonly sandboxes: Readonly<Record<DialectName, DialectSandbox>>;

	private constructor(sandboxes: DialectPair['sandboxes']) {
		this.sandboxes = sandboxes;
	}

	/**
	 * Creates both sandboxes. The service deletes them when they are not used.
	 * @throws ControlError where the service creates no sandbox
	 */
	static async create(options: PairOptions): Promise<DialectPair> {
		const specification = await DialectSandbox.create('specification', options);
		const standard = await DialectSandbox.create('standard', options);
		return new DialectPair({ specification, standard });
	}

	/**
	 * Sends the requests of a difference, to both sandboxes.
	 * @returns their exchanges
	 * @throws ControlError if a control request fails; TypeError where there is no response
	 */
	async send(difference: Difference): Promise<SentDifference> {
		const { specification, standard } = this.sandboxes;
		return {
			specification: await specification.send(difference.specification.request, difference.limit),
			standard: await standard.send(difference.standard.request, difference.limit)
		};
	}

	/**
	 * Signs a user in to both sandboxes.
	 * @returns the exchanges of the token requests
	 * @throws as `send`
	 */
	async signIn(): Promise<SentDifference> {
		const { specification, standard } = this.sandboxes;
		return { specification: await specification.signIn(), standard: await standard.signIn() };
	}
}

/** A sandbox that speaks one dialect, with a user, a web application and an installed one. */
class DialectSandbox {
	readonly #api: ControlApi;
	readonly #fetch: Fetch;
	readonly #key: { key?: string };
	readonly #values: Readonly<Record<string, string>>;
	/** The specification issues one for the first exchange only. */
	#refreshToken: string | undefined;

	private constructor(api: ControlApi, fetch: Fetch, key: { key?: string }, values: Readonly<Record<string, string>>) {
		this.#api = api;
		this.#fetch = fetch;
		this.#key = key;
		this.#values = values;
	}

	/** Its base URL. */
	get baseUrl(): string {
		return this.#api.baseUrl;
	}

	/** @throws ControlError where the service creates no sandbox */
	static async create(dialect: DialectName, { root, fetch, sendsKey = false }: PairOptions): Promise<DialectSandbox> {
		const application = (client_id: string, kind: 'web' | 'installed') => ({
			client_id,
			name: kind === 'web' ? 'Web application' : 'Installed application',
			kind,
			redirect_uris: kind === 'web' ? [redirect_uri] : dialect === 'standard' ? installedUris : []
		});
		const created = await root.request('POST /control/sandboxes', {
			body: {
				name: dialect === 'standard' ? 'Standards: standard' : 'Standards: specification',
				preset: {
					format: 'tollgate-preset',
					version: 1,
					settings: { dialect },
					accounts: [username],
					applications: [application('standards-web', 'web'), application('standards-installed', 'installed')]
				}
			}
		});
		const api = new ControlApi(created.base_url, fetch);
		const world = await api.request('GET /control/world');
		const secretOf = (id: string) =>
			created.applications.find(({ client_id }) => client_id === id)?.client_secret ?? '';
		const { code_verifier, code_challenge } = await createFlowSecrets();
		return new DialectSandbox(api, fetch, sendsKey ? { key: created.key } : {}, {
			client_id: 'standards-web',
			client_secret: secretOf('standards-web'),
			installed_id: 'standards-installed',
			installed_secret: secretOf('standards-installed'),
			document_url: documentUrl(created.base_url, exampleDocument),
			origin: new URL(created.base_url).origin,
			basic: btoa(`standards-web:${secretOf('standards-web')}`),
			redirect_uri,
			scope: lookupScope(world) ?? '',
			character: world.characters[0]?.name ?? '',
			code_verifier,
			code_challenge
		});
	}

	/**
	 * Sends one request.
	 * @param limit of character requests in an hour, for this request. Default: the usual one
	 * @returns its exchange
	 */
	async send(request: DifferenceRequest, limit?: number): Promise<TrafficEntry> {
		const values = { ...this.#values, ...(await this.#credentialsFor(request)) };
		if (limit !== undefined) await this.#limit(limit);
		const before = await this.#lastSeq();
		await (request.isAuthorization === true
			? this.#authorize(queryOf(request, values))
			: this.#sendPlain(request, values));
		if (limit !== undefined) await this.#limit(usualLimit);
		const { entries } = await this.#api.request('GET /control/traffic', { ...this.#key, ...trafficAfter(before) });
		const [first] = entries;
		// A user sends the request, and then the form of the consent page: its response is the one that the client gets.
		const entry = entries.findLast(({ endpoint }) => endpoint === first?.endpoint);
		if (entry === undefined) throw new TypeError('The traffic log does not have the request.');
		return entry;
	}

	/**
	 * Signs the user in.
	 * @returns the exchange of the token request
	 */
	async signIn(): Promise<TrafficEntry> {
		const before = await this.#lastSeq();
		const { refresh_token } = await this.#newTokens();
		this.#refreshToken = refresh_token ?? this.#refreshToken;
		const { entries } = await this.#api.request('GET /control/traffic', { ...this.#key, ...trafficAfter(before) });
		const entry = entries.findLast(({ endpoint }) => endpoint === 'token');
		if (entry === undefined) throw new TypeError('The traffic log does not have the request.');
		return entry;
	}

	/** Code and tokens, where the request contains them. */
	async #credentialsFor(request: DifferenceRequest): Promise<Record<string, string>> {
		const text = JSON.stringify(request);
		if (text.includes('{online_code}')) return { online_code: await this.#newCode('online') };
		if (!/\{(?:access|refresh)_token\}/.test(text)) return {};
		const tokens = await this.#newTokens();
		const refresh_token = tokens.refresh_token ?? this.#refreshToken ?? '';
		// A request that shows a refresh token uses it up, or ends it, in one of the dialects.
		this.#refreshToken = text.includes('{refresh_token}') && text.includes('revoke') ? undefined : refresh_token;
		return { access_token: tokens.access_token ?? '', refresh_token };
	}

	async #newTokens(): Promise<ReturnType<typeof readTokens>> {
		const { client_id = '', client_secret = '', code_verifier = '' } = this.#values;
		const form = {
			grant_type: 'authorization_code',
			code: await this.#newCode('offline'),
			redirect_uri,
			client_id,
			client_secret,
			code_verifier
		};
		const response = await this.#fetch(`${this.#api.baseUrl}/ws/oauth2/token/`, {
			method: 'POST',
			headers: { accept: 'application/json' },
			body: new URLSearchParams(form),
			credentials: 'omit'
		});
		return readTokens(await response.text());
	}

	async #newCode(access_type: 'online' | 'offline'): Promise<string> {
		const { client_id = '', scope = '', code_challenge = '' } = this.#values;
		const query = { response_type: 'code', client_id, redirect_uri, scope, state: 's0', access_type };
		const pkce = { code_challenge, code_challenge_method: 'S256' };
		const { location = '' } = await this.#authorize(new URLSearchParams({ ...query, ...pkce }).toString());
		return URL.canParse(location) ? (new URL(location).searchParams.get('code') ?? '') : '';
	}

	#authorize(query: string): Promise<{ location?: string | undefined }> {
		return this.#api.request('POST /control/authorizations', { ...this.#key, body: { username, query } });
	}

	async #sendPlain(
		{ line, headers = {}, form }: DifferenceRequest,
		values: Readonly<Record<string, string>>
	): Promise<void> {
		const [method = '', target = ''] = line.split(' ');
		const filled = Object.entries(headers).map(([name, value]): [string, string] => [name, fill(value, values)]);
		const body = form && Object.entries(form).map(([name, value]): [string, string] => [name, fill(value, values)]);
		const response = await this.#fetch(this.#api.baseUrl + fill(target, values, encodeURIComponent), {
			method,
			headers: [['Accept', 'application/json'], ...filled],
			body: body === undefined ? null : new URLSearchParams(body),
			credentials: 'omit',
			cache: 'no-store'
		});
		await response.text();
	}

	async #limit(character: number): Promise<void> {
		await this.#api.request('PATCH /control/settings', { ...this.#key, body: { limits: { character } } });
	}

	async #lastSeq(): Promise<number> {
		const { entries } = await this.#api.request('GET /control/traffic', { ...this.#key, query: { limit: '500' } });
		return entries.at(-1)?.seq ?? 0;
	}
}

/** The query of an authorization request. */
function queryOf({ line }: DifferenceRequest, values: Readonly<Record<string, string>>): string {
	return fill(line.slice(line.indexOf('?') + 1), values, encodeURIComponent);
}

function fill(
	text: string,
	values: Readonly<Record<string, string>>,
	write = (value: string): string => value
): string {
	return text.replace(/\{(\w+)\}/g, (_, name: string) => write(values[name] ?? ''));
}
