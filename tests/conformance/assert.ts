/** What a case finds wrong. */
export class AssertionFailure extends Error {
	override name = 'AssertionFailure';
}

/** Holds two plain values to be equal, deeply. */
export function equal(actual: unknown, expected: unknown, what = 'value'): void {
	const [is, should] = [written(actual), written(expected)];
	if (is !== should) throw new AssertionFailure(`${what}: ${is}, should be ${should}`);
}

/** Holds a text to match a pattern or to contain a text. */
export function matches(actual: string | undefined, pattern: RegExp | string, what = 'text'): void {
	const good = actual !== undefined && (typeof pattern === 'string' ? actual.includes(pattern) : pattern.test(actual));
	if (!good) throw new AssertionFailure(`${what}: ${written(actual)}, should match ${String(pattern)}`);
}

/** Holds a text not to contain another one. */
export function lacks(actual: string, part: string | RegExp, what = 'text'): void {
	const contained = typeof part === 'string' ? actual.includes(part) : part.test(actual);
	if (contained) throw new AssertionFailure(`${what} contains ${String(part)}: ${written(actual)}`);
}

/** Holds a statement to be true. */
export function ok(statement: boolean, what: string): void {
	if (!statement) throw new AssertionFailure(what);
}

/** The value, where there is one. */
export function defined<T>(value: T | undefined, what: string): T {
	if (value === undefined) throw new AssertionFailure(`${what} is missing`);
	return value;
}

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function written(value: unknown): string {
	const text = JSON.stringify(value, (_, one: unknown) => (one === undefined ? '(undefined)' : one));
	return text.length > 1500 ? `${text.slice(0, 1500)}…` : text;
}
