/**
 * A generator of pseudorandom numbers (mulberry32): the same seed gives the same numbers everywhere.
 * @param seed 0 to 4,294,967,295
 * @returns a function whose results are at least 0 and less than 1
 */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
