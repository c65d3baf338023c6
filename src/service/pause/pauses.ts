import type { HeldContinuation, HeldDecision } from '#api/control/pause.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ServiceOptions } from '../core/options.ts';
import { Pause, type PauseOptions } from './pause.ts';

/** Sandboxes that hold messages, and messages that are held, in all of a server. */
const maxSandboxes = 200;
const maxHeldInAll = 500;
/** Messages of one network address that are held, in all of a server. */
const maxHeldOfAddress = 200;

type Options = PauseOptions & Pick<ServiceOptions, 'hasOtherServers'>;

/** The sandboxes that hold messages. They are kept in memory only, since messages contain secrets. */
export class Pauses {
	readonly #bySandbox = new Map<string, Pause>();
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
		this.#bySandbox.delete(sandbox);
		return undefined;
	}

	/**
	 * Holds the messages of a sandbox from now on, or no longer.
	 * @param sandbox its id, `root` for the root
	 * @param baseUrl of the sandbox, without a trailing slash
	 * @param points none: clients that wait for a response get it. Absent: those of before
	 * @throws ProtocolError `limit_reached`, or `conflict` where several servers are one service
	 */
	set(sandbox: string, baseUrl: string, points = this.find(sandbox)?.view.points ?? []): Pause {
		if (this.#options.hasOtherServers === true && points.length > 0)
			throw new ProtocolError(
				'conflict',
				'Several servers can share the store of this service, and only one of them would hold messages. Use a server with STORE=disk or STORE=memory.'
			);
		const known = this.find(sandbox);
		if (known === undefined && points.length === 0) return this.#create(baseUrl);
		if (known === undefined && this.#live().length >= maxSandboxes)
			throw new ProtocolError(
				'limit_reached',
				'This server holds messages of too many sandboxes. Try again in five minutes.'
			);
		const pause = known ?? this.#create(baseUrl);
		this.#bySandbox.set(sandbox, pause);
		pause.renew(points);
		return pause;
	}

	/** Holds nothing of a sandbox any more, because its records were replaced. Clients that wait get their responses. */
	end(sandbox: string): void {
		this.find(sandbox)?.renew([]);
		this.#bySandbox.delete(sandbox);
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

	#create(baseUrl: string): Pause {
		const sum = (count: (pause: Pause) => number) => this.#live().reduce((total, pause) => total + count(pause), 0);
		return new Pause(
			this.#options,
			baseUrl,
			(address) => sum(({ size }) => size) < maxHeldInAll && sum((pause) => pause.sizeOf(address)) < maxHeldOfAddress
		);
	}

	#live(): readonly Pause[] {
		for (const sandbox of [...this.#bySandbox.keys()]) this.find(sandbox);
		return [...this.#bySandbox.values()];
	}
}
