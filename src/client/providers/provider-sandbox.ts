import type { TrafficEntry } from '#api/control/traffic.ts';
import type { DialectPart } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import type { ProviderFile, Surprise } from '#api/providers/provider-file.ts';
import { ControlApi, trafficAfter } from '../control-api/control-api.ts';
import { createFlowSecrets } from '../oauth/authorization-request.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type Send = Surprise['send'];
type Tokens = { readonly access_token: string; readonly refresh_token: string };

/** What is needed of the file of a provider. */
export type SentProvider = Pick<ProviderFile, 'exampleScope'> & {
	readonly dialect: Pick<DialectPart, 'endpoints' | 'authentication'>;
};

export type ProviderSandboxOptions = {
	readonly name: string;
	readonly file: SentProvider;
	/** The control API of the root sandbox. */
	readonly root: ControlApi;
	readonly fetch: Fetch;
	/** Sends the key of the sandbox, where there is no cookie of its owner. Default: false. */
	readonly sendsKey?: boolean;
};

const username = 'player-one';
const client_id = 'provider-app';
const redirect_uri = 'http://localhost:3000/callback';

/** A new sandbox in which a client of a provider signs a user in. The service deletes it when it is not used. */
export class ProviderSandbox {
	readonly #options: ProviderSandboxOptions;
	readonly #api: ControlApi;
	readonly #key: { key?: string };
	readonly #secret: string;

	private constructor(options: ProviderSandboxOptions, api: ControlApi, key: { key?: string }, secret: string) {
		this.#options = options;
		this.#api = api;
		this.#key = key;
		this.#secret = secret;
	}

	/** @throws ControlError where the service creates no sandbox */
	static async create(options: ProviderSandboxOptions): Promise<ProviderSandbox> {
		const created = await options.root.request('POST /control/sandboxes', {
			body: {
				name: `Provider: ${options.name}`,
				preset: {
					format: 'tollgate-preset',
					version: 1,
					applications: [{ client_id, name: 'Application', kind: 'web', redirect_uris: [redirect_uri] }]
				}
			}
		});
		const api = new ControlApi(created.base_url, options.fetch);
		const key = options.sendsKey === true ? { key: created.key } : {};
		return new ProviderSandbox(options, api, key, created.applications[0]?.client_secret ?? '');
	}

	/**
	 * Makes the situation of a surprise and sends its request.
	 * @returns the exchange of the last request
	 * @throws ControlError if a control request fails; TypeError where there is no response
	 */
	async send({ send }: Pick<Surprise, 'send'>): Promise<TrafficEntry> {
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

	async #act(send: Send): Promise<void> {
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
			default:
				return this.#afterSignIn(send, await this.#signIn(send));
		}
	}

	async #afterSignIn(send: Send, tokens: Tokens): Promise<void> {
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

	async #signIn(send: Send): Promise<Tokens> {
		return this.#exchange(await this.#newCode(send), send);
	}

	/** A code, with the verifier that belongs to it. */
	async #newCode({ authorize = {} }: Send): Promise<{ code: string; code_verifier: string }> {
		const { code_verifier, code_challenge } = await createFlowSecrets();
		const query = fieldsOf(
			{
				response_type: 'code',
				client_id,
				redirect_uri,
				state: 's0',
				scope: this.#options.file.exampleScope ?? '',
				code_challenge,
				code_challenge_method: 'S256'
			},
			authorize
		);
		const body = { username, query: query.toString(), provider: this.#options.name };
		const { location = '' } = await this.#api.request('POST /control/authorizations', { ...this.#key, body });
		const code = URL.canParse(location) ? (new URL(location).searchParams.get('code') ?? '') : '';
		return { code, code_verifier };
	}

	async #exchange(
		{ code, code_verifier }: { readonly code: string; readonly code_verifier: string },
		send: Send,
		secret = this.#secret
	): Promise<Tokens> {
		const fields = fieldsOf({ grant_type: 'authorization_code', code, redirect_uri, code_verifier }, send.token);
		const text = await this.#post('token', fields, send, secret);
		return { access_token: fieldOf(text, 'access_token'), refresh_token: fieldOf(text, 'refresh_token') };
	}

	async #refresh(send: Send, { refresh_token }: Tokens): Promise<void> {
		await this.#post('token', fieldsOf({ grant_type: 'refresh_token', refresh_token }, {}), send);
	}

	async #revoke(send: Send, { access_token }: Tokens): Promise<void> {
		await this.#post('revoke', fieldsOf({ token: access_token }, {}), send);
	}

	/** A request of the client with its credentials, in the first way that the provider takes. */
	#post(kind: EndpointKind, fields: URLSearchParams, send: Send, secret = this.#secret): Promise<string> {
		const isBasic = this.#options.file.dialect.authentication?.[0] === 'basic';
		if (!isBasic) {
			fields.set('client_id', client_id);
			fields.set('client_secret', secret);
		}
		const headers = isBasic ? { authorization: `Basic ${btoa(`${client_id}:${secret}`)}` } : {};
		return this.#request(kind, { method: 'POST', headers: { ...headers, ...send.headers }, body: fields });
	}

	async #call(send: Send, token: string | undefined): Promise<void> {
		const credentials = token === undefined ? {} : { authorization: `Bearer ${token}` };
		await this.#request('api', { headers: { 'user-agent': 'example-app', ...credentials, ...send.headers } });
	}

	async #overLimit(send: Send): Promise<void> {
		await this.#api.request('PATCH /control/settings', { ...this.#key, body: { limits: { character: 0 } } });
		await this.#call(send, (await this.#signIn(send)).access_token);
	}

	async #request(kind: EndpointKind, init: RequestInit): Promise<string> {
		const endpoint = this.#options.file.dialect.endpoints?.find((one) => one.kind === kind);
		if (endpoint === undefined) throw new TypeError(`The file has no endpoint of the kind ${kind}.`);
		const path = endpoint.url.replace(/^https:\/\/[^/]*/, '').replace(/\{(\w+)\}/g, '$1');
		const url = `${this.#api.baseUrl}/as/${this.#options.name}${path}`;
		const response = await this.#options.fetch(url, { credentials: 'omit', cache: 'no-store', ...init });
		return response.text();
	}
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
