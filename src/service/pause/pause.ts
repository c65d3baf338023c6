import {
	maxHeld,
	maxHeldBytes,
	maxHoldSeconds,
	type HeldContinuation,
	type HeldDecision,
	type HeldMessage,
	type Pause as PauseView,
	type PausePoint
} from '#api/control/pause.ts';
import { headerValue, headerValues } from '#api/headers.ts';
import { noResponse, type WireRequest, type WireResponse, type WireResult } from '#api/message.ts';
import { readNetworkAddress } from '../address/network-address.ts';
import { base64url } from '../core/encoding.ts';
import type { ServiceOptions } from '../core/options.ts';
import { readTarget } from '../core/target.ts';
import { isBrowser, requestMessage, responseMessage, type Message } from './messages.ts';

/** How long messages are held after the last `set`, in milliseconds: a sign-in in the same tab takes a while. */
const period = 5 * 60_000;
/** How long clients wait for a response after the last `set`, in milliseconds: the page that decides may be closed. */
const attention = 20_000;
/** How often a waiting message is looked at, in milliseconds. */
const interval = 500;
/** How long a browser may take to send its request again after the release, in milliseconds. */
const returnPeriod = 60_000;

/** Handles a request as released. `note` says what happened to it while it was held. */
type Handle = (request: WireRequest, note?: string) => Promise<WireResult>;

export type PauseOptions = Pick<ServiceOptions, 'now' | 'random' | 'sleep' | 'trustedProxies'>;

/** A message that waits. */
type Held = {
	/** The network address that sent it. */
	readonly address: string;
	readonly view: HeldMessage;
	readonly decide: (decision: HeldDecision) => HeldContinuation;
};

/** A request that a browser sends again after its release, how often it passes, and until when (milliseconds). */
type Released = {
	readonly address: string;
	readonly request: WireRequest;
	readonly note: string;
	readonly until: number;
	times: number;
};

/** The messages of one sandbox that wait for a decision. */
export class Pause {
	readonly #options: PauseOptions;
	readonly #baseUrl: string;
	readonly #hasRoom: (address: string) => boolean;
	readonly #held = new Map<string, Held>();
	/** By target, or by the id of the message for a form. */
	readonly #released = new Map<string, Released>();
	#points: readonly PausePoint[] = [];
	#renewed = -Infinity;

	constructor(options: PauseOptions, baseUrl: string, hasRoom: (address: string) => boolean) {
		this.#options = options;
		this.#baseUrl = baseUrl;
		this.#hasRoom = hasRoom;
	}

	get isOver(): boolean {
		return this.#options.now() - this.#renewed > period;
	}

	/** How many messages are kept: they wait, or were released for a browser that sends them again. */
	get size(): number {
		this.#dropLate();
		return this.#held.size + this.#released.size;
	}

	/** How many of them a network address sent. */
	sizeOf(address: string): number {
		return [...this.#held.values(), ...this.#released.values()].filter((one) => one.address === address).length;
	}

	get view(): PauseView {
		this.#dropLate();
		return { points: [...this.#points], held: [...this.#held.values()].map(({ view }) => view) };
	}

	/** A browser that left the page of its message does not come back for it. */
	#dropLate(): void {
		const now = this.#options.now();
		for (const [id, { view }] of this.#held) if (view.until <= now) this.#held.delete(id);
		for (const [key, { until }] of this.#released) if (until <= now) this.#released.delete(key);
	}

	/** Holds the messages at these points from now on. */
	renew(points: readonly PausePoint[]): void {
		this.#points = points;
		this.#renewed = this.#options.now();
	}

	/** Decides about a held message. Undefined if it is not held any more. */
	decide(id: string, decision: HeldDecision): HeldContinuation | undefined {
		const held = this.#held.get(id);
		this.#held.delete(id);
		return held?.decide(decision);
	}

	/**
	 * Handles a request. It waits before, and its response after, if they are to be held.
	 * @param handle of the service
	 */
	async handle(request: WireRequest, handle: Handle): Promise<WireResult> {
		const released = this.#takeReleased(request);
		if (released !== undefined) return this.#respond(request, await handle(released.request, released.note));
		const message = this.#toHold(request, requestMessage(request));
		if (message === undefined) return this.#respond(request, await handle(request));
		if (isBrowser(request)) return this.#showRequest(request, message);
		const { action, changes = {} } = await this.#wait(request, message);
		if (action === 'drop') return noResponse;
		const changed = message.change(changes);
		const result = await handle(changed, noteOf(changes));
		if (action === 'duplicate') await handle(changed, 'Sent a second time while paused');
		return this.#respond(request, result);
	}

	async #respond(request: WireRequest, result: WireResult): Promise<WireResult> {
		const message = this.#toHold(request, responseMessage(request, result));
		if (message === undefined) return result;
		if (isBrowser(request)) return this.#showResponse(request, message);
		const { action, changes = {} } = await this.#wait(request, message);
		return action === 'drop' ? noResponse : message.change(changes);
	}

	#toHold<T>(request: WireRequest, message: Message<T> | undefined): Message<T> | undefined {
		this.#dropLate();
		const isHeld =
			message !== undefined &&
			this.#points.includes(message.point) &&
			message.bytes <= maxHeldBytes &&
			this.#held.size < maxHeld &&
			this.#released.size < maxHeld &&
			this.#hasRoom(this.#addressOf(request));
		return isHeld ? message : undefined;
	}

	/** Sends a browser to the page of its request. It sends the request again after the release. */
	#showRequest(request: WireRequest, message: Message<WireRequest>): WireResponse {
		const id = this.#add(request, message, true, ({ action, changes = {} }) => {
			if (action === 'drop') return {};
			const changed = message.change(changes);
			const isForm = request.method === 'POST';
			this.#released.set(isForm ? id : changed.target, {
				address: this.#addressOf(request),
				request: changed,
				note: noteOf(changes),
				until: this.#options.now() + returnPeriod,
				times: action === 'duplicate' ? 2 : 1
			});
			return isForm ? { location: `${message.target}?released=${id}`, is_form: true } : { location: changed.target };
		});
		return this.#pageOf(id);
	}

	#showResponse(request: WireRequest, message: Message<WireResponse>): WireResponse {
		const id = this.#add(request, message, true, ({ action, changes = {} }) => {
			const location = headerValue(message.change(changes).headers, 'location');
			return action === 'drop' || location === undefined ? {} : { location };
		});
		// The cookies of the response are due at once.
		const page = this.#pageOf(id);
		return { ...page, headers: [...page.headers, ...cookiesOf(message.change({}))] };
	}

	#pageOf(id: string): WireResponse {
		const location = `${this.#baseUrl}/pause?message=${id}`;
		return { kind: 'response', status: 303, headers: ['Location', location, 'Cache-Control', 'no-store'], body: '' };
	}

	/** The decision about a message whose client waits for the response. It continues unchanged without a decision in time. */
	async #wait(request: WireRequest, message: Message<unknown>): Promise<HeldDecision> {
		let decision: HeldDecision | undefined;
		let decided: () => void = () => undefined;
		const isDecided = new Promise<void>((resolve) => (decided = resolve));
		const id = this.#add(request, message, false, (made) => {
			decision = made;
			decided();
			return {};
		});
		const { now, sleep } = this.#options;
		const until = now() + maxHoldSeconds * 1000;
		const isHeld = () =>
			decision === undefined &&
			now() < until &&
			now() - this.#renewed < attention &&
			this.#points.includes(message.point);
		while (isHeld()) await Promise.race([isDecided, sleep(interval)]);
		this.#held.delete(id);
		return decision ?? { action: 'release' };
	}

	#add(
		request: WireRequest,
		{ point, target, client_id, parameters }: Message<unknown>,
		is_navigation: boolean,
		decide: Held['decide']
	): string {
		const id = base64url(this.#options.random(12));
		const until = this.#options.now() + maxHoldSeconds * 1000;
		const { method } = request;
		const view = { id, point, method, target, client_id, parameters: [...parameters], until, is_navigation };
		this.#held.set(id, { address: this.#addressOf(request), view, decide });
		return id;
	}

	#addressOf({ peer, headers }: WireRequest): string {
		return readNetworkAddress(peer, headers, this.#options.trustedProxies ?? 0);
	}

	#takeReleased({ method, target }: WireRequest): Released | undefined {
		const key = method === 'POST' ? new URLSearchParams(readTarget(target).query).get('released') : target;
		const released = this.#released.get(key ?? '');
		if (released === undefined || key === null) return undefined;
		released.times--;
		if (released.times === 0) this.#released.delete(key);
		return released;
	}
}

/** What the trace of a released message says. */
function noteOf(changes: Readonly<Record<string, string | null>>): string {
	const names = Object.keys(changes).map((name) => (/^[\w-]{1,40}$/.test(name) ? name : 'a parameter'));
	return names.length === 0 ? 'Released unchanged' : `Changed while paused: ${names.join(', ')}`;
}

function cookiesOf({ headers }: WireResponse): string[] {
	return headerValues(headers, 'set-cookie').flatMap((value) => ['Set-Cookie', value]);
}
