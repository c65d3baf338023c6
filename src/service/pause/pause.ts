import {
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
import {
	type Handle,
	isBrowser,
	isOfScript,
	type Message,
	pathOf,
	type PauseLine,
	ReleasedRequests,
	replaceHeader,
	requestMessage,
	resend,
	responseMessage
} from './messages.ts';
import { findObstacle, type Place } from './places.ts';

/** How long messages are held after the last `set`, in milliseconds: a sign-in in the same tab takes a while. */
const period = 5 * 60_000;
/** How long clients wait for a response after the last `set`, in milliseconds: the page that decides may be closed. */
const attention = 20_000;
/** How often a waiting message is looked at, in milliseconds. */
const interval = 500;
export type PauseOptions = Pick<ServiceOptions, 'now' | 'random' | 'sleep' | 'trustedProxies'>;

/** A message that waits. */
type Held = Place & {
	readonly view: HeldMessage;
	readonly decide: (decision: HeldDecision) => HeldContinuation;
};

/** The messages of one sandbox that wait for a decision. */
export class Pause {
	readonly #options: PauseOptions;
	readonly #baseUrl: string;
	readonly #hasRoom: (address: string) => boolean;
	readonly #held = new Map<string, Held>();
	readonly #released: ReleasedRequests;
	#points: readonly PausePoint[] = [];
	#passed = 0;
	#passedBecause: string | undefined;
	#renewed = -Infinity;
	#address = '';

	/**
	 * @param baseUrl of the sandbox, without a trailing slash
	 * @param hasRoom whether the server holds another message of a network address
	 */
	constructor(options: PauseOptions, baseUrl: string, hasRoom: (address: string) => boolean) {
		this.#options = options;
		this.#baseUrl = baseUrl;
		this.#hasRoom = hasRoom;
		this.#released = new ReleasedRequests(options);
	}

	/** The network address that pauses the sandbox. */
	get address(): string {
		return this.#address;
	}

	/** When it last said so, in milliseconds. */
	get renewed(): number {
		return this.#renewed;
	}

	get isOver(): boolean {
		return this.#options.now() - this.#renewed > period;
	}

	/** The messages that are kept, oldest first: they wait, or were released for a browser that sends them again. */
	get kept(): readonly (readonly [id: string, place: Place])[] {
		this.#dropLate();
		return [...this.#released.kept, ...this.#held];
	}

	get view(): PauseView {
		this.#dropLate();
		return {
			points: [...this.#points],
			held: [...this.#held.values()].map(({ view }) => view),
			passed: this.#passed,
			...(this.#passedBecause !== undefined && { passed_because: this.#passedBecause })
		};
	}

	/** A browser that left the page of its message does not come back for it. */
	#dropLate(): void {
		const now = this.#options.now();
		for (const [id, { view }] of this.#held) if (view.until <= now) this.#held.delete(id);
	}

	/**
	 * Holds the messages at these points from now on.
	 * @param points absent: those of before
	 * @param address that pauses the sandbox. Its messages come first
	 */
	renew(points: readonly PausePoint[] | undefined, address: string): void {
		if (points !== undefined) [this.#points, this.#passed, this.#passedBecause] = [points, 0, undefined];
		this.#renewed = this.#options.now();
		this.#address = address;
	}

	/** Gives up a message, because another one takes its place. It continues unchanged if its client waits for the response. */
	pass(id: string): void {
		this.#released.delete(id);
		const held = this.#held.get(id);
		if (held === undefined) return;
		this.#held.delete(id);
		this.#countPassed('Another message took its place.');
		if (!held.view.is_navigation) held.decide({ action: 'release' });
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
		const released = this.#released.take(request);
		if (released !== undefined) return released.respond(request, handle);
		const message = this.#atPoint(requestMessage(request));
		if (message === undefined) return this.#respond(request, await handle(request));
		const obstacle = this.#obstacleTo(request, message);
		if (obstacle !== undefined)
			return this.#respond(request, await handle(request, { id: 'pause.not_held', detail: obstacle }));
		if (isBrowser(request)) return this.#showRequest(request, message);
		const { action, changes = {} } = await this.#wait(request, message);
		if (action === 'drop') return noResponse;
		const changed = message.change(changes);
		const result = await handle(changed, releasedLine(noteOf(changes)));
		if (action === 'duplicate') await handle(changed, releasedLine('Sent a second time while paused'));
		return this.#respond(request, result);
	}

	async #respond(request: WireRequest, result: WireResult): Promise<WireResult> {
		const message = this.#atPoint(responseMessage(request, result));
		if (message === undefined || this.#obstacleTo(request, message) !== undefined) return result;
		if (isBrowser(request)) return this.#showResponse(request, message);
		const { action, changes = {} } = await this.#wait(request, message);
		return action === 'drop' ? noResponse : message.change(changes);
	}

	#atPoint<T>(message: Message<T> | undefined): Message<T> | undefined {
		return message !== undefined && this.#points.includes(message.point) ? message : undefined;
	}

	/** Why a message cannot be held, as a sentence; undefined if it can. It counts as passed then. */
	#obstacleTo(request: WireRequest, message: Message<unknown>): string | undefined {
		const { bytes } = message;
		const adding = { owner: this.#addressOf(request), bytes, isOfScript: isOfScript(request) };
		const obstacle = findObstacle(adding, this.#address, this, this.#hasRoom);
		if (obstacle !== undefined) this.#countPassed(obstacle);
		return obstacle;
	}

	#countPassed(because: string): void {
		this.#passed++;
		this.#passedBecause = because;
	}

	/** Sends a browser to the page of its request. It sends the request again after the release. */
	#showRequest(request: WireRequest, message: Message<WireRequest>): WireResponse {
		const id = this.#add(request, message, true, ({ action, changes = {} }) => {
			if (action === 'drop') return {};
			const { method } = request;
			const { target } = message.change(changes);
			const location = this.#released.add({
				owner: this.#addressOf(request),
				bytes: message.bytes,
				isOfScript: false,
				method,
				target,
				respond: async (sent, handle) => {
					const resent = resend(request, sent);
					const changed = requestMessage(resent)?.change(changes) ?? resent;
					return this.#respond(sent, await handle(changed, releasedLine(noteOf(changes))));
				},
				times: action === 'duplicate' ? 2 : 1
			});
			return method === 'POST' ? { location, is_form: true } : { location };
		});
		return this.#pageOf(id);
	}

	#showResponse(request: WireRequest, message: Message<WireResponse>): WireResponse {
		const id = this.#add(request, message, true, ({ action, changes = {} }) => {
			if (action === 'drop') return {};
			const changed = message.change(changes);
			const location = headerValue(changed.headers, 'location');
			if (location !== undefined) return { location };
			// Its own policy allows the form, that of the page which decides does not. Its cookies were sent before.
			const shown = this.#released.add({
				owner: this.#addressOf(request),
				bytes: changed.body.length,
				isOfScript: false,
				method: 'GET',
				target: pathOf(request.target),
				respond: () => Promise.resolve({ ...changed, headers: replaceHeader(changed.headers, 'set-cookie', null) }),
				times: action === 'duplicate' ? 2 : 1
			});
			return { location: shown };
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
		{ point, target, client_id, parameters, response_mode, bytes }: Message<unknown>,
		is_navigation: boolean,
		decide: Held['decide']
	): string {
		const id = base64url(this.#options.random(12));
		const until = this.#options.now() + maxHoldSeconds * 1000;
		const { method } = request;
		const view = {
			id,
			point,
			method,
			target,
			client_id,
			parameters: [...parameters],
			response_mode,
			until,
			is_navigation
		};
		const owner = this.#addressOf(request);
		this.#held.set(id, { owner, bytes, isOfScript: isOfScript(request), view, decide });
		return id;
	}

	#addressOf({ peer, headers }: WireRequest): string {
		return readNetworkAddress(peer, headers, this.#options.trustedProxies ?? 0);
	}
}

function releasedLine(detail: string): PauseLine {
	return { id: 'pause.released', detail };
}

/** What the trace of a released message says. */
function noteOf(changes: Readonly<Record<string, string | null>>): string {
	const names = Object.keys(changes).map((name) => (/^[\w-]{1,40}$/.test(name) ? name : 'a parameter'));
	return names.length === 0 ? 'Released unchanged' : `Changed while paused: ${names.join(', ')}`;
}

function cookiesOf({ headers }: WireResponse): string[] {
	return headerValues(headers, 'set-cookie').flatMap((value) => ['Set-Cookie', value]);
}
