import * as v from 'valibot';
import { text } from '../control/fields.ts';
import { sanitizeText } from '#lib/plain-text.ts';

/** One line of text for display, without invisible characters. */
export const plainText = (most: number) =>
	v.pipe(
		text(most),
		v.check(
			(line) => sanitizeText(line, most) === line,
			'Remove line breaks, invisible and direction-changing characters.'
		),
		v.check((line) => line.trim() === line, 'Remove the spaces at the start and the end.')
	);

/** A text of several lines for display. */
const plainLines = v.pipe(
	v.string(),
	v.check(
		(all) => all.split('\n').every((line) => sanitizeText(line, all.length + 1) === line),
		'Remove invisible and direction-changing characters.'
	)
);

/** A list with a limit. */
export const listOf = <T extends v.GenericSchema>(item: T, most: number, what: string) =>
	v.pipe(v.array(item, 'Use a list.'), v.maxLength(most, `A world can have at most ${most} ${what}.`));

/** A value of a character: what both JSON and XML can carry. */
export type FieldValue = string | number | boolean | FieldValue[] | { [name: string]: FieldValue };

/** The name of a field, which is also the name of an XML element. */
export const fieldName = v.pipe(
	v.string(),
	v.regex(
		/^(?![Xx][Mm][Ll]|constructor$|prototype$)[A-Za-z][A-Za-z0-9_]{0,31}$/,
		'Name a field with 1 to 32 of the characters A-Z a-z 0-9 _, beginning with a letter but not with "xml".'
	)
);

/** Text, number, true or false, list or object. */
export const fieldValue: v.GenericSchema<FieldValue> = v.lazy(() =>
	v.union(
		[
			plainLines,
			v.pipe(v.number(), v.finite('Use a smaller number.')),
			v.boolean(),
			v.array(fieldValue),
			v.record(fieldName, fieldValue)
		],
		'Use a text, a number, true, false, a list or an object.'
	)
);

/** The deepest nesting of a field. */
const maxDepth = 6;

/**
 * Whether a value is nested less deep than this. A deeper one could exhaust the stack of what reads it.
 * @param most entries of each list and object
 */
export function isShallow(value: unknown, depth: number, most = Infinity): boolean {
	if (typeof value !== 'object' || value === null) return true;
	const parts = Object.values(value);
	return depth > 0 && parts.length <= most && parts.every((part) => isShallow(part, depth - 1, most));
}

/** The fields of a character by name, in the order of responses. */
export const characterFields = v.pipe(
	v.custom<Record<string, unknown>>(
		(fields) => isShallow(fields, maxDepth),
		`Fields can be nested ${maxDepth - 1} levels deep.`
	),
	v.record(fieldName, fieldValue, 'Use an object with the fields.'),
	v.maxEntries(32, 'A character can have at most 32 fields.'),
	v.check((fields) => !('name' in fields), 'The field "name" is beside "fields", not in it.')
);

/** A secret: the text, or where a server reads it at its start. */
export const secret = v.union(
	[
		text(256),
		v.strictObject({ env: v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,99}$/)) }),
		v.strictObject({ file: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)) })
	],
	'Use a text of at most 256 characters, {"env": "NAME"} or {"file": "PATH"}.'
);
