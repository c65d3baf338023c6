// Files of a worker share their globals: what the last test of a file replaced must not reach the next file.
import fc from 'fast-check';
import { afterEach, vi } from 'vitest';

// `npm test` gives the same result each time; the nightly run draws other values. Another run: TOLLGATE_SEED=7 npm test -- unit
fc.configureGlobal({ seed: Number(process.env.TOLLGATE_SEED ?? 20_000) });

/**
 * Makes RSA keys three times only, because each takes a quarter of a second: later calls get the three in turn, so two in a row differ.
 * @param {SubtleCrypto & { hasFewKeys?: true }} subtle
 */
function makeFewKeys(subtle) {
	if (subtle.hasFewKeys) return;
	const generate = subtle.generateKey.bind(subtle);
	/** @type {unknown[]} */
	const pairs = [];
	let next = 0;
	const few = (/** @type {Parameters<typeof generate>} */ ...args) => {
		const [algorithm] = args;
		if (typeof algorithm === 'string' || algorithm.name !== 'RSASSA-PKCS1-v1_5') return generate(...args);
		return (pairs[next++ % 3] ??= generate(...args));
	};
	Object.assign(subtle, { generateKey: few, hasFewKeys: true });
}
makeFewKeys(crypto.subtle);

afterEach(() => void vi.unstubAllGlobals());
