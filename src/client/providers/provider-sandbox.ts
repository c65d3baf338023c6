import type { TrafficEntry } from '#api/control/traffic.ts';
import type { DialectPart } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import { documentUrl, exampleDocument } from '#api/control/client-documents.ts';
import { isDialectName } from '#api/dialect.ts';
import type { ProviderFile, Sending } from '#api/providers/provider-file.ts';
import { ControlApi, trafficAfter } from '../control-api/control-api.ts';
import { createFlowSecrets } from '../oauth/authorization-request.ts';
import { createProvider } from '../oauth/provider.ts';
import { characterPath } from '../service-urls.ts';
import { createSecretJwt } from './secret-jwt.ts';
import { lookupScope } from '../world.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Tokens = { readonly access_token: string; readonly refresh_token: string };

/** What is needed of the file of a provider. */
export type SentProvider = Pick<ProviderFile, 'exampleScope'> & {
	readonly dialect: Pick<
		DialectPart,
		'endpoints' | 'authentication' | 'schemes' | 'revocation' | 'request' | 'secretJwt' | 'idToken'
	>;
};

export type ProviderSandboxOptions = {
	readonly name: string;
	readonly file: SentProvider;
	/** The control API of the root sandbox. */
	readonly root: ControlApi;
	readonly fetch: Fetch;
	/** Sends the key of the sandbox, where there is no cookie of its owner. Default: false. */
	readonly sendsKey?: boolean;
	/** The world that describes the provider. Absent: that of the server. */
	readonly world?: Record<string, unknown>;
};

const username = 'player-one';
const client_id = 'provider-app';
const installed_id = 'installed-app';
const redirect_uri = 'http://localhost:3000/callback';
/** Of the installed application: with any port, and at the origin of this page, whose scripts are a client in a browser. */
const installedUris = ['http://127.0.0.1/callback', '{base_url}/callback'];
/** The limit of API requests in an hour, but for a request over it. */
const usualLimit = 600;

/** A new sandbox in which a client of a provider signs a user in. The service deletes it when it is not used. */
export class ProviderSandbox {
	readonly #options: ProviderSandboxOptions;
	readonly #api: ControlApi;
	readonly #key: { key?: string };
	readonly #secret: string;
	/** What requests have in place of names in braces. */
	readonly #values: Readonly<Record<string, string>>;
	/** The specification issues one for the first exchange only. */
	#refreshToken = '';

	private constructor(
		options: ProviderSandboxOptions,
		api: ControlApi,
		key: { key?: string },
		values: Readonly<Record<string, string>>
	) {
		this.#options = options;
		this.#api = api;
		this.#key = key;
		this.#values = values;
		this.#secret = values.client_secret ?? '';
	}

	/** Its base URL. */
	get baseUrl(): string {
		return this.#api.baseUrl;
	}

	/** @throws ControlError where the service creates no sandbox */
	static async create(options: ProviderSandboxOptions): Promise<ProviderSandbox> {
		const { name, file, root, fetch, world: own, sendsKey = false } = options;
		const web = { client_id, name: 'Application', kind: 'web' as const, redirect_uris: [redirect_uri] };
		const installed = {
			client_id: installed_id,
			name: 'Installed application',
			kind: 'installed' as const,
			redirect_uris: name === 'specification' ? [] : installedUris
		};
		const created = await root.request('POST /control/sandboxes', {
			body: {
				name: `Provider: ${name}`,
				preset: {
					format: 'tollgate-preset',
					version: 1,
					...(own && { world: own }),
					...(isDialectName(name) && { settings: { dialect: name } }),
					applications: isDialectName(name) ? [web, installed] : [web]
				}
			}
		});
		const api = new ControlApi(created.base_url, fetch);
		const world = await api.request('GET /control/world');
		const { code_challenge } = await createFlowSecrets();
		const secretOf = (id: string) => created.applications.find((one) => one.client_id === id)?.client_secret ?? '';
		const secretJwt = await createSecretJwt(api, sendsKey ? created.key : undefined, client_id, file.dialect);
		return new ProviderSandbox(options, api, sendsKey ? { key: created.key } : {}, {
			client_id,
			client_secret: secretJwt ?? secretOf(client_id),
			basic: btoa(`${client_id}:${secretOf(client_id)}`),
			installed_id,
			installed_secret: secretOf(installed_id),
			document_url: documentUrl(created.base_url, exampleDocument),
			origin: new URL(created.base_url).origin,
			redirect_uri,
			scheme: file.dialect.schemes?.[0] ?? 'Bearer',
			code_challenge,
			scope: file.exampleScope ?? lookupScope(world) ?? '',
			character: encodeURIComponent(world.characters[0]?.name ?? '')
		});
	}

	/**
	 * Makes the situation and sends its request.
	 * @returns the exchange of the last request
	 * @throws ControlError if a control request fails; TypeError where there is no response
	 */
	async send(send: Sending): Promise<TrafficEntry> {
		await this.#act(send);
		const { entries } = await this.#api.request('GET /control/traffic', { ...this.#key, query: { limit: '500' } });
		const entry = entries.findLast(({ endpoint }) => endpoint !== 'control');
		if (entry === undefined) throw new TypeError('The traffic log does not have the request.');
		return entry;
	}

	/** The exchanges after one. */
	async exchanges(after: number): Promise<readonly TrafficEntry[]> {
		return (await this.#api.request('GET /control/traffic', { ...this.#key, ...trafficAfter(after) })).entries;
	}

	async #act(send: Sending): Promise<void> {
		switch (send.situation) {
			case 'wrong_secret':
				await this.#exchange(await this.#newCode(send), send, 'wrong');
				return;
			case 'used_code': {
				const code = await this.#newCode(send);
				await this.#exchange(code, send);
				await this.#exchange(code, send);
				return;
			}
			case 'no_token':
				return this.#call(send, undefined);
			case 'dead_token':
				return this.#call(send, 'a-token-that-no-server-has-issued');
			case 'over_limit':
				return this.#overLimit(send);
			case 'authorize':
				await this.#newCode(send);
				return;
			case 'request':
				return this.#sendOwn(send);
			default:
				return this.#afterSignIn(send, await this.#signIn(send));
		}
	}

	async #afterSignIn(send: Sending, tokens: Tokens): Promise<void> {
		switch (send.situation) {
			case 'second_sign_in':
				await this.#signIn(send);
				return;
			case 'refresh':
				return this.#refresh(send, tokens);
			case 'old_refresh_token':
				await this.#refresh(send, tokens);
				return this.#refresh(send, tokens);
			case 'api':
				return this.#call(send, tokens.access_token);
			case 'revoke':
				return this.#revoke(send, tokens);
			case 'refresh_after_revocation':
				await this.#revoke(send, tokens);
				return this.#refresh(send, tokens);
			default:
		}
	}

	async #signIn(send: Sending): Promise<Tokens> {
		return this.#exchange(await this.#newCode(send), send);
	}

	/** A code, with the verifier that belongs to it. */
	async #newCode({ authorize = {} }: Sending): Promise<{ code: string; code_verifier: string }> {
		const { code_verifier, code_challenge } = await createFlowSecrets();
		const { required = [] } = this.#options.file.dialect.request?.authorize ?? {};
		const usual = {
			response_type: 'code',
			client_id,
			redirect_uri,
			state: 's0',
			scope: this.#values.scope ?? '',
			code_challenge,
			code_challenge_method: 'S256',
			...Object.fromEntries(required.map(({ name, value }) => [name, value])),
			...(isDialectName(this.#options.name) && { access_type: 'offline' })
		};
		const query = fieldsOf(usual, fillAll(authorize, this.#values)).toString();
		const provider = isDialectName(this.#options.name) ? {} : { provider: this.#options.name };
		const body = { username, query, ...provider };
		const { location = '', form } = await this.#api.request('POST /control/authorizations', { ...this.#key, body });
		const inQuery = URL.canParse(location) ? new URL(location).searchParams.get('code') : null;
		const code = form?.fields.code ?? inQuery ?? '';
		return { code, code_verifier };
	}

	async #exchange(
		{ code, code_verifier }: { readonly code: string; readonly code_verifier: string },
		send: Sending,
		secret = this.#secret
	): Promise<Tokens> {
		const fields = fieldsOf({ grant_type: 'authorization_code', code, redirect_uri, code_verifier }, send.token);
		const text = await this.#post('token', fields, send, secret);
		this.#refreshToken = fieldOf(text, 'refresh_token') || this.#refreshToken;
		return { access_token: fieldOf(text, 'access_token'), refresh_token: this.#refreshToken };
	}

	async #refresh(send: Sending, { refresh_token }: Tokens): Promise<void> {
		await this.#post('token', fieldsOf({ grant_type: 'refresh_token', refresh_token }, {}), send);
	}

	async #revoke(send: Sending, { access_token, refresh_token }: Tokens): Promise<void> {
		const token = isDialectName(this.#options.name) ? refresh_token : access_token;
		this.#refreshToken = '';
		if (this.#options.file.dialect.revocation !== 'GET') {
			await this.#post('revoke', fieldsOf({ token }, {}), send);
			return;
		}
		const query = new URLSearchParams({ token, client_id }).toString();
		await this.#fetch(`${this.#urlOf('revoke')}?${query}`, { headers: { ...send.headers } });
	}

	/** A request of a client that knows the paths of a dialect of our own. */
	async #sendOwn({ request = { line: 'GET /' }, ...send }: Sending): Promise<void> {
		const text = JSON.stringify(request);
		const tokens = /\{(?:access|refresh)_token\}/.test(text) ? await this.#signIn(send) : {};
		const values = { ...this.#values, ...tokens };
		const [method = '', target = ''] = request.line.split(' ');
		await this.#fetch(this.baseUrl + fill(target, values), {
			method,
			headers: { Accept: 'application/json', ...fillAll(request.headers ?? {}, values) },
			body: request.form === undefined ? null : new URLSearchParams(fillAll(request.form, values))
		});
	}

	/** A request of the client with its credentials, in the first way that the provider takes. */
	#post(kind: EndpointKind, fields: URLSearchParams, send: Sending, secret = this.#secret): Promise<string> {
		const isBasic = this.#options.file.dialect.authentication?.[0] === 'basic';
		if (!isBasic) {
			fields.set('client_id', client_id);
			fields.set('client_secret', secret);
		}
		const headers = isBasic ? { authorization: `Basic ${btoa(`${client_id}:${secret}`)}` } : {};
		return this.#request(kind, { method: 'POST', headers: { ...headers, ...send.headers }, body: fields });
	}

	async #call(send: Sending, token: string | undefined): Promise<void> {
		const credentials = token === undefined ? {} : { authorization: `${this.#values.scheme} ${token}` };
		await this.#request('api', { headers: { 'user-agent': 'example-app', ...credentials, ...send.headers } });
	}

	async #overLimit(send: Sending): Promise<void> {
		const { access_token } = await this.#signIn(send);
		await this.#limit(0);
		await this.#call(send, access_token);
		await this.#limit(usualLimit);
	}

	async #limit(character: number): Promise<void> {
		await this.#api.request('PATCH /control/settings', { ...this.#key, body: { limits: { character } } });
	}

	#request(kind: EndpointKind, init: RequestInit): Promise<string> {
		return this.#fetch(this.#urlOf(kind), init);
	}

	#urlOf(kind: EndpointKind): string {
		const { name, file } = this.#options;
		const own = {
			...createProvider(this.baseUrl),
			api: `${this.baseUrl}${characterPath('')}${this.#values.character}`
		};
		if (isDialectName(name))
			return kind === 'token' ? own.token_endpoint : kind === 'revoke' ? own.revocation_endpoint : own.api;
		const endpoint = file.dialect.endpoints?.find((one) => one.kind === kind);
		if (endpoint === undefined) throw new RangeError(`Not simulated: the file of ${name} has no endpoint for ${kind}.`);
		const path = endpoint.url.replace(/^https:\/\/[^/]*/, '').replace(/\{(\w+)\}/g, '$1');
		return `${this.baseUrl}/as/${name}${path}`;
	}

	async #fetch(url: string, init: RequestInit): Promise<string> {
		// The file may be by anyone, and `..` in a path leaves the sandbox.
		if (!new URL(url).href.startsWith(`${this.baseUrl}/`))
			throw new RangeError(`Not sent: ${url} is not in the sandbox.`);
		const response = await this.#options.fetch(url, { credentials: 'omit', cache: 'no-store', ...init });
		return response.text();
	}
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
	return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

function fillAll(
	fields: Readonly<Record<string, string>>,
	values: Readonly<Record<string, string>>
): Record<string, string> {
	return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, fill(value, values)]));
}

/** Fields of a request. An empty value leaves a field out. */
function fieldsOf(
	usual: Readonly<Record<string, string>>,
	others: Readonly<Record<string, string>> = {}
): URLSearchParams {
	return new URLSearchParams(Object.entries({ ...usual, ...others }).filter(([, value]) => value !== ''));
}

/** A field of a response, in JSON or a form. */
function fieldOf(text: string, name: string): string {
	if (!text.startsWith('{')) return new URLSearchParams(text).get(name) ?? '';
	return new RegExp(`"${name}":"([^"]*)"`).exec(text)?.[1] ?? '';
}
