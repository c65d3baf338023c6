import { scryptAsync } from '@noble/hashes/scrypt.js';
import { assembleService } from '#service/assemble-service.ts';
import type { Service } from '#service/service.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { digest } from './digest.ts';
import { pooledRandom } from './pooled-random.ts';

/** What the caller chooses about a service. The defaults work in browsers and in Node. */
export type WebServiceOptions = Pick<ServiceOptions, 'origin' | 'store'> & Partial<ServiceOptions>;

/** scrypt in JavaScript. It lets other work run every 50 ms. */
export const scrypt: ServiceOptions['scrypt'] = (password, salt) =>
	scryptAsync(password, salt, { N: 2 ** 14, r: 8, p: 1, dkLen: 32, asyncTick: 50 });

/**
 * Creates a service that runs in browsers and in Node. Digests are by @noble/hashes, which is synchronous and needs no secure
 * context. The caller calls `purge` from time to time.
 */
export function createWebService(options: WebServiceOptions): Service {
	const complete: ServiceOptions = {
		now: () => Date.now(),
		timer: () => performance.now(),
		random: pooledRandom(),
		digest,
		scrypt,
		subtle: crypto.subtle,
		sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
		...options
	};
	return assembleService(complete);
}
