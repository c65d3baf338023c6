import type { Context } from './context.ts';

/** What programs write where they have no value. */
const literals: ReadonlySet<string> = new Set([
	'undefined',
	'null',
	'None',
	'nil',
	'NaN',
	'[object Object]',
	'[object Promise]'
]);

/** Whether a client sent the name of nothing in place of a value. Such a text is no secret. */
export function isLiteralNothing(value: string): boolean {
	return literals.has(value);
}

/** The cause and the values of an error about a code or token that the service does not know, where its form tells the mistake. */
export function damageOf(value: string): {
	readonly cause?: 'literal_nothing' | 'blank_around';
	readonly received?: readonly string[];
	readonly expected?: readonly string[];
} {
	if (isLiteralNothing(value))
		return { cause: 'literal_nothing', received: [value], expected: ['a value that this service issued'] };
	return value.trim() === value ? {} : { cause: 'blank_around' };
}

/** Redacts a code or token that was sent, unless it is the name of nothing. Returns the value. @param name of its parameter */
export function redactCredential(context: Context, value: string, name: string): string {
	return isLiteralNothing(value) ? value : context.redact(value, name);
}
