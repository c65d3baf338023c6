import { sha256 } from '@noble/hashes/sha2.js';
import type { Preset } from '#api/control/preset.ts';
import type { WireResponse } from '#api/message.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { encodeUtf8 } from '#service/core/encoding.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Weaknesses } from '#service/core/weaknesses.ts';
import { assembleService } from '#service/assemble-service.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import { handleFetch, stripBase } from '../msw/fetch-adapter.ts';
import { digest } from '../digest.ts';
import { pooledRandom } from '../web-service.ts';
import type { PageClock } from './page-clock.ts';

/** A request of a client, or of a browser. */
export type SentRequest = {
	readonly method: string;
	/** Absolute. */
	readonly url: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: Uint8Array;
};

/** All requests count for one address. */
const peer = '127.0.0.1';

/** The clock of a service in a page. */
export type ServiceClock = Pick<PageClock, 'now' | 'during' | 'delay'>;

/** What a service in a page is changed to. */
export type PagePreset = Omit<Preset, 'format' | 'version' | 'start'>;

type PageServiceOptions = {
	readonly onEntries?: () => void;
	readonly weaknesses?: Weaknesses;
	/** Random bytes. The same ones lead to the same codes and tokens. */
	readonly random?: (count: number) => Uint8Array;
};

/** A service with one sandbox, in memory. It runs in this page, and nothing else reaches it. */
export class PageService<Sender, Clock extends ServiceClock = PageClock> {
	/** The exchanges since it was prepared, oldest first. Those of `api` are not among them. */
	entries: readonly TrafficEntry[] = [];
	/** The control API of its only sandbox. */
	readonly api: ControlApi;
	/** Sends requests that belong to no client. */
	readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
	readonly #service: Service;
	readonly #base: string;
	readonly #senders = new Map<string, Sender>();
	readonly #onEntries: () => void;
	#reading: Promise<void> = Promise.resolve();

	/**
	 * @param baseUrl without a trailing slash. With that of the site, its pages find their style sheet
	 * @param options `onEntries` is called after each new exchange. `weaknesses` are what it does wrong, in a lab. `random` gives its secrets
	 */
	constructor(
		readonly baseUrl: string,
		readonly clock: Clock,
		{ onEntries = () => {}, weaknesses, random = pooledRandom() }: PageServiceOptions = {}
	) {
		this.#onEntries = onEntries;
		this.#base = new URL(baseUrl).pathname.replace(/\/$/, '');
		this.#service = assembleService(
			{
				origin: baseUrl,
				store: createMemoryStore(recordLimits),
				now: clock.now,
				// Durations that its clock shows, too: when a request began is computed from both.
				timer: clock.now,
				sleep: clock.delay,
				random,
				digest,
				subtle: crypto.subtle,
				// The passwords are those of the demo accounts, and stay in this page.
				scrypt: (password, salt) => Promise.resolve(sha256(encodeUtf8(`${password} ${salt.join()}`)))
			},
			undefined,
			weaknesses
		);
		this.fetch = async (url, init) => this.#handle(new Request(url, init));
		this.api = new ControlApi(baseUrl, this.fetch);
	}

	/** Changes the sandbox to a preset. @throws ControlError */
	async prepare(preset: PagePreset): Promise<void> {
		await this.api.request('POST /control/reset', {
			body: { preset: { format: 'tollgate-preset', version: 1, ...preset } }
		});
	}

	/** Creates the secret of an application, and forgets what was recorded so far. @throws ControlError */
	async secretOf(client_id: string): Promise<string> {
		const path = { client_id };
		const { client_secret } = await this.api.request('POST /control/applications/{client_id}/secret', { path });
		await this.api.request('DELETE /control/traffic');
		return client_secret;
	}

	/** What sent an exchange. Undefined: unknown. */
	senderOf({ id }: Pick<TrafficEntry, 'id'>): Sender | undefined {
		return this.#senders.get(id);
	}

	/** Whether a URL is one of the service. */
	has(url: URL): boolean {
		return url.href.startsWith(`${this.baseUrl}/`);
	}

	/**
	 * Sends a request, and adds its exchange. Headers that pages cannot read or set, as cookies, are kept.
	 * @param request with a URL of the service
	 * @returns undefined where there is no response
	 */
	async send({ method, url, headers, body }: SentRequest, sender: Sender): Promise<WireResponse | undefined> {
		const { pathname, search } = new URL(url);
		const target = stripBase(this.#base, pathname + search);
		const bodyTooLarge = body.length > bodyLimit({ method, target });
		const request = { method, target, headers: headers.flat(), body, bodyTooLarge, peer };
		const result = await this.clock.during(() =>
			this.#service.handle(bodyTooLarge ? { ...request, body: new Uint8Array(0) } : request)
		);
		const response = result.kind === 'response' ? result : undefined;
		const id = response && headerOf(response, 'x-request-id');
		if (id !== undefined) this.#senders.set(id, sender);
		this.#reading = this.#reading.then(() => this.#read(sender));
		await this.#reading;
		return response;
	}

	#handle(request: Request): Promise<Response> {
		return handleFetch((wire) => this.#service.handle(wire), request, { base: this.#base, peer });
	}

	async #read(sender: Sender): Promise<void> {
		const { entries } = await this.api.request('GET /control/traffic', trafficAfter(this.entries.at(-1)?.seq));
		const added = entries.filter(({ endpoint }) => endpoint !== 'control');
		if (added.length === 0) return;
		// A request without a response has no id that its sender could know.
		for (const { id, response } of added) if (response === null) this.#senders.set(id, sender);
		this.entries = [...this.entries, ...added];
		this.#onEntries();
	}
}

/** A header of a response of the service. @param name in lower case */
export function headerOf({ headers }: WireResponse, name: string): string | undefined {
	const at = headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
	return at < 0 ? undefined : headers[at + 1];
}

/** A response of the service for a browser of this page. A `Response` for scripts has no `Set-Cookie`. */
export function toResponse({ status, headers, body }: WireResponse): Response {
	const all = new Headers();
	for (let at = 0; at + 1 < headers.length; at += 2) all.append(headers[at] ?? '', headers[at + 1] ?? '');
	return Object.defineProperty(new Response(body, { status }), 'headers', { value: all });
}

/** A request that a browser of this page sends. */
export function fromInit(url: string, { method = 'GET', headers, body }: RequestInit): SentRequest {
	const isForm = body instanceof URLSearchParams;
	const type = isForm ? [['content-type', 'application/x-www-form-urlencoded'] as const] : [];
	return {
		method,
		url,
		headers: [...new Headers(headers), ...type],
		body: new TextEncoder().encode(isForm ? body.toString() : '')
	};
}
