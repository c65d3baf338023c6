import * as v from 'valibot';
import { declare } from '../declare.ts';
import { kindLimits } from '../world/record-values.ts';
import { limitHeaders, tokenErrors } from './rate-limits.ts';
import { serverMetadata } from './standard.ts';

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

/** `GET /ws/v2.0/character/<name>`. The optional fields need a permission, and the character must belong to the user. */
export const character = v.object({
	name: v.string(),
	race: v.string(),
	class: v.string(),
	level: v.pipe(v.number(), v.integer()),
	guild: v.string(),
	location: v.optional(v.object({ region: v.string(), place: v.string() })),
	inventory: v.optional(v.array(v.string())),
	credits: v.optional(v.pipe(v.number(), v.integer())),
	/** A long text. Only the test card `Test Long` has one. */
	biography: v.optional(v.string())
});

export const characterEndpoints = declare({
	'GET /ws/v2.0/character/{+character_name}': {
		id: 'character',
		tag: 'Resources',
		access: 'access token',
		summary: 'Read a character',
		description: 'Needs `character_read`. Fields that another permission opens need that permission.',
		responses: { 200: { description: 'The character.', json: character, xml: 'character', headers: limitHeaders } },
		errors: {
			...tokenErrors,
			403: 'The access token does not have the scope `character_read`.',
			404: 'No character has this name.'
		}
	}
});

/** A message of JSON-RPC 2.0. */
export const agentMessage = v.looseObject({ jsonrpc: v.literal('2.0') });

/** The server of the Model Context Protocol, which agents connect to. */
export const agentEndpoints = declare({
	'POST /mcp': {
		id: 'sendAgentMessage',
		tag: 'Resources',
		dialect: 'standard',
		access: 'access token',
		summary: 'Send a message of an agent',
		description:
			'A server of the Model Context Protocol with three tools that read characters, in the revision 2026-07-28 and those before it. The access token must name this URL as its resource (RFC 8707). One tool needs another scope than the others.',
		body: {
			schema: agentMessage,
			isUnchecked: true,
			example: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
		},
		responses: {
			200: { description: 'The response of the server.', json: agentMessage, headers: limitHeaders },
			202: { description: 'The notification was received.', headers: limitHeaders }
		},
		errors: {
			...tokenErrors,
			400: 'The body is no message of the protocol.',
			403: 'The access token does not have the scope of this tool, or the page that sent the message belongs to no client.',
			404: 'This Tollgate runs without a server.',
			413: 'The message is too long.'
		}
	},
	'GET /.well-known/oauth-authorization-server/moved': {
		id: 'readMovedMetadata',
		tag: 'Authorization',
		dialect: 'standard',
		logName: 'oauth-authorization-server',
		summary: 'Read the metadata of the moved server',
		description: 'The metadata with another issuer, while the setting `agent_fault` is `moved_server`.',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: serverMetadata } },
		errors: { 404: 'The server has not moved.' }
	}
});
