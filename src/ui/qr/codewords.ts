import { correctionOf } from './galois.ts';

/** Error correction level M of a version: codewords of correction in a block, and how many blocks have how many of data. */
type Version = { readonly correction: number; readonly blocks: readonly (readonly [count: number, data: number])[] };

/** Versions 1 to 10 (ISO/IEC 18004, table 9). */
const versions: readonly Version[] = [
	{ correction: 10, blocks: [[1, 16]] },
	{ correction: 16, blocks: [[1, 28]] },
	{ correction: 26, blocks: [[1, 44]] },
	{ correction: 18, blocks: [[2, 32]] },
	{ correction: 24, blocks: [[2, 43]] },
	{ correction: 16, blocks: [[4, 27]] },
	{ correction: 18, blocks: [[4, 31]] },
	{
		correction: 22,
		blocks: [
			[2, 38],
			[2, 39]
		]
	},
	{
		correction: 22,
		blocks: [
			[3, 36],
			[2, 37]
		]
	},
	{
		correction: 26,
		blocks: [
			[4, 43],
			[1, 44]
		]
	}
];

const dataOf = ({ blocks }: Version) => blocks.reduce((sum, [count, data]) => sum + count * data, 0);

/** The codewords of a text, and the version that holds them. */
export type Codewords = { readonly version: number; readonly codewords: readonly number[] };

/**
 * Encodes a text as bytes, with level M.
 * @throws RangeError if it has more than 213 bytes of UTF-8
 */
export function codewordsOf(text: string): Codewords {
	const bytes = new TextEncoder().encode(text);
	const at = versions.findIndex((version, index) => bytes.length + (index < 9 ? 2 : 3) <= dataOf(version));
	const version = versions[at];
	if (version === undefined) throw new RangeError('The text is too long for the code.');
	const bits: number[] = [];
	const add = (value: number, length: number) => {
		for (let bit = length - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
	};
	add(4, 4);
	add(bytes.length, at < 9 ? 8 : 16);
	for (const byte of bytes) add(byte, 8);
	add(0, 4);
	while (bits.length % 8 !== 0) bits.push(0);
	const data: number[] = [];
	for (let from = 0; from < bits.length; from += 8)
		data.push(bits.slice(from, from + 8).reduce((sum, bit) => 2 * sum + bit, 0));
	for (let padding = 0xec; data.length < dataOf(version); padding ^= 0xfd) data.push(padding);
	return { version: at + 1, codewords: interleave(data.slice(0, dataOf(version)), version) };
}

function interleave(data: readonly number[], { correction, blocks }: Version): number[] {
	const parts: number[][] = [];
	let from = 0;
	for (const [count, length] of blocks) {
		for (let block = 0; block < count; block++) {
			parts.push(data.slice(from, from + length));
			from += length;
		}
	}
	const corrections = parts.map((part) => correctionOf(part, correction));
	return [...columns(parts), ...columns(corrections)];
}

function columns(rows: readonly (readonly number[])[]): number[] {
	const longest = Math.max(...rows.map((row) => row.length));
	return Array.from({ length: longest }, (_, at) => rows.flatMap((row) => row[at] ?? [])).flat();
}
