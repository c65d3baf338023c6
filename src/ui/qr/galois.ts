/** Powers of the generator in the field of 256 elements with the polynomial 0x11d, and their logarithms (ISO/IEC 18004, 7.5.2). */
const powers: number[] = [];
const logarithms: number[] = [];

for (let exponent = 0, value = 1; exponent < 255; exponent++) {
	powers.push(value);
	logarithms[value] = exponent;
	value = value << 1 > 255 ? (value << 1) ^ 0x11d : value << 1;
}

const power = (exponent: number) => powers[exponent % 255] ?? 1;

function multiply(one: number, other: number): number {
	return one === 0 || other === 0 ? 0 : power((logarithms[one] ?? 0) + (logarithms[other] ?? 0));
}

/** The generator polynomial with so many coefficients besides the first. */
function generator(count: number): number[] {
	let polynomial = [1];
	for (let root = 0; root < count; root++) {
		const next = [...polynomial, 0];
		polynomial.forEach((coefficient, at) => (next[at + 1] = (next[at + 1] ?? 0) ^ multiply(coefficient, power(root))));
		polynomial = next;
	}
	return polynomial;
}

/**
 * The error correction codewords of a block (Reed-Solomon).
 * @param count how many
 */
export function correctionOf(block: readonly number[], count: number): number[] {
	const divisor = generator(count);
	const rest = [...block, ...Array.from({ length: count }, () => 0)];
	for (let at = 0; at < block.length; at++) {
		const factor = rest[at] ?? 0;
		if (factor !== 0)
			divisor.forEach((value, index) => (rest[at + index] = (rest[at + index] ?? 0) ^ multiply(value, factor)));
	}
	return rest.slice(block.length);
}
