import type { PathParameters, QueryParameters, RequestBody, RequestQuery, ResponseBody } from '#api/declare.ts';
import type { controlEndpoints } from '#api/endpoints.ts';
import { addressHeaders, storedAddress } from '../virtual-address.svelte.ts';
import type { Pause, PausePoint } from '#api/control/pause.ts';

type Endpoints = typeof controlEndpoints;

/** Method and path of an endpoint of the control API. */
export type ControlEndpoint = keyof Endpoints;

export type ControlData<K extends ControlEndpoint> = ResponseBody<Endpoints[K]>;

/** The parts of a request that its URL contains. */
type UrlParts<K extends ControlEndpoint> = ([PathParameters<K>] extends [never]
	? unknown
	: { readonly path: { readonly [Name in PathParameters<K>]: string } }) & {
	readonly query?: RequestQuery<Endpoints[K]>;
};

/** What a request consists of, besides its method and path. */
type Parts<K extends ControlEndpoint> = UrlParts<K> &
	(undefined extends RequestBody<Endpoints[K]>
		? { readonly body?: RequestBody<Endpoints[K]> }
		: { readonly body: RequestBody<Endpoints[K]> }) & {
		/** The key of the sandbox, in place of the owner's cookie. */
		readonly key?: string;
		/** Ends the request. */
		readonly signal?: AbortSignal;
	};

type Optional<T> = Partial<T> extends T ? [parts?: T] : [parts: T];

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type AnyUrlParts = {
	readonly path?: Readonly<Record<string, string>>;
	readonly query?: QueryParameters | undefined;
};
type AnyParts = AnyUrlParts & { readonly body?: unknown; readonly key?: string; readonly signal?: AbortSignal };

/** The control API of one sandbox. */
export class ControlApi {
	readonly #fetch: Fetch;

	/** @param baseUrl of the sandbox, without a trailing slash */
	constructor(
		readonly baseUrl: string,
		fetch: Fetch = (url, init) => globalThis.fetch(url, init)
	) {
		this.#fetch = fetch;
	}

	/**
	 * Sends a request. The browser's owner cookie goes with it.
	 * @param endpoint method and path as declared, such as `PATCH /control/settings`
	 * @returns the data of the response
	 * @throws ControlError if the service rejects the request or does not respond
	 */
	request<K extends ControlEndpoint>(endpoint: K, ...parts: Optional<Parts<K>>): Promise<ControlData<K>>;
	async request(endpoint: string, { body, key, signal, ...parts }: AnyParts = {}): Promise<unknown> {
		const headers = new Headers({ accept: 'application/json', ...addressHeaders(storedAddress()) });
		if (key !== undefined) headers.set('x-tollgate-key', key);
		if (body !== undefined) headers.set('content-type', 'application/json');
		const [method = ''] = endpoint.split(' ');
		let response: Response;
		let data: unknown;
		try {
			response = await this.#fetch(this.#url(endpoint, parts), {
				method,
				headers,
				body: body === undefined ? null : JSON.stringify(body),
				signal: signal ?? null,
				credentials: 'same-origin',
				cache: 'no-store'
			});
			data = await response.json();
		} catch {
			throw new ControlError(
				'no_response',
				'The service did not respond. Check that it is running, then try again.',
				0
			);
		}
		if (response.ok) return data;
		throw toControlError(response.status, data);
	}

	/** The URL of an endpoint, for a link. */
	url<K extends ControlEndpoint>(endpoint: K, ...parts: Optional<UrlParts<K>>): string;
	url(endpoint: string, parts: AnyUrlParts = {}): string {
		return this.#url(endpoint, parts);
	}

	#url(endpoint: string, { path = {}, query }: AnyUrlParts): string {
		const [, pattern = ''] = endpoint.split(' ');
		const filled = pattern.replace(/\{\+?(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
		const parameters = Object.entries(query ?? {}).flatMap(([name, value]) =>
			value === undefined ? [] : [[name, value]]
		);
		return this.baseUrl + filled + (parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`);
	}
}

/** The query for the entries of the traffic log behind the one with this number. */
export function trafficAfter(after = 0): { query: { after: string; limit: string } } {
	return { query: { after: String(after), limit: '500' } };
}

function toControlError(status: number, data: unknown): ControlError {
	const field = (name: string) => {
		const value: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
		return typeof value === 'string' ? value : undefined;
	};
	const description = field('error_description') ?? `The service responded with status ${status}.`;
	const path = field('field');
	// At its field on a page, the name of the field is said already.
	const message =
		path !== undefined && description.startsWith(`${path}: `) ? description.slice(path.length + 2) : description;
	return new ControlError(field('error') ?? 'unexpected_response', message, status, path);
}

/** The id of a code or token in the control API: its SHA-256 digest as base64url. */
export async function credentialId(credential: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(credential));
	const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
	return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** A control request that the service rejected, or that got no response. */
export class ControlError extends Error {
	override name = 'ControlError';

	/**
	 * @param code the error code of the response; `no_response` without one
	 * @param description what happened and what to do next, for users
	 * @param status 0 without a response
	 * @param field the field of the request body that is wrong: `limits.character`
	 */
	constructor(
		readonly code: string,
		description: string,
		readonly status: number,
		readonly field?: string
	) {
		super(description);
	}
}

/**
 * Holds the messages of a sandbox at these points, in place of the points before. None: all messages continue.
 * @returns the messages that wait
 * @throws ControlError
 */
export function hold(api: ControlApi, points: readonly PausePoint[]): Promise<Pause> {
	return api.request('PUT /control/pause', { body: { points: [...points] } });
}
