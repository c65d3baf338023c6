import { capitalize } from '#client/words.ts';
import type { DialectName } from '#api/dialect.ts';
import { byKind, type GrantKind } from '#api/protocol/grant-types.ts';
import type { KindField } from '#api/world/kinds.ts';
import type { Kind, World } from '#client/world.ts';
import type { Parameter, RequestDraft } from './draft.ts';

/** What a sandbox has of a simulated provider for requests. */
export type BuilderProvider = {
	/** Below the base URL, for each kind of request that the provider has. */
	readonly paths: Partial<Record<RequestKind, string>>;
	/** What an example asks for. */
	readonly scope: string;
	/** Parameters that its authorization requests need besides, with their values. */
	readonly required: readonly (readonly [name: string, value: string])[];
	/** The ids of the mistakes that it rejects as the standards do. */
	readonly mistakes: readonly string[];
};

/** What a world calls its resources. `kind`: the one that requests for records are for. */
type ResourceNames = Pick<World, 'resource'> & {
	readonly kind?: Kind | undefined;
	/** The API of a provider is no resource of the world. */
	readonly provider?: BuilderProvider | undefined;
};

/** A kind of request that can be built. */
type KindRow = {
	/** Its name in a list. A function: of the resource or the kind of the world. */
	readonly label: string | ((names: ResourceNames) => string);
	/** Its name above a request. Absent: the label. */
	readonly title?: KindRow['label'];
	/** Whether a browser sends it as a navigation, which has no header of the page. */
	readonly isNavigation?: boolean;
	/** The only dialect that has it. Absent: all. */
	readonly dialect?: DialectName | undefined;
	/** A correct one, without the values of an application and of earlier responses. */
	readonly draft: RequestDraft;
};

type Row = readonly [name: string, value: string, isOn?: boolean];

/** Parameters of one place, as rows. */
export const rows = (place: Parameter['in'], list: readonly Row[]): Parameter[] =>
	list.map(([name, value, isOn = true]) => ({ in: place, name, value, isOn }));

const resourceName = ({ resource, provider }: ResourceNames) =>
	provider === undefined ? capitalize(resource.singular) : 'API';

const accept = rows('header', [['Accept', 'application/json']]);
const authorization = rows('header', [['Authorization', 'OAuth ']]);
const client: readonly Row[] = [
	['client_id', ''],
	['client_secret', '']
];

/**
 * The requests for the records of a kind, without a token. Its fields are filters of the list, and members of the body of a new one.
 * @param headers that they have
 */
export function recordDrafts(
	{ name, fields }: Pick<Kind, 'name' | 'fields'>,
	headers = [...authorization, ...accept]
): Record<'records' | 'record' | 'new_record', RequestDraft> {
	const path = pathOfRecords(name);
	const of = (place: Parameter['in'], isSent: (field: KindField) => boolean) =>
		Object.entries(fields)
			.filter(([, field]) => place === 'query' || field.read_only !== true)
			.map(([field, declared]): Parameter => {
				const value = String(declared.default ?? declared.values?.[0] ?? examples[declared.type]);
				const isTyped = declared.type !== 'text' && declared.type !== 'date';
				return { in: place, name: field, value, isOn: isSent(declared), ...(isTyped && { isTyped }) };
			});
	const pages = rows('query', [
		['page', '1', false],
		['per_page', '20', false]
	]);
	const read = { method: 'GET', bodyType: 'form' } as const;
	return {
		records: { ...read, path, parameters: [...pages, ...of('query', () => false), ...headers] },
		record: { ...read, path: `${path}/{record_id}`, parameters: [...rows('path', [['record_id', '']]), ...headers] },
		new_record: {
			method: 'POST',
			path,
			bodyType: 'json',
			parameters: [
				...of('form', ({ required, default: initial }) => required === true && initial === undefined),
				...headers
			]
		}
	};
}

const examples: Readonly<Record<KindField['type'], string>> = {
	text: 'Example',
	integer: '1',
	number: '25',
	boolean: 'true',
	date: '2026-03-31'
};

/** The path of the records of a kind, below the base URL. */
export const pathOfRecords = (name: string) => `/ws/v2.0/${name}`;

/** The token requests, one of each grant. */
const grantKinds: Readonly<Record<GrantKind, KindRow>> = byKind(({ type, label, dialect, fields }) => {
	const part = (isOptional: boolean) =>
		Object.entries(fields)
			.filter((field) => (field[1].isOptional ?? false) === isOptional)
			.map(([name, { values, example }]): Row => [name, values?.at(-1) ?? example ?? '', !isOptional]);
	return {
		label,
		dialect,
		draft: post('/ws/oauth2/token/', [['grant_type', type], ...part(false), ...client, ...part(true)])
	};
});

/** For a world that has no kind, whose pages do not offer them. */
const withoutKind = recordDrafts({ name: 'records', fields: {} });

/** The requests that can be built, in the order of a flow. */
const rowsOfKinds = {
	authorization: {
		label: 'Authorization',
		title: 'Authorization request',
		isNavigation: true,
		draft: {
			method: 'GET',
			path: '/ws/oauth2/auth/',
			bodyType: 'form',
			parameters: rows('query', [
				['response_type', 'code'],
				['client_id', ''],
				['redirect_uri', ''],
				['scope', 'character_read'],
				['state', ''],
				['access_type', 'online'],
				['renew_previously_granted', 'yes', false],
				['code_challenge', '', false],
				['code_challenge_method', 'S256', false]
			])
		}
	},
	pushed: {
		label: 'Pushed request',
		dialect: 'standard',
		draft: post('/ws/oauth2/par', [
			['response_type', 'code'],
			...client,
			['redirect_uri', ''],
			['scope', 'character_read'],
			['state', ''],
			['code_challenge', ''],
			['code_challenge_method', 'S256']
		])
	},
	device_authorization: {
		label: 'Device codes',
		dialect: 'standard',
		draft: post('/ws/oauth2/device_authorization', [...client, ['scope', 'character_read']])
	},
	...grantKinds,
	character: {
		label: (names) => resourceName(names),
		title: (names) => `${resourceName(names)} request`,
		draft: {
			method: 'GET',
			path: '/ws/v2.0/character/{character_name}',
			bodyType: 'form',
			parameters: [...rows('path', [['character_name', 'Mara Vell']]), ...authorization, ...accept]
		}
	},
	records: { label: ({ kind }) => capitalize(kind?.plural ?? 'records'), draft: withoutKind.records },
	record: { label: ({ kind }) => `One ${kind?.singular ?? 'record'}`, draft: withoutKind.record },
	new_record: { label: ({ kind }) => `New ${kind?.singular ?? 'record'}`, draft: withoutKind.new_record },
	ratelimits: {
		label: 'Rate limits',
		draft: {
			method: 'GET',
			path: '/ws/v2.0/ratelimits',
			bodyType: 'form',
			parameters: [...authorization, ...accept]
		}
	},
	revoke: {
		label: 'Revocation',
		draft: {
			method: 'GET',
			path: '/ws/oauth2/revoke',
			bodyType: 'form',
			parameters: [
				...rows('query', [
					['token', ''],
					['client_id', '']
				]),
				...accept
			]
		}
	},
	introspection: {
		label: 'Introspection',
		dialect: 'standard',
		draft: post('/ws/oauth2/introspect', [['token', ''], ...client])
	}
} satisfies Record<string, KindRow>;

export type RequestKind = keyof typeof rowsOfKinds;

export const kindRows: Readonly<Record<RequestKind, KindRow>> = rowsOfKinds;

export const requestKinds = Object.keys(kindRows).filter((name): name is RequestKind => name in kindRows);

/** Those with an access token. */
export const resourceKinds = ['character', 'records', 'record', 'new_record', 'ratelimits'] as const;

/**
 * The kinds of request that a dialect or a provider has.
 * @param kind whose records are requested; undefined: the world has none
 */
export function kindsOf(dialect: DialectName, kind: Kind | undefined, provider?: BuilderProvider): RequestKind[] {
	if (provider !== undefined) return requestKinds.filter((one) => provider.paths[one] !== undefined);
	return requestKinds.filter(
		(one) =>
			(kindRows[one].dialect ?? dialect) === dialect &&
			(one === 'new_record' ? kind?.isWritable === true : kind !== undefined || !isRecordRequest(one))
	);
}

/** Whether this kind of request is for the records of a kind of the world. */
export function isRecordRequest(kind: RequestKind): boolean {
	return kind in withoutKind;
}

/** Whether a response to this kind of request can have tokens. */
export function isTokenRequest(kind: RequestKind): boolean {
	return kind in grantKinds;
}

/** The name of a kind of request in a list. */
export function kindLabel(kind: RequestKind, names: ResourceNames): string {
	const { label } = kindRows[kind];
	return typeof label === 'string' ? label : label(names);
}

/** The name of a kind of request above a request. */
export function kindTitle(kind: RequestKind, names: ResourceNames): string {
	const { label, title = label } = kindRows[kind];
	return typeof title === 'string' ? title : title(names);
}

function post(path: string, fields: readonly Row[]): RequestDraft {
	return { method: 'POST', path, bodyType: 'form', parameters: [...rows('form', fields), ...accept] };
}
