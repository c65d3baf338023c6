import { sha256 } from '@noble/hashes/sha2.js';

/** Replaces scrypt, which takes a tenth of a second. `node-service.test.ts` tests scrypt. */
export function fastScrypt(password: string, salt: Uint8Array): Promise<Uint8Array> {
	return Promise.resolve(sha256(new TextEncoder().encode(`${password} ${salt.join()}`)));
}
