import type { DialectName } from '#api/dialect.ts';
import type { BuilderApplication } from './application.ts';
import { mapValues } from '#api/map-values.ts';
import { add, set, valueOf, type RequestDraft, type Parameter } from './draft.ts';
import { kindRows, rows, type RequestKind } from './request-kinds.ts';

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
	return mapValues(drafts, fill);
}

/** The authorization request with the reference to a pushed one, and without the parameters that were pushed. */
export function withPushed(drafts: Drafts, request_uri: string): Drafts {
	const { authorization } = drafts;
	const kept = authorization.parameters
		.filter(({ name }) => name !== 'request_uri')
		.map((one) => ({ ...one, isOn: one.name === 'client_id' }));
	return { ...drafts, authorization: add({ ...authorization, parameters: kept }, 'query', 'request_uri', request_uri) };
}

/** The authorization request with the parameters that were pushed, and without their reference, which works once. */
export function withoutPushed(drafts: Drafts): Drafts {
	const { authorization, pushed } = drafts;
	const parameters = authorization.parameters
		.filter(({ name }) => name !== 'request_uri')
		.map((one) => {
			const { value = one.value, isOn = one.isOn } = pushed.parameters.find(({ name }) => name === one.name) ?? {};
			return { ...one, value, isOn };
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
