/** Values with fewer random bits can be guessed. */
const enoughBits = 40;

/** How many bits a character of these values has at most. */
function bitsOf(values: readonly string[]): number {
	const text = values.join('');
	return /^\d*$/.test(text) ? Math.log2(10) : /^[\da-f-]*$/i.test(text) ? 4 : 6;
}

/** What values share that follow each other, place by place, is not random. */
const differences = (one: string, other: string): number =>
	[...other].filter((sign, at) => sign !== one[at]).length + Math.max(0, one.length - other.length);

/** Whether one of the values of several sign-ins follows from the one before. @param values oldest first, all different */
export function canBeGuessed(values: readonly string[]): boolean {
	return values.slice(1).some((value, at) => differences(values[at] ?? '', value) * bitsOf(values) < enoughBits);
}

/** Whether two of the values are equal. */
export const hasRepeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;
