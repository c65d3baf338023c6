import * as v from 'valibot';
import { Program, type Handler, type ReceivedResponse } from '#course/write/engine/program/program.ts';
import type { ClientSettings, PageRequest, PageResponse } from '../../../exam/reference-client.ts';
import { directPorts, functionRealm } from './function-realm.ts';

const sent = v.object({
	method: v.string(),
	url: v.string(),
	headers: v.array(v.tuple([v.string(), v.string()])),
	body: v.instance(Uint8Array<ArrayBuffer>)
});
const pair = v.tuple([v.unknown(), v.unknown()]);

/** A written client as a web application: the same program, whose `browser.open` redirects the browser. Each browser has its own session. */
export class WrittenWebClient {
	readonly #open: () => Session;
	readonly #sessions = new Map<string, Session>();

	constructor(settings: ClientSettings, source: string) {
		this.#open = () => new Session(settings, source);
	}

	async handle({ target, cookie = '' }: PageRequest): Promise<PageResponse> {
		const known = /\bsid=(\d+)/.exec(cookie)?.[1];
		const id = known ?? String(this.#sessions.size + 1);
		const session = this.#sessions.get(id) ?? this.#open();
		this.#sessions.set(id, session);
		const response = await session.respond(new URL(target, 'http://localhost'));
		return known === undefined ? { ...response, cookie: `sid=${id}; Path=/` } : response;
	}
}

class Session {
	readonly #settings: ClientSettings;
	readonly #program = new Program();
	readonly #started: Promise<void>;
	readonly #stored = new Map<unknown, unknown>();
	/** The redirect of the page that signs in. */
	#redirect: (url: string) => void = () => {};
	/** Gets the authorization response. */
	#arrive: ((url: string) => void) | undefined;
	#signingIn: Promise<PageResponse> | undefined;

	constructor(settings: ClientSettings, source: string) {
		this.#settings = settings;
		const { baseUrl, clientId, clientSecret, redirectUri } = settings;
		const config = {
			id: clientId,
			secret: clientSecret,
			issuer: baseUrl,
			redirectUri,
			authorizationUrl: `${baseUrl}/ws/oauth2/auth/`,
			tokenUrl: `${baseUrl}/ws/oauth2/token/`,
			revocationUrl: `${baseUrl}/ws/oauth2/revoke`,
			characterUrl: `${baseUrl}/ws/v2.0/character/`,
			rateLimitsUrl: `${baseUrl}/ws/v2.0/ratelimits`,
			scope: 'character_read'
		};
		const surroundings = { config, handlers: this.#handlers, log: () => {}, now: Date.now, isWaiting: () => true };
		// By messages of this thread, because others take time by a virtual clock.
		this.#started = this.#program.start(source, surroundings, functionRealm(directPorts));
	}

	async respond({ pathname, search, searchParams }: URL): Promise<PageResponse> {
		await this.#started;
		if (pathname === '/me') return this.#call('getCharacter', searchParams.get('name'));
		if (pathname === '/logout') return this.#call('signOut');
		if (pathname === '/callback') {
			const arrive = this.#arrive;
			this.#arrive = undefined;
			arrive?.(this.#settings.redirectUri + search);
			return (arrive && this.#signingIn) ?? { status: 400, body: 'This sign-in was not started here.' };
		}
		const redirected = new Promise<PageResponse>((resolve) => {
			this.#redirect = (location) => resolve({ status: 303, location, body: '' });
		});
		this.#signingIn = this.#call('signIn');
		return Promise.race([redirected, this.#signingIn]);
	}

	async #call(name: string, ...parameters: readonly unknown[]): Promise<PageResponse> {
		try {
			return { status: 200, body: (await this.#program.call(name, parameters)).text };
		} catch (error) {
			return { status: 500, body: String(error).replaceAll('<', '&lt;') };
		}
	}

	readonly #handlers = {
		fetch: async (value): Promise<ReceivedResponse> => {
			const { url, method, headers, body } = v.parse(sent, value);
			const { fetch: send = fetch } = this.#settings;
			const response = await send(url, { method, headers, ...(body.length > 0 ? { body } : {}) });
			const { status } = response;
			return { status, headers: [...response.headers], body: await response.text(), url, isCut: false };
		},
		open: (value) =>
			new Promise((resolve) => {
				this.#arrive = resolve;
				this.#redirect(String(value));
			}),
		get: async (value) => this.#stored.get(value),
		set: async (value) => void this.#stored.set(...v.parse(pair, value)),
		delete: async (value) => this.#stored.delete(value),
		digest: async (value) => crypto.subtle.digest('SHA-256', v.parse(v.tuple([v.string(), v.any()]), value)[1]),
		sleep: (value) => new Promise((resolve) => setTimeout(resolve, Number(value))),
		timer: (value) => new Promise((resolve) => setTimeout(resolve, Number(v.parse(pair, value)[1]))),
		clear: async () => undefined
	} satisfies Record<string, Handler>;
}
