import type { DialectName } from '#api/dialect.ts';
import type { BuilderApplication } from './application.ts';
import { mapValues } from '#lib/map-values.ts';
import type { Kind } from '#client/world.ts';
import { add, change, sends, set, valueOf, type RequestDraft, type Parameter } from './draft.ts';
import {
	isRecordRequest,
	isTokenRequest,
	kindRows,
	recordDrafts,
	resourceKinds,
	rows,
	type BuilderProvider,
	type RequestKind
} from './request-kinds.ts';

export type Drafts = Readonly<Record<RequestKind, RequestDraft>>;

/**
 * A correct request of each kind for an application.
 * @param state a random value
 * @param address that the requests count for (section 8.2). Empty: the network address
 */
export function newDrafts(application: BuilderApplication, state: string, address = ''): Drafts {
	const drafts = forApplication(
		setAll(
			mapValues(kindRows, ({ draft }) => draft),
			{ state }
		),
		application
	);
	return address === '' ? drafts : withAddress(drafts, address);
}

/** The same requests for another application: its id, its secret and its first redirect URI. */
export function forApplication(drafts: Drafts, application: BuilderApplication): Drafts {
	const { client_id, client_secret, kind, redirect_uris, hasKeys = false } = application;
	const all = setAll(drafts, { client_id, client_secret, redirect_uri: redirect_uris[0] ?? '' });
	const filled = mapValues(all, (draft) => authenticatedBy(draft, hasKeys));
	// The authorization request of an installed application has no access_type (section 2.1).
	const parameters = filled.authorization.parameters.map((one) =>
		one.name === 'access_type' ? { ...one, isOn: kind === 'web' } : one
	);
	return { ...filled, authorization: { ...filled.authorization, parameters } };
}

/** The requests as a dialect has them: the scheme of access tokens, the kind of access, and the method of the revocation. */
export function inDialect(drafts: Drafts, dialect: DialectName, provider?: BuilderProvider): Drafts {
	const isStandard = dialect === 'standard';
	const scheme = isStandard ? 'Bearer ' : 'OAuth ';
	const withScheme = (draft: RequestDraft) =>
		set(
			draft,
			'Authorization',
			valueOf(draft, 'Authorization').replace(isStandard ? /^OAuth / : /^(?:Bearer|DPoP) /, scheme)
		);
	const offered = mapValues(drafts, (draft, kind) => {
		const ofKind = isResourceRequest(kind) ? withScheme(draft) : draft;
		return withSigned(ofKind, isStandard ? signedOf(kind) : []);
	});
	const { authorization, revoke } = offered;
	const fields = revoke.parameters.flatMap((one): Parameter[] => {
		if (one.name === 'client_secret') return [];
		return [one.in === 'header' ? one : { ...one, in: isStandard ? 'form' : 'query' }];
	});
	const secret = valueOf(drafts.refresh, 'client_secret');
	const parameters = isStandard
		? [...rows('form', [['client_secret', secret, !sends(revoke, 'client_assertion')]]), ...fields]
		: fields;
	const all: Drafts = {
		...offered,
		// Each sign-in of today's standards is offline, whatever it asks for.
		authorization: isStandard ? change(authorization, { access_type: { isOn: false } }) : authorization,
		revoke: { ...revoke, method: isStandard ? 'POST' : 'GET', parameters }
	};
	return provider === undefined ? all : atProvider(all, provider);
}

function isResourceRequest(kind: RequestKind): boolean {
	return resourceKinds.some((one) => one === kind);
}

/** The requests for records of another kind, with the headers that they have. */
export function forKind(drafts: Drafts, kind: Pick<Kind, 'name' | 'fields'>): Drafts {
	const headers = drafts.records.parameters.filter((one) => one.in === 'header');
	return { ...drafts, ...recordDrafts(kind, headers) };
}

const assertion = rows('form', [
	['client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer', false],
	['client_assertion', 'new', false]
]);
const proof = rows('header', [['DPoP', 'new', false]]);

/** What a client can sign for a request of a kind. */
function signedOf(kind: RequestKind): readonly Parameter[] {
	if (isResourceRequest(kind)) return proof;
	if (isTokenRequest(kind)) return [...assertion, ...proof];
	return kind === 'authorization' ? [] : assertion;
}

/** The request with parameters that are signed. They are off where they are new. */
function withSigned(draft: RequestDraft, offered: readonly Parameter[]): RequestDraft {
	const known = [...assertion, ...proof].map(({ name }) => name);
	const parameters = draft.parameters.filter(
		({ name }) => !known.includes(name) || offered.some((one) => one.name === name)
	);
	const missing = offered.filter(({ name }) => parameters.every((one) => one.name !== name));
	return { ...draft, parameters: [...parameters, ...missing] };
}

/** The request with an assertion of the client, or with its secret. Unchanged where it can have no assertion. */
export function authenticatedBy(draft: RequestDraft, isAssertion: boolean): RequestDraft {
	if (draft.parameters.every(({ name }) => name !== 'client_assertion')) return draft;
	return change(draft, {
		client_secret: { isOn: !isAssertion },
		client_assertion: { isOn: isAssertion },
		client_assertion_type: { isOn: isAssertion }
	});
}

/** Sets values in all drafts that have parameters of these names. A field of a record may have any name, so it is left. */
export function setAll(drafts: Drafts, values: Readonly<Record<string, string>>): Drafts {
	const names = Object.entries(values);
	return mapValues(drafts, (draft, kind) =>
		names
			.filter(([name]) => !isRecordRequest(kind) || /^(?:Authorization|DPoP|record_id)$/.test(name))
			.reduce((one, [name, value]) => set(one, name, value), draft)
	);
}

/** The authorization request with the reference to a pushed one, and without the parameters that were pushed. */
export function withPushed(drafts: Drafts, request_uri: string): Drafts {
	const { authorization } = drafts;
	const kept = authorization.parameters
		.filter(({ name }) => name !== 'request_uri')
		.map((one) => ({ ...one, isOn: one.name === 'client_id' }));
	return { ...drafts, authorization: add({ ...authorization, parameters: kept }, 'query', 'request_uri', request_uri) };
}

/** The authorization request with the parameters that were pushed, and with their reference off, which works once. */
export function withoutPushed(drafts: Drafts): Drafts {
	const { authorization, pushed } = drafts;
	const parameters = authorization.parameters.map((one) => {
		const { value = one.value, isOn = one.isOn } = pushed.parameters.find(({ name }) => name === one.name) ?? {};
		return { ...one, value, isOn: isOn && one.name !== 'request_uri' };
	});
	return { ...drafts, authorization: { ...authorization, parameters } };
}

/** A browser cannot add a header to the authorization request, which is a navigation. */
function withAddress(drafts: Drafts, address: string): Drafts {
	const fill = ({ parameters, ...rest }: RequestDraft): RequestDraft => ({
		...rest,
		parameters: [...parameters, ...rows('header', [['X-Tollgate-Address', address]])]
	});
	return mapValues(drafts, (draft, kind) => (kindRows[kind].isNavigation === true ? draft : fill(draft)));
}

/** The requests at the paths of a provider. Those that it does not have are unchanged, and not offered. */
function atProvider(drafts: Drafts, { paths, required }: BuilderProvider): Drafts {
	return mapValues(drafts, (draft, kind): RequestDraft => {
		const path = paths[kind];
		if (path === undefined) return draft;
		const names = kind === 'authorization' ? required.map(([name]) => name) : [];
		const kept = draft.parameters.filter((one) => one.in !== 'path' && !names.includes(one.name));
		return { ...draft, path, parameters: names.length === 0 ? kept : [...kept, ...rows('query', required)] };
	});
}
