import { base64url } from '#client/oauth/authorization-request.ts';

/** Values that look random, and are the same ones for the same seed. A lab is simulated: nothing depends on them being secret. */
export type SeededRandom = {
	readonly bytes: (count: number) => Uint8Array;
	/** As many random bytes as a text. Default: 32. */
	readonly text: (count?: number) => string;
};

/** @param seed a whole number. @param name of who uses it: each has separate values */
export function seededRandom(seed: number, name: string): SeededRandom {
	let state = [...name].reduce((hash, letter) => Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193), seed | 0);
	/** Mulberry32. */
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return (mixed ^ (mixed >>> 14)) & 0xff;
	};
	const bytes = (count: number) => Uint8Array.from({ length: count }, next);
	return { bytes, text: (count = 32) => base64url(bytes(count)) };
}
