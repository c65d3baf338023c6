import type { WireRequest, WireResult } from '#api/message.ts';
import { base64url } from '../core/encoding.ts';
import type { ServiceOptions } from '../core/options.ts';
import { readTarget } from '../core/target.ts';
import { changeQuery } from './held-parameters.ts';
import { pathOf, type Handle } from './messages.ts';
import type { Place } from './places.ts';

/** How long a browser may take to send its request again after the release, in milliseconds. */
const period = 60_000;
/** The parameter that names the released request. Its value is random. */
const parameter = 'released';

/** A request that a browser sends again after its release. */
type Released = Place & {
	readonly method: string;
	/** Where it is sent, with the changes of the release. */
	readonly target: string;
	/** Responds to the request that the browser sends. */
	readonly respond: (sent: WireRequest, handle: Handle) => Promise<WireResult>;
	/** How often it is handled. */
	readonly times: number;
};

/** The released requests of one sandbox that browsers send again. */
export class ReleasedRequests {
	readonly #options: Pick<ServiceOptions, 'now' | 'random'>;
	readonly #released = new Map<string, Released & { readonly until: number }>();

	constructor(options: Pick<ServiceOptions, 'now' | 'random'>) {
		this.#options = options;
	}

	/** Those that are still expected, oldest first. */
	get kept(): readonly (readonly [id: string, place: Place])[] {
		const now = this.#options.now();
		for (const [id, { until }] of this.#released) if (until <= now) this.#released.delete(id);
		return [...this.#released];
	}

	/** Returns the target that the browser continues to. */
	add(released: Released): string {
		const id = base64url(this.#options.random(12));
		this.#released.set(id, { ...released, until: this.#options.now() + period });
		return changeQuery(released.target, { [parameter]: id });
	}

	delete(id: string): void {
		this.#released.delete(id);
	}

	/** The released request that a browser sends again, with its method and to its path only. */
	take(sent: WireRequest): Pick<Released, 'respond'> | undefined {
		const id = new URLSearchParams(readTarget(sent.target).query).get(parameter) ?? '';
		const released = this.#released.get(id);
		if (released === undefined || released.until <= this.#options.now()) return undefined;
		const { method, target, times } = released;
		if (sent.method !== method || pathOf(sent.target) !== pathOf(target)) return undefined;
		if (times > 1) this.#released.set(id, { ...released, times: times - 1 });
		else this.#released.delete(id);
		return released;
	}
}
