import * as v from 'valibot';
import { declare } from '../declare.ts';
import { kindLimits } from '../world/record-values.ts';
import { limitHeaders, tokenErrors } from './rate-limits.ts';

const recordFields = { id: v.string() };

/** A record of a kind. The kind declares its other fields. */
export const record = v.looseObject(recordFields);

/** The fields of a new record. */
export const newRecord = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** A page of records, newest first. */
export const recordPage = v.object({
	page: count,
	per_page: count,
	/** How many records the filters select. */
	total: count,
	items: v.array(record)
});

const errors = {
	...tokenErrors,
	403: 'The access token does not have the scope `<kind>_read`, or has no user.',
	404: 'The world has no such kind.'
} as const;

/** The kinds of resources that a world declares. A world without kinds has none of these endpoints. */
export const recordEndpoints = declare({
	'GET /ws/v2.0/{record_kind}': {
		id: 'listRecords',
		tag: 'Resources',
		access: 'access token',
		logName: 'records',
		summary: 'List records',
		description: `Returns the records of the signed-in account, newest first. Needs \`<kind>_read\`. A parameter with the name of a field selects the records with exactly this value. \`Link\` has the pages before and after (RFC 8288).`,
		query: v.object({ page: v.optional(v.string()), per_page: v.optional(v.string()) }),
		responses: {
			200: { description: 'One page.', json: recordPage, xml: 'records', headers: [...limitHeaders, 'Link'] }
		},
		errors: { ...errors, 400: tokenErrors[400] }
	},
	'POST /ws/v2.0/{record_kind}': {
		id: 'createRecord',
		tag: 'Resources',
		access: 'access token',
		logName: 'records',
		summary: 'Create a record',
		description: `Adds a record for the signed-in account. Needs \`<kind>_write\`. The body is a JSON object with the fields, of at most ${kindLimits.body / 1024} KiB. A reset of the sandbox removes the record.`,
		body: { schema: newRecord, isUnchecked: true },
		responses: {
			201: {
				description: 'The record, with the values that the service set.',
				json: record,
				xml: 'record',
				headers: [...limitHeaders, 'Location']
			}
		},
		errors: {
			...errors,
			403: 'The access token does not have the scope `<kind>_write`, or has no user.',
			405: 'The world declares no permission that writes this kind.',
			409: `The account has ${kindLimits.list} records of this kind.`,
			413: 'The body is too long.',
			415: 'The body is not JSON.'
		}
	},
	'GET /ws/v2.0/{record_kind}/{record_id}': {
		id: 'readRecord',
		tag: 'Resources',
		access: 'access token',
		logName: 'records',
		summary: 'Read a record',
		description: 'Needs `<kind>_read`. A record of another account gets the same 404 as one that does not exist.',
		responses: { 200: { description: 'The record.', json: record, xml: 'record', headers: limitHeaders } },
		errors: { ...errors, 404: 'The signed-in account has no such record, or the world has no such kind.' }
	}
});

export type RecordPage = v.InferOutput<typeof recordPage>;
