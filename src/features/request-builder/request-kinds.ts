import { capitalize } from '#client/words.ts';
import type { DialectName } from '#api/dialect.ts';
import { byKind, type GrantKind } from '#api/protocol/grant-types.ts';
import type { World } from '#client/world.ts';
import type { Parameter, RequestDraft } from './draft.ts';

/** A kind of request that can be built. */
type KindRow = {
	/** Its name in a list. A function: of the resource of the world. */
	readonly label: string | ((resource: World['resource']) => string);
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

const accept = rows('header', [['Accept', 'application/json']]);
const authorization = rows('header', [['Authorization', 'OAuth ']]);
const client: readonly Row[] = [
	['client_id', ''],
	['client_secret', '']
];

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
		label: ({ singular }) => capitalize(singular),
		title: ({ singular }) => `${capitalize(singular)} request`,
		draft: {
			method: 'GET',
			path: '/ws/v2.0/character/{character_name}',
			bodyType: 'form',
			parameters: [...rows('path', [['character_name', 'Mara Vell']]), ...authorization, ...accept]
		}
	},
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
	}
} satisfies Record<string, KindRow>;

export type RequestKind = keyof typeof rowsOfKinds;

export const kindRows: Readonly<Record<RequestKind, KindRow>> = rowsOfKinds;

export const requestKinds = Object.keys(kindRows).filter((name): name is RequestKind => name in kindRows);

/** The kinds of request that a dialect has. */
export function kindsOf(dialect: DialectName): RequestKind[] {
	return requestKinds.filter((kind) => (kindRows[kind].dialect ?? dialect) === dialect);
}

/** Whether a response to this kind of request can have tokens. */
export function isTokenRequest(kind: RequestKind): boolean {
	return kind in grantKinds;
}

/** The name of a kind of request in a list. */
export function kindLabel(kind: RequestKind, { resource }: Pick<World, 'resource'>): string {
	const { label } = kindRows[kind];
	return typeof label === 'string' ? label : label(resource);
}

/** The name of a kind of request above a request. */
export function kindTitle(kind: RequestKind, { resource }: Pick<World, 'resource'>): string {
	const { label, title = label } = kindRows[kind];
	return typeof title === 'string' ? title : title(resource);
}

function post(path: string, fields: readonly Row[]): RequestDraft {
	return { method: 'POST', path, bodyType: 'form', parameters: [...rows('form', fields), ...accept] };
}
