import { createHash } from 'node:crypto';
import { assembleService } from '#service/assemble-service.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { readWorld } from '#service/world/read-world.ts';
import { fetchWorld, type World } from '#client/world.ts';
import { createMemoryStore } from '#store/memory.ts';
import { fastScrypt } from '../conformance/hosts/fast-scrypt.ts';
import { signInAtService } from './sign-in-at-service.js';

/** A request as the service received it. */
export type ReceivedRequest = {
	readonly method: string;
	readonly url: URL;
	readonly headers: Headers;
	readonly form: URLSearchParams;
};

/** Returns a response to use instead of the service's, or undefined. May throw, as `fetch` does without a response. */
export type Intercept = (request: ReceivedRequest) => Response | Promise<Response | undefined> | undefined;

type Choice = NonNullable<Parameters<typeof signInAtService>[2]>;

/** An `Intercept` of a service that does not respond. */
export const down = (): never => {
	throw new TypeError('fetch failed');
};

const peer = '127.0.0.1';

/** The real service in this process, with clocks that only tests move. */
export class TestService {
	/** This machine's clock, in milliseconds since 1970. */
	time = Date.UTC(2026, 10, 21, 9, 30);
	/** How far the service's clock is ahead of this machine's, in milliseconds. */
	ahead = 0;
	readonly baseUrl: string;
	/** The client's requests, without those of its user. */
	readonly requests: ReceivedRequest[] = [];
	intercept: Intercept | undefined;
	readonly #service: ReturnType<typeof assembleService>;

	/** @param file a world file; the demo world by default */
	constructor(baseUrl = 'https://service.test', file?: object) {
		this.baseUrl = baseUrl;
		const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
		this.#service = assembleService({
			origin: baseUrl,
			store: createMemoryStore(recordLimits),
			now: () => this.time + this.ahead,
			random: (count) => crypto.getRandomValues(new Uint8Array(count)),
			digest,
			...(file && { world: readWorld(file, { digest }) }),
			scrypt: fastScrypt,
			subtle: crypto.subtle,
			sleep: () => Promise.resolve(),
			report: (fault) => console.error(fault)
		});
	}

	/** The client's `fetch`. */
	readonly fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
		const form = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
		const request = { method: init.method ?? 'GET', url: new URL(url), headers: new Headers(init.headers), form };
		this.requests.push(request);
		return (await this.intercept?.(request)) ?? this.#send(url, init);
	};

	/** How many of the client's requests have a path that ends so. */
	count(pathEnd: string): number {
		return this.requests.filter(({ url }) => url.pathname.endsWith(pathEnd)).length;
	}

	/** Signs a user in at the service. Returns the parameters of the authorization response. */
	async approve(url: URL, choice: Choice = {}): Promise<URLSearchParams> {
		const { callback } = await signInAtService(this.#send, url, choice);
		if (callback === undefined) throw new Error('the service did not redirect');
		return callback.searchParams;
	}

	/** Signs a user in at the service. Returns the code that the page shows. */
	async approveOutOfBand(url: URL): Promise<string> {
		const { page } = await signInAtService(this.#send, url);
		const [, code] = /<title>Success,code=([^<]+)</.exec(page) ?? [];
		if (code === undefined) throw new Error('the service did not show a code');
		return code;
	}

	/** What the pages of the service ask it for first. It is not one of the client's requests. */
	world(): Promise<World> {
		return fetchWorld(this.baseUrl, this.#send);
	}

	/** The `fetch` of a page that controls the sandbox. Its requests are not those of the client. */
	readonly fetchByOwner = (url: string, init: RequestInit): Promise<Response> => this.#send(url, init);

	/** Sends a request to the control API. */
	async control(method: string, path: string, data?: object): Promise<unknown> {
		const body = data === undefined ? null : JSON.stringify(data);
		const headers = { 'content-type': 'application/json', accept: 'application/json' };
		const response = await this.#send(`${this.baseUrl}${path}`, { method, headers, body });
		if (!response.ok) throw new Error(`${method} ${path}: ${String(response.status)} ${await response.text()}`);
		return response.status === 204 ? undefined : response.json();
	}

	/** Revokes a user's access, as another program would. */
	async revoke(refresh_token: string, client_id = 'character-viewer'): Promise<void> {
		const query = new URLSearchParams({ token: refresh_token, client_id });
		await this.#send(`${this.baseUrl}/ws/oauth2/revoke?${query.toString()}`, {});
	}

	readonly #send = async (url: string, init: RequestInit): Promise<Response> => {
		const { pathname, search, host } = new URL(url);
		const headers = new Headers(init.headers);
		headers.set('host', host);
		const body = typeof init.body === 'string' || init.body instanceof URLSearchParams ? init.body.toString() : '';
		if (init.body instanceof URLSearchParams && !headers.has('content-type')) {
			headers.set('content-type', 'application/x-www-form-urlencoded');
		}
		const result = await this.#service.handle({
			method: init.method ?? 'GET',
			target: `${pathname}${search}`,
			headers: [...headers].flat(),
			body: new TextEncoder().encode(body),
			bodyTooLarge: false,
			peer
		});
		if (result.kind !== 'response') throw new TypeError('fetch failed');
		const response = new Headers();
		for (let at = 0; at + 1 < result.headers.length; at += 2) {
			response.append(result.headers[at] ?? '', result.headers[at + 1] ?? '');
		}
		return new Response(result.status === 204 ? null : result.body, { status: result.status, headers: response });
	};
}
