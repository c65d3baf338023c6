import { seededRandom } from '#lib/seeded-random.ts';
import { base64url } from '#client/oauth/authorization-request.ts';

/** Values that look random, and are the same ones for the same seed. A lab is simulated: nothing depends on them being secret. */
export type LabRandom = {
	readonly bytes: (count: number) => Uint8Array;
	/** As many random bytes as a text. Default: 32. */
	readonly text: (count?: number) => string;
};

/** @param seed a whole number. @param name of who uses it: each has separate values */
export function labRandom(seed: number, name: string): LabRandom {
	const hash = [...name].reduce((sum, letter) => Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193), seed);
	const next = seededRandom(hash);
	const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256));
	return { bytes, text: (count = 32) => base64url(bytes(count)) };
}
