import { sha256 } from '@noble/hashes/sha2.js';
import type { Preset } from '#api/control/preset.ts';
import type { WireResponse } from '#api/message.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { handleFetch, stripBase } from '#hosts/msw/fetch-adapter.ts';
import { createWebService } from '#hosts/web-service.ts';
import { encodeUtf8 } from '#service/core/encoding.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import { clientId, redirectUri } from './exercise-client.ts';
import type { ExerciseClock } from './exercise-clock.ts';

/** What sent a request: a line of the program, some line of it, or the user in the browser. */
export type Sender = { readonly by: 'client'; readonly line: number | undefined } | { readonly by: 'user' };

/** A request of a program, or of the user's browser. */
export type SentRequest = {
	readonly method: string;
	/** Absolute. */
	readonly url: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: Uint8Array;
};

/** All requests count for one address. */
const peer = '127.0.0.1';

/** The preset of an exercise, besides its application. */
export type ExercisePreset = Omit<Preset, 'format' | 'version' | 'applications' | 'start'>;

/** The service of one run of an exercise. It runs in this page, in memory, and nothing else reaches it. */
export class ExerciseService {
	/** The exchanges of the run, oldest first. Those of `api` are not among them. */
	entries: readonly TrafficEntry[] = [];
	/** The control API of its only sandbox. */
	readonly api: ControlApi;
	/** The secret of the application. Set by `start`. */
	secret = '';
	readonly #service: Service;
	readonly #base: string;
	readonly #senders = new Map<string, Sender>();
	readonly #onEntries: () => void;
	#reading: Promise<void> = Promise.resolve();

	/**
	 * @param baseUrl the base URL of the site, without a trailing slash: its pages find their style sheet there
	 * @param onEntries is called after each new exchange
	 */
	constructor(
		readonly baseUrl: string,
		readonly clock: ExerciseClock,
		onEntries: () => void = () => {}
	) {
		this.#onEntries = onEntries;
		this.#base = new URL(baseUrl).pathname.replace(/\/$/, '');
		this.#service = createWebService({
			origin: baseUrl,
			store: createMemoryStore(recordLimits),
			now: clock.now,
			sleep: clock.delay,
			// The passwords are those of the demo accounts, and stay in this page.
			scrypt: (password, salt) => Promise.resolve(sha256(encodeUtf8(`${password} ${salt.join()}`)))
		});
		this.api = new ControlApi(baseUrl, async (url, init) => this.#handle(new Request(url, init)));
	}

	/** Registers the application, and changes the sandbox. @throws ControlError */
	async start(preset: ExercisePreset = {}): Promise<void> {
		const application: NonNullable<Preset['applications']>[number] = {
			client_id: clientId,
			name: 'My client',
			kind: 'web',
			redirect_uris: [redirectUri]
		};
		await this.api.request('POST /control/reset', {
			body: { preset: { format: 'tollgate-preset', version: 1, ...preset, applications: [application] } }
		});
		const path = { client_id: clientId };
		this.secret = (await this.api.request('POST /control/applications/{client_id}/secret', { path })).client_secret;
		await this.api.request('DELETE /control/traffic');
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
