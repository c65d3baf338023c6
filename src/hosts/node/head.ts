import { encodeHeaderValue } from '../encode-header-value.ts';

/** Which headers a head still needs; a bit for each. */
const contentLength = 1;

/**
 * Makes the head of an answer: nothing in it can split or break the response (HT-11), and the security headers are added
 * where the service did not set them (HT-12).
 * @param security `[lower-case name, value]`
 */
export function headWriter(security: readonly (readonly [name: string, value: string])[]) {
	const bits = new Map<string, number>([['content-length', contentLength]]);
	security.forEach(([name], index) => bits.set(name, 2 << index));
	const all = (4 << (security.length - 1)) - 1;

	/**
	 * @param headers flat, as the service gave them
	 * @param length of the body in bytes; undefined where there is none to name
	 */
	return (headers: readonly string[], length: number | undefined): string[] => {
		const head: string[] = [];
		let missing = all;
		for (let at = 0; at + 1 < headers.length; at += 2) {
			const name = headers[at] ?? '';
			const value = headers[at + 1] ?? '';
			missing &= ~bitOf(bits, name);
			head.push(name, encodeHeaderValue(value));
		}
		if ((missing & contentLength) !== 0 && length !== undefined) head.push('content-length', String(length));
		if (missing > contentLength) {
			security.forEach(([name, value], index) => {
				if ((missing & (2 << index)) !== 0) head.push(name, value);
			});
		}
		return head;
	};
}

function bitOf(bits: Map<string, number>, name: string): number {
	const known = bits.get(name);
	if (known !== undefined) return known;
	const bit = bits.get(name.toLowerCase()) ?? 0;
	// The service's header names are few and fixed; the cap is against a name made from input.
	if (bits.size < 200) bits.set(name, bit);
	return bit;
}
