import * as v from 'valibot';
import { username, whole } from '../control/fields.ts';
import { fieldTypes, kindLimits } from './record-values.ts';
import { fieldName, listOf, plainText } from './world-fields.ts';

/** Names that other paths, limits and parameters have. */
const reservedKinds = ['character', 'ratelimits', 'ratelimiting', 'concurrent'];
const reservedFields = ['id', 'page', 'per_page', 'access_token'];

/** A value of a record. A date is a text: `2026-03-31`. */
const recordValue = v.union(
	[v.string(), v.pipe(v.number(), v.finite()), v.boolean()],
	'Use a text, a number, true or false.'
);

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
