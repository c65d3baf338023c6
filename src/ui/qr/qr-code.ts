import { codewordsOf } from './codewords.ts';

/** The modules of a code, row by row. True: dark. */
export type Modules = readonly (readonly boolean[])[];
/** While it is drawn, the modules without a value are undefined. */
type Drawing = (boolean | undefined)[][];

/** Centers of the alignment patterns of versions 1 to 10. */
const alignment: readonly (readonly number[])[] = [
	[],
	[6, 18],
	[6, 22],
	[6, 26],
	[6, 30],
	[6, 34],
	[6, 22, 38],
	[6, 24, 42],
	[6, 26, 46],
	[6, 28, 50]
];

const masks: readonly ((row: number, column: number) => boolean)[] = [
	(row, column) => (row + column) % 2 === 0,
	(row) => row % 2 === 0,
	(_, column) => column % 3 === 0,
	(row, column) => (row + column) % 3 === 0,
	(row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0,
	(row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
	(row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0,
	(row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0
];

/**
 * The QR code of a text (ISO/IEC 18004), with error correction level M.
 * @throws RangeError if the text has more than 213 bytes of UTF-8
 */
export function qrCode(text: string): Modules {
	const { version, codewords } = codewordsOf(text);
	const fixed = fixedPatterns(version);
	const drawings = masks.map((isInverted, mask) => {
		const drawing = fixed.map((row) => [...row]);
		drawFormat(drawing, mask);
		drawData(drawing, fixed, codewords, isInverted);
		return drawing.map((row) => row.map((module) => module === true));
	});
	const penalties = drawings.map(penaltyOf);
	return drawings[penalties.indexOf(Math.min(...penalties))] ?? [];
}

/** Finder, timing and alignment patterns, the version, and the place of the format. */
function fixedPatterns(version: number): Drawing {
	const size = 17 + 4 * version;
	const drawing: Drawing = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
	for (let at = 8; at < size - 8; at++) {
		set(drawing, 6, at, at % 2 === 0);
		set(drawing, at, 6, at % 2 === 0);
	}
	for (const [row, column] of [
		[3, 3],
		[3, size - 4],
		[size - 4, 3]
	] as const)
		drawSquare(drawing, row, column, 4, (ring) => ring !== 2 && ring !== 4);
	const centers = alignment[version - 1] ?? [];
	const last = centers.at(-1);
	for (const row of centers)
		for (const column of centers) {
			const isFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
			if (!isFinder) drawSquare(drawing, row, column, 2, (ring) => ring !== 1);
		}
	drawFormat(drawing, 0);
	if (version >= 7) drawVersion(drawing, version);
	return drawing;
}

function set(drawing: Drawing, row: number, column: number, isDark: boolean): void {
	const line = drawing[row];
	if (line !== undefined && column >= 0 && column < line.length) line[column] = isDark;
}

function drawSquare(
	drawing: Drawing,
	row: number,
	column: number,
	radius: number,
	isDark: (ring: number) => boolean
): void {
	for (let down = -radius; down <= radius; down++)
		for (let right = -radius; right <= radius; right++)
			set(drawing, row + down, column + right, isDark(Math.max(Math.abs(down), Math.abs(right))));
}

/** The remainder of a division of polynomials over two elements. */
function remainder(value: number, divisor: number, bits: number): number {
	let rest = value;
	for (let at = 0; at < bits; at++) rest = (rest << 1) ^ ((rest >> (bits - 1)) * divisor);
	return rest & ((1 << bits) - 1);
}

/** Level M and the mask, twice (7.9). */
function drawFormat(drawing: Drawing, mask: number): void {
	const format = ((mask << 10) | remainder(mask, 0x537, 10)) ^ 0x5412;
	const size = drawing.length;
	for (let bit = 0; bit < 15; bit++) {
		const isDark = ((format >> bit) & 1) === 1;
		set(drawing, bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit, 8, isDark);
		set(drawing, 8, bit < 8 ? size - 1 - bit : bit === 8 ? 7 : 14 - bit, isDark);
	}
	set(drawing, size - 8, 8, true);
}

/** From version 7 on (7.10). */
function drawVersion(drawing: Drawing, version: number): void {
	const bits = (version << 12) | remainder(version, 0x1f25, 12);
	const size = drawing.length;
	for (let bit = 0; bit < 18; bit++) {
		const isDark = ((bits >> bit) & 1) === 1;
		const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)];
		set(drawing, near, far, isDark);
		set(drawing, far, near, isDark);
	}
}

/** In columns of two modules from the right, upwards and downwards in turn (7.7.3). */
function drawData(
	drawing: Drawing,
	fixed: Drawing,
	codewords: readonly number[],
	isInverted: (row: number, column: number) => boolean
): void {
	const size = drawing.length;
	let bit = 0;
	for (let right = size - 1, turn = 0; right > 0; right -= 2, turn++) {
		if (right === 6) right--;
		for (let step = 0; step < size; step++) {
			const row = turn % 2 === 0 ? size - 1 - step : step;
			for (const column of [right, right - 1]) {
				if (fixed[row]?.[column] !== undefined) continue;
				const isDark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
				bit++;
				set(drawing, row, column, isDark !== isInverted(row, column));
			}
		}
	}
}

/** How hard a code is to read: runs, blocks, patterns like a finder, and the share of dark modules (7.8.3). */
function penaltyOf(modules: Modules): number {
	const size = modules.length;
	const lines = [...modules, ...modules.map((_, column) => modules.map((row) => row[column] === true))];
	let penalty = 0;
	for (const line of lines) {
		const text = line.map((isDark) => (isDark ? '1' : '0')).join('');
		for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
		penalty += 40 * [...text.matchAll(/(?=10111010000|00001011101)/g)].length;
	}
	for (let row = 1; row < size; row++)
		for (let column = 1; column < size; column++) {
			const corner = modules[row]?.[column];
			const block = [modules[row]?.[column - 1], modules[row - 1]?.[column], modules[row - 1]?.[column - 1]];
			if (block.every((module) => module === corner)) penalty += 3;
		}
	const dark = modules.flat().filter((isDark) => isDark).length;
	return penalty + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}
