import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { createService } from '#service/create-service.ts';
import { base64url } from '#service/encoding.ts';
import type { Service, ServiceOptions } from '#service/service.ts';

/** What only its owner can say about a service; the rest is lent by what browsers and Node have in common. */
export type WebServiceOptions = Pick<ServiceOptions, 'origin' | 'store'> & Partial<ServiceOptions>;

/** scrypt as the service wants it, in JavaScript; other work goes on every 50 ms. */
export const scrypt: ServiceOptions['scrypt'] = (password, salt) =>
	scryptAsync(password, salt, { N: 2 ** 14, r: 8, p: 1, dkLen: 32, asyncTick: 50 });

/**
 * Makes a service that runs wherever there is JavaScript: digests by @noble/hashes, which needs no secure context and no
 * waiting, randomness by `crypto.getRandomValues`, the machine's clock. Its owner calls `purge` now and then.
 */
export function createWebService(options: WebServiceOptions): Service {
	const encoder = new TextEncoder();
	return createService({
		now: () => Date.now(),
		timer: () => performance.now(),
		random: (count) => crypto.getRandomValues(new Uint8Array(count)),
		digest: (text) => base64url(sha256(encoder.encode(text))),
		scrypt,
		sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
		...options
	});
}
