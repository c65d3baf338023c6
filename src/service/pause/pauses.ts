import type { HeldContinuation, HeldDecision, PausePoint } from '#api/control/pause.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Pause, type PauseOptions } from './pause.ts';
import { findVictim } from './places.ts';

/** Sandboxes that hold messages, and messages that are held, in all of a server. Those of seats have their own places. */
const maxSandboxes = 200;
const maxHeldInAll = 500;

type Options = PauseOptions & Pick<ServiceOptions, 'hasOtherServers'>;

/** The sandboxes that hold messages. They are kept in memory only, since messages contain secrets. */
export class Pauses {
	readonly #bySandbox = new Map<string, Pause>();
	/** The sandboxes of seats among them. A class has one address, so the limits of one address do not count for it. */
	readonly #seats = new Set<string>();
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
	}

	/**
	 * The held messages of a sandbox; undefined if it holds none.
	 * @param sandbox its id, `root` for the root
	 */
	find(sandbox: string): Pause | undefined {
		const pause = this.#bySandbox.get(sandbox);
		if (pause === undefined || !pause.isOver) return pause;
		this.#forget(sandbox);
		return undefined;
	}

	/**
	 * Holds the messages of a sandbox from now on, or no longer.
	 * @param address that asks for it
	 * @param points none: clients that wait for a response get it. Absent: those of before
	 * @throws ProtocolError `limit_reached`, or `conflict` where several servers are one service
	 */
	set(sandbox: Sandbox, address: string, points?: readonly PausePoint[]): Pause {
		const { id, base_url, seat } = sandbox;
		const known = this.find(id);
		if (this.#options.hasOtherServers === true && (points ?? known?.view.points ?? []).length > 0)
			throw new ProtocolError(
				'conflict',
				'Several servers can share the store of this service, and only one of them would hold messages. Use a server with STORE=disk or STORE=memory.'
			);
		const pause = known ?? this.#create(base_url, seat !== undefined);
		if (known === undefined && (points ?? []).length === 0) return pause;
		if (known === undefined && seat === undefined) this.#makeRoom(address);
		this.#bySandbox.set(id, pause);
		if (seat !== undefined) this.#seats.add(id);
		pause.renew(points, address);
		return pause;
	}

	/** Holds nothing of a sandbox any more, because its records were replaced. Clients that wait get their responses. */
	end(sandbox: string): void {
		this.find(sandbox)?.renew([], '');
		this.#forget(sandbox);
	}

	/**
	 * Decides about a held message.
	 * @throws ProtocolError `not_found` if it is not held any more
	 */
	decide(sandbox: string, id: string, decision: HeldDecision): HeldContinuation {
		const continuation = this.find(sandbox)?.decide(id, decision);
		if (continuation !== undefined) return continuation;
		throw new ProtocolError('not_found', 'This message is not held any more. It continued unchanged.');
	}

	#create(baseUrl: string, isSeat: boolean): Pause {
		return new Pause(this.#options, baseUrl, (address) => isSeat || this.#hasRoom(address));
	}

	/** Whether another message of an address can be held. Where all places are taken, the address with the most loses its oldest. */
	#hasRoom(address: string): boolean {
		const live = this.#live().map(([, pause]) => pause);
		const places = live.flatMap(({ kept }) => kept);
		if (places.length < maxHeldInAll) return true;
		const victim = findVictim(places, address);
		if (victim === undefined) return false;
		for (const pause of live) pause.pass(victim);
		return true;
	}

	/**
	 * Makes room for another sandbox. Where all places are taken, the address with the most loses the sandbox that it renewed first.
	 * @throws ProtocolError `limit_reached`
	 */
	#makeRoom(address: string): void {
		const live = this.#live();
		if (live.length < maxSandboxes) return;
		live.sort(([, one], [, other]) => one.renewed - other.renewed);
		const victim = findVictim(
			live.map(([id, pause]) => [id, { owner: pause.address }]),
			address
		);
		if (victim === undefined)
			throw new ProtocolError(
				'limit_reached',
				'This server holds messages of too many sandboxes. Try again in five minutes.'
			);
		this.end(victim);
	}

	/** All but those of seats. */
	#live(): [id: string, pause: Pause][] {
		for (const sandbox of [...this.#bySandbox.keys()]) this.find(sandbox);
		return [...this.#bySandbox].filter(([id]) => !this.#seats.has(id));
	}

	#forget(sandbox: string): void {
		this.#bySandbox.delete(sandbox);
		this.#seats.delete(sandbox);
	}
}
