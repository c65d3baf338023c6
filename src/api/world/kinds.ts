import * as v from 'valibot';
import { username, whole } from '../control/fields.ts';
import { sanitizeText } from '../plain-text.ts';
import { fieldName, listOf, plainText } from './world-fields.ts';

/** The most of each. `list`: records of one kind and account. `body`: bytes of a write. `page`: records of a page. */
export const kindLimits = {
	kinds: 8,
	fields: 16,
	values: 20,
	text: 200,
	records: 500,
	list: 200,
	body: 8192,
	page: 100
};

/** Names that other paths, limits and parameters have. */
const reservedKinds = ['character', 'ratelimits', 'ratelimiting', 'concurrent'];
const reservedFields = ['id', 'page', 'per_page', 'access_token'];

export const fieldTypes = ['text', 'integer', 'number', 'boolean', 'date'] as const;

/** A value of a record. A date is a text: `2026-03-31`. */
const recordValue = v.union(
	[v.string(), v.pipe(v.number(), v.finite()), v.boolean()],
	'Use a text, a number, true or false.'
);

export type RecordValue = v.InferOutput<typeof recordValue>;
export type RecordFields = Readonly<Record<string, RecordValue>>;

/** The fields of a record by name. */
export const recordFields = v.record(fieldName, recordValue, 'Use an object with the fields.');

/** A field of a kind. */
export const kindField = v.strictObject({
	type: v.picklist(fieldTypes, `Use one of ${fieldTypes.join(', ')}.`),
	label: v.exactOptional(plainText(40)),
	/** A write must have it. */
	required: v.exactOptional(v.boolean()),
	/** A write cannot have it. */
	read_only: v.exactOptional(v.boolean()),
	/** The only texts that it can be. */
	values: v.exactOptional(v.pipe(v.array(plainText(kindLimits.text)), v.minLength(1), v.maxLength(kindLimits.values))),
	/** What a write without it stores. */
	default: v.exactOptional(recordValue)
});

export type KindField = v.InferOutput<typeof kindField>;

const recordInFile = v.strictObject({
	id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/, 'Use 1 to 40 of the characters A-Z a-z 0-9 _ -.')),
	/** The account that it belongs to. */
	owner: username,
	fields: recordFields
});

const cost = v.exactOptional(whole(1, 1000));

/** A kind of resources beside the characters: `GET /ws/v2.0/<name>`, `GET /ws/v2.0/<name>/<id>` and `POST /ws/v2.0/<name>`. */
export const kindInFile = v.strictObject({
	/** The segment of its path, and the start of its permissions: `<name>_read`, `<name>_write`. */
	name: v.pipe(
		v.string(),
		v.regex(/^[a-z][a-z0-9_]{0,23}$/, 'Use 1 to 24 of the characters a-z 0-9 _, beginning with a letter.'),
		v.check((name) => !reservedKinds.includes(name), 'The service has this name itself. Choose another name.')
	),
	singular: plainText(30),
	plural: plainText(30),
	/** In the order of responses. */
	fields: v.pipe(
		v.record(fieldName, kindField, 'Use an object with the fields.'),
		v.minEntries(1, 'Declare at least one field.'),
		v.maxEntries(kindLimits.fields, `A kind can have at most ${kindLimits.fields} fields.`),
		v.check(
			(fields) => !reservedFields.some((name) => name in fields),
			`A field cannot be named ${reservedFields.join(', ')}.`
		)
	),
	/** Requests of an address in one window. Absent: 600 (specification, section 8.1). */
	limit: v.exactOptional(whole(1, 1_000_000)),
	/** How many requests one counts as. Absent: 1. */
	cost: v.exactOptional(v.strictObject({ list: cost, item: cost, write: cost })),
	records: v.exactOptional(listOf(recordInFile, kindLimits.records, 'records of a kind'))
});

/** Whether a value can be that of a field. */
export function isRecordValue(value: unknown): value is RecordValue {
	return v.is(recordValue, value);
}

/** The scope that reads records of a kind, or writes them. */
export function scopeOf(kind: string, action: 'read' | 'write'): string {
	return `${kind}_${action}`;
}

/** Why a value does not fit a field, as a sentence without its name. Undefined if it fits. */
export function valueMistake({ type, values }: Pick<KindField, 'type' | 'values'>, value: unknown): string | undefined {
	const isRight = {
		text: () => typeof value === 'string' && sanitizeText(value, kindLimits.text) === value,
		integer: () => Number.isSafeInteger(value),
		number: () => typeof value === 'number' && Number.isFinite(value),
		boolean: () => typeof value === 'boolean',
		date: () => typeof value === 'string' && isDate(value)
	}[type]();
	if (!isRight) return `Use ${typeTexts[type]}.`;
	return values === undefined || values.some((one) => one === value) ? undefined : `Use one of ${values.join(', ')}.`;
}

/** The value of a field in a query or a form. Undefined where the text is none. */
export function valueOfText({ type }: Pick<KindField, 'type'>, text: string): RecordValue | undefined {
	if (type === 'text' || type === 'date') return text;
	if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
	return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

const typeTexts: Readonly<Record<KindField['type'], string>> = {
	text: `one line of text with at most ${kindLimits.text} characters`,
	integer: 'a whole number',
	number: 'a number',
	boolean: 'true or false',
	date: 'a date such as 2026-03-31'
};

function isDate(text: string): boolean {
	const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
	return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
