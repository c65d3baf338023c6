import fc from 'fast-check';

const surrogates = 0x800;
const firstSurrogate = 0xd800;

/** Any code point but the surrogates. fast-check's own unit `binary` has the same ones, and takes seconds to list them. */
export const codePoint: fc.Arbitrary<string> = fc
	.integer({ min: 0, max: 0x10ffff - surrogates })
	.map((number) => String.fromCodePoint(number < firstSurrogate ? number : number + surrogates));
