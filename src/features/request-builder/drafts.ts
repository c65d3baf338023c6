import type { DialectName } from '#api/dialect.ts';
import type { BuilderApplication } from './application.ts';
import { set, valueOf, type RequestDraft, type Parameter, type RequestKind } from './draft.ts';

/** One draft of each kind. */
export type Drafts = Readonly<Record<RequestKind, RequestDraft>>;

type Row = readonly [name: string, value: string, isOn?: boolean];

const rows = (place: Parameter['in'], list: readonly Row[]): Parameter[] =>
	list.map(([name, value, isOn = true]) => ({ in: place, name, value, isOn }));

const accept = rows('header', [['Accept', 'application/json']]);
const authorization = rows('header', [['Authorization', 'OAuth ']]);
const client: readonly Row[] = [
	['client_id', ''],
	['client_secret', '']
];

/** A correct request of each kind, without the values of an application and of earlier responses. */
const empty: Drafts = {
	authorization: {
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
	},
	exchange: tokenRequest([
		['grant_type', 'authorization_code'],
		['code', ''],
		['redirect_uri', ''],
		...client,
		['code_verifier', '', false],
		['access_type', 'offline', false]
	]),
	refresh: tokenRequest([
		['grant_type', 'refresh_token'],
		['refresh_token', ''],
		...client,
		['scope', 'character_read', false]
	]),
	character: {
		method: 'GET',
		path: '/ws/v2.0/character/{character_name}',
		bodyType: 'form',
		parameters: [...rows('path', [['character_name', 'Mara Vell']]), ...authorization, ...accept]
	},
	ratelimits: {
		method: 'GET',
		path: '/ws/v2.0/ratelimits',
		bodyType: 'form',
		parameters: [...authorization, ...accept]
	},
	revoke: {
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
};

/**
 * A correct request of each kind for an application.
 * @param state a random value
 * @param address that the requests count for (section 8.2). Empty: the network address
 */
export function newDrafts(application: BuilderApplication, state: string, address = ''): Drafts {
	const drafts = forApplication(setAll(empty, { state }), application);
	return address === '' ? drafts : withAddress(drafts, address);
}

/** The same requests for another application: its id, its secret and its first redirect URI. */
export function forApplication(drafts: Drafts, application: BuilderApplication): Drafts {
	const { client_id, client_secret, kind, redirect_uris } = application;
	const filled = setAll(drafts, { client_id, client_secret, redirect_uri: redirect_uris[0] ?? '' });
	// The authorization request of an installed application has no access_type (section 2.1).
	const parameters = filled.authorization.parameters.map((one) =>
		one.name === 'access_type' ? { ...one, isOn: kind === 'web' } : one
	);
	return { ...filled, authorization: { ...filled.authorization, parameters } };
}

/** The requests as a dialect has them: the scheme of access tokens, and the method of the revocation. */
export function inDialect(drafts: Drafts, dialect: DialectName): Drafts {
	const isStandard = dialect === 'standard';
	const scheme = isStandard ? 'Bearer ' : 'OAuth ';
	const withScheme = (draft: RequestDraft) =>
		set(draft, 'Authorization', valueOf(draft, 'Authorization').replace(/^(?:OAuth|Bearer) /, scheme));
	const { character, ratelimits, revoke } = drafts;
	const fields = revoke.parameters.flatMap((one): Parameter[] => {
		if (one.name === 'client_secret') return [];
		return [one.in === 'header' ? one : { ...one, in: isStandard ? 'form' : 'query' }];
	});
	const secret = valueOf(drafts.refresh, 'client_secret');
	const parameters = isStandard ? [...rows('form', [['client_secret', secret]]), ...fields] : fields;
	return {
		...drafts,
		character: withScheme(character),
		ratelimits: withScheme(ratelimits),
		revoke: { ...revoke, method: isStandard ? 'POST' : 'GET', parameters }
	};
}

/** Sets values in all drafts that have parameters of these names. */
export function setAll(drafts: Drafts, values: Readonly<Record<string, string>>): Drafts {
	const fill = (draft: RequestDraft) =>
		Object.entries(values).reduce((one, [name, value]) => set(one, name, value), draft);
	return {
		authorization: fill(drafts.authorization),
		exchange: fill(drafts.exchange),
		refresh: fill(drafts.refresh),
		character: fill(drafts.character),
		ratelimits: fill(drafts.ratelimits),
		revoke: fill(drafts.revoke)
	};
}

/** A browser cannot add a header to the authorization request, which is a navigation. */
function withAddress(drafts: Drafts, address: string): Drafts {
	const fill = ({ parameters, ...rest }: RequestDraft): RequestDraft => ({
		...rest,
		parameters: [...parameters, ...rows('header', [['X-Tollgate-Address', address]])]
	});
	const { authorization, exchange, refresh, character, ratelimits, revoke } = drafts;
	return {
		authorization,
		exchange: fill(exchange),
		refresh: fill(refresh),
		character: fill(character),
		ratelimits: fill(ratelimits),
		revoke: fill(revoke)
	};
}

function tokenRequest(fields: readonly Row[]): RequestDraft {
	const parameters = [...rows('form', fields), ...accept];
	return { method: 'POST', path: '/ws/oauth2/token/', bodyType: 'form', parameters };
}
