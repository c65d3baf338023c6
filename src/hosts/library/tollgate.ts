import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Service } from '#service/service.ts';
import { describeOwn } from '#service/provider/providers.ts';
import { readWorld } from '#service/world/read-world.ts';
import { createMemoryStore } from '#store/memory.ts';
import { digest } from '../digest.ts';
import { createWebService } from '../web-service.ts';

export { isServicePath } from '#api/service-path.ts';
export type { Service } from '#service/service.ts';
export { WorldError } from '#service/world/world-mistakes.ts';
export type { WireResult, WireRequest, WireResponse, NoResponse, WireStream } from '#api/message.ts';

/** Options of a service that runs in this process. */
export type Options = {
	/** The base URL, without a trailing slash, path or query. Default: `https://tollgate.test`. */
	readonly origin?: string;
	/** The current time, in milliseconds since 1970. Default: the machine's clock. */
	readonly clock?: () => number;
	/** The key of the control API. Without it the control API is open, but only to this process. */
	readonly adminKey?: string;
	/** What a fresh sandbox is: the text of a world file, or its content. Default: the demo world. */
	readonly world?: string | object;
};

/** A service with its base URL. */
export type TollgateService = Service & { readonly origin: string };

/**
 * Creates the simulated service with the demo data, in this process and in memory.
 * @throws TypeError if `origin` is not an origin
 * @throws WorldError for the first mistake in `world`, with its place
 * @example
 * let now = Date.parse('2030-01-01');
 * const service = createService({ clock: () => now });
 * now += 7_200_000; // two hours later, all access tokens have expired
 */
export function createService({
	origin = 'https://tollgate.test',
	clock = Date.now,
	adminKey,
	world
}: Options = {}): TollgateService {
	if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
		throw new TypeError(`An origin has no path and no trailing slash: ${origin}`);
	}
	const read = world === undefined ? undefined : readWorld(world, { digest });
	// `handlers` and `simulateProviders` find it as `own`.
	if (read?.provider !== undefined) describeOwn(read.provider);
	const service = createWebService({
		origin,
		store: createMemoryStore(recordLimits),
		now: clock,
		adminKey,
		world: read
	});
	return { ...service, origin };
}
