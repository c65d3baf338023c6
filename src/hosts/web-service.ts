import { scryptAsync } from '@noble/hashes/scrypt.js';
import { assembleService } from '#service/assemble-service.ts';
import type { Service } from '#service/service.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { digest } from './digest.ts';

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

/**
 * Random bytes for a service. One call to the system fills a pool for hundreds of small requests, because a call for each of them
 * takes a fifth of the time of a refresh.
 * @returns gives `count` bytes, each of them once
 */
export function pooledRandom(): (count: number) => Uint8Array {
	const pool = new Uint8Array(8192);
	let at = pool.length;
	return (count) => {
		if (count > pool.length) return crypto.getRandomValues(new Uint8Array(count));
		if (at + count > pool.length) {
			crypto.getRandomValues(pool);
			at = 0;
		}
		const bytes = pool.slice(at, at + count);
		pool.fill(0, at, at + count);
		at += count;
		return bytes;
	};
}
