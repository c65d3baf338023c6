import {
	isRecordValue,
	kindLimits,
	scopeOf,
	valueMistake,
	valueOfText,
	type RecordFields,
	type RecordValue
} from '#api/world/record-values.ts';
import { validateAddressHeader } from '../address/client-address.ts';
import { allowOrigins } from '../checks/cors.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { limitConcurrency } from '../checks/concurrency.ts';
import { injectFault, injectRateLimit } from '../checks/faults.ts';
import { enforceRateLimit } from '../checks/rate-limit.ts';
import { check, endpoint } from '../core/runner.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { findKind, isWrite, recordIdOf } from '../core/kind-of-request.ts';
import { missingPermission } from '../core/resource-errors.ts';
import { requireRead, respondData, respondError } from '../core/responses.ts';
import type { RecordList } from '../sandbox/records.ts';
import { listKey } from '../world/validate-world.ts';
import type { Kind } from '../world/world.ts';
import { accessTokenChecks, ResourceContext } from './access-token.ts';

type Item = RecordList['items'][number];

/** What a request for a list selects. */
type Selection = {
	readonly page: number;
	readonly per_page: number;
	/** The values of fields, as sent. */
	readonly sent: readonly (readonly [field: string, text: string])[];
	readonly values: readonly (readonly [field: string, value: RecordValue])[];
};

class RecordsContext extends ResourceContext {
	/** The account whose records these are. Set by `records.scope_granted`. */
	owner!: string;
	/** Set by `records.query_valid`. */
	selection!: Selection;
	/** Set by `records.body_valid`. */
	fields!: RecordFields;

	get kind(): Kind {
		const kind = findKind(this);
		if (kind === undefined) throw new ProtocolError('not_found', 'The world has no such kind.');
		return kind;
	}
}

const kindOf = ({ kind }: RecordsContext): Kind => kind;

const checkMethod = check<RecordsContext>('records.method_allowed', (context) => {
	const isList = recordIdOf(context) === undefined;
	requireRead(context, ...(isList && context.kind.isWritable ? ['POST'] : []));
});

const checkPermission = check<RecordsContext>('records.scope_granted', (context) => {
	const { scopes, username } = context.accessToken;
	const { name, plural } = context.kind;
	const scope = scopeOf(name, isWrite(context) ? 'write' : 'read');
	if (username === undefined)
		throw missingPermission(
			context,
			scope,
			`The access token was issued to the application itself, but ${plural} belong to users. Send a user to the authorization endpoint, with the scope ${scope}.`,
			{ granted: scopes, cause: 'no_user' }
		);
	if (!scopes.includes(scope)) throw missingPermission(context, scope, undefined, { granted: scopes });
	context.owner = username;
	context.note(scopes.join(' '));
});

const readQuery = check<RecordsContext>('records.query_valid', (context) => {
	const query = new FormFields(context.query);
	const { fields } = context.kind;
	const known = ['page', 'per_page', ...Object.keys(fields)];
	const names = [...query.names()].filter((name) => name !== 'access_token');
	const unknown = names.find((name) => !known.includes(name));
	if (unknown !== undefined || query.exceedsLimit)
		throw invalid(unknown ?? 'query', `There is no such field. Filter by ${known.slice(2).join(', ')}.`);
	const broken = query.duplicated() ?? query.malformed();
	if (broken !== undefined) throw invalid(broken, 'The parameter occurs twice, or is badly encoded. Send it once.');
	const sent = names.flatMap((name) => (name in fields ? [[name, query.get(name) ?? ''] as const] : []));
	const values = sent.map(([name, text]) => [name, readFilter(context.kind, name, text)] as const);
	const page = readCount(query, 'page', 1, 10_000);
	context.selection = { page, per_page: readCount(query, 'per_page', 20, kindLimits.page), sent, values };
	context.note(sent.length === 0 ? 'No filter' : sent.map((pair) => pair.join('=')).join(', '));
});

const respondList = check<RecordsContext>('records.listed', async (context) => {
	const { kind, selection } = context;
	const { page, per_page, values } = selection;
	const found = (await itemsOf(context))
		.filter(({ fields }) => values.every(([name, value]) => fields[name] === value))
		.reverse();
	const items = found.slice((page - 1) * per_page, page * per_page).map(viewOf);
	context.note(`${items.length} of ${found.length} ${kind.plural} of ${context.owner}, page ${page}`);
	const total = found.length;
	const data = { page, per_page, total, items };
	return respondData(context, 200, 'records', data, [
		'Link',
		linksOf(context, Math.max(1, Math.ceil(total / per_page)))
	]);
});

const respondRecord = check<RecordsContext>('records.exists', async (context) => {
	const id = recordIdOf(context);
	const item = (await itemsOf(context)).find((one) => one.id === id);
	if (item === undefined)
		throw new ProtocolError('not_found', `The signed-in account has no ${context.kind.singular} with this id.`, {
			received: [(id ?? '').slice(0, 100)]
		});
	context.note(`${item.id} of ${context.owner}`);
	return respondData(context, 200, 'record', viewOf(item));
});

const readBody = check<RecordsContext>('records.body_valid', (context) => {
	const { kind, request, bodyText } = context;
	if (!/^application\/json\s*(?:;|$)/i.test(context.header('content-type') ?? ''))
		throw new ProtocolError('unsupported_media_type', 'Send the fields as JSON, with Content-Type: application/json.', {
			cause: 'not_json'
		});
	if (request.body.length > kindLimits.body)
		throw new ProtocolError('payload_too_large', `The body is too long. The limit is ${kindLimits.body / 1024} KiB.`, {
			cause: 'body_too_large'
		});
	const sent = parseObject(bodyText);
	if (sent === undefined)
		throw new ProtocolError('invalid_request', 'The body is not a JSON object. Example: {"name": "value"}.', {
			cause: 'not_json'
		});
	const fields: Record<string, RecordValue> = {};
	const writable = Object.keys(kind.fields).filter((name) => kind.fields[name]?.read_only !== true);
	const unknown = Object.keys(sent).find((name) => !writable.includes(name));
	if (unknown !== undefined)
		throw invalid(unknown, `A new ${kind.singular} cannot have this field. It has ${writable.join(', ')}.`);
	for (const [name, field] of Object.entries(kind.fields)) {
		const value = sent[name] ?? field.default;
		if (value === undefined || value === '') {
			if (field.required === true) throw invalid(name, 'The field is missing. Send it.');
			continue;
		}
		const mistake = valueMistake(field, value);
		if (mistake !== undefined || !isRecordValue(value)) throw invalid(name, mistake ?? 'Use another value.');
		fields[name] = value;
	}
	context.fields = fields;
	context.note(Object.keys(fields).join(', '));
});

const addRecord = check<RecordsContext>('records.created', async (context) => {
	const { kind, owner, fields, sandbox, options } = context;
	const item: Item = { id: base64url(options.random(9)), fields };
	const list = await context.store.update('record_list', listKey({ kind: kind.name, owner }), (known) => {
		const before = known?.items ?? [];
		if (before.length >= kindLimits.list) return known;
		return { kind: kind.name, owner, size: before.length + 1, items: [...before, item] };
	});
	if (list?.items.at(-1)?.id !== item.id)
		throw new ProtocolError(
			'limit_reached',
			`An account can have ${kindLimits.list} ${kind.plural}. Reset the sandbox to remove new ones.`,
			{ expected: [`at most ${kindLimits.list}`] }
		);
	context.note(`${item.id} of ${owner}`);
	return respondData(context, 201, 'record', viewOf(item), [
		'Location',
		`${sandbox.base_url}${pathOf(kind)}/${item.id}`
	]);
});

/** What all requests for records pass. */
const guards = [
	rejectBlacklisted,
	allowOrigins<RecordsContext>('GET, POST'),
	...injectRateLimit<RecordsContext>(kindOf),
	enforceRateLimit<RecordsContext>(kindOf),
	...limitConcurrency,
	...validateAddressHeader,
	injectFault,
	checkMethod,
	...accessTokenChecks,
	checkPermission
] as const;

/** The records of the signed-in account, `GET /ws/v2.0/<kind>`. */
export const listRecords = endpoint(RecordsContext, [...guards, readQuery, respondList], respondError);

/** One of them, `GET /ws/v2.0/<kind>/<id>`. */
export const readRecord = endpoint(RecordsContext, [...guards, respondRecord], respondError);

/** Adds one, `POST /ws/v2.0/<kind>`. */
export const createRecord = endpoint(RecordsContext, [...guards, readBody, addRecord], respondError);

/** Only those of the account, oldest first: nothing else of the store is read. */
async function itemsOf({ store, kind, owner }: RecordsContext): Promise<readonly Item[]> {
	return (await store.get('record_list', listKey({ kind: kind.name, owner })))?.items ?? [];
}

function viewOf({ id, fields }: Item): { readonly id: string } & RecordFields {
	return { id, ...fields };
}

function pathOf({ name }: Kind): string {
	return `/ws/v2.0/${name}`;
}

/** The pages of a list (RFC 8288). Only what was understood is repeated, so never an access token. */
function linksOf({ kind, sandbox, selection }: RecordsContext, last: number): string {
	const { page, per_page, sent } = selection;
	const filters = sent.map((pair) => `${pair.map(encodeURIComponent).join('=')}&`).join('');
	const pages = { first: 1, prev: page - 1, next: page + 1, last };
	return Object.entries(pages)
		.filter(([, number]) => number >= 1 && number <= last)
		.map(([rel, number]) => {
			const url = `${sandbox.base_url}${pathOf(kind)}?${filters}page=${number}&per_page=${per_page}`;
			return `<${url}>; rel="${rel}"`;
		})
		.join(', ');
}

function readFilter({ fields }: Kind, name: string, text: string): RecordValue {
	const field = fields[name];
	const value = field && valueOfText(field, text);
	const mistake = field && valueMistake({ type: field.type }, value);
	if (value === undefined || mistake !== undefined) throw invalid(name, mistake ?? 'Use another value.');
	return value;
}

function readCount(query: FormFields, name: string, fallback: number, most: number): number {
	if (!query.has(name)) return fallback;
	const count = Number(/^[1-9]\d{0,4}$/.exec(query.get(name) ?? '')?.[0] ?? 0);
	if (count >= 1 && count <= most) return count;
	throw invalid(name, `Use a whole number from 1 to ${most}.`);
}

function parseObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(text ?? '');
		return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}

function invalid(field: string, reason: string): ProtocolError {
	const name = field.slice(0, 40);
	return new ProtocolError('invalid_request', `${name}: ${reason}`, { field: name });
}
