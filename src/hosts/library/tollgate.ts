import { recordLimits } from '#service/record-limits.ts';
import type { Service } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import { createWebService } from '../web-service.ts';

export { isServicePath } from '#service/service.ts';
export type { Service } from '#service/service.ts';
export type { WireResult, WireRequest, WireResponse, NoResponse, WireStream } from '#wire/message.ts';

/** What whoever runs a service in process may choose; each has a default. */
export type Options = {
	/** The base URL, without a trailing slash, path or query; `https://tollgate.test` where absent. */
	readonly origin?: string;
	/** The time, in milliseconds since 1970; the machine's where absent. The service asks it whenever it needs the time. */
	readonly clock?: () => number;
	/** The key that controls the service. Without one its control API is open: nobody else can reach it. */
	readonly adminKey?: string;
};

/** A service that knows where it stands. */
export type TollgateService = Service & { readonly origin: string };

/**
 * Makes the simulated service with the demo world in it, in this process and in memory: no network, nothing kept.
 * @throws TypeError for an `origin` that is none
 */
export function createService({ origin = 'https://tollgate.test', clock, adminKey }: Options = {}): TollgateService {
	if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
		throw new TypeError(`An origin has no path and no slash at its end: ${origin}`);
	}
	const service = createWebService({
		origin,
		store: createMemoryStore(recordLimits),
		...(clock === undefined ? {} : { now: clock }),
		...(adminKey === undefined ? {} : { adminKey })
	});
	return { ...service, origin };
}
