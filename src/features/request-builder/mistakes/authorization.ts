import { outOfBandUri } from '#client/oauth/client-registration.ts';
import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { rejectedBy, type Mistake, type MistakeContext } from './mistake.ts';

const kinds = ['authorization'] as const;
const notRegistered = rejectedBy('auth.redirect_uri_registered', 'not_registered');
/** For an installed application that uses the out-of-band URI, whose parts cannot be changed. */
const localUri = 'http://localhost:8765';

/** Mistakes of the authorization request (specification, section 2.1). */
export const authorizationMistakes: readonly Mistake[] = [
	{
		id: 'redirect_scheme',
		label: 'redirect_uri with another scheme',
		kinds,
		change: withRedirectUri((uri) =>
			/^https:/.test(uri) ? uri.replace('https:', 'http:') : uri.replace('http:', 'https:')
		),
		expect: notRegistered
	},
	{
		id: 'redirect_case',
		label: 'Capital letter in redirect_uri',
		kinds,
		change: withRedirectUri((uri) => uri.replace(/[a-z](?=[^/]*\/?$)(?<=\/[a-z])/, (letter) => letter.toUpperCase())),
		expect: notRegistered
	},
	{
		id: 'redirect_slash',
		label: 'Slash at the end of redirect_uri added or missing',
		kinds,
		change: withRedirectUri((uri) => (uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`)),
		expect: unlessInstalled('Of http://localhost, an installed application can also send the form with a slash.')
	},
	{
		id: 'redirect_port',
		label: 'redirect_uri with another port',
		kinds,
		change: withRedirectUri((uri) => uri.replace(/^(\w+:\/\/[^/:]+)(?::\d+)?/, '$1:9999')),
		expect: unlessInstalled('An installed application can use localhost with any port, without a new registration.')
	},
	{
		id: 'unknown_client',
		label: 'client_id with a capital letter',
		kinds,
		change: (draft) => set(draft, 'client_id', capitalised(valueOf(draft, 'client_id'))),
		expect: rejectedBy('auth.client_known', 'unknown_client')
	},
	{
		id: 'missing_state',
		label: 'No state',
		kinds,
		change: (draft) => set(draft, 'state', undefined),
		expect: () => ({
			check: 'auth.parameters_are_valid',
			why: 'state is optional here. Without it, the application cannot tell its own response from one that another site started.'
		})
	},
	{
		id: 'unknown_scope',
		label: 'Unknown scope',
		kinds,
		change: (draft) => set(draft, 'scope', 'character_read email'),
		expect: rejectedBy('auth.scope_known', 'unknown_scope')
	},
	{
		id: 'response_type_token',
		label: 'response_type=token',
		kinds,
		change: (draft) => set(draft, 'response_type', 'token'),
		expect: rejectedBy('auth.response_type_is_code', 'unsupported_value')
	},
	{
		id: 'duplicate_parameter',
		label: 'scope sent twice',
		kinds,
		change: (draft) => add(draft, 'query', 'scope', 'location_read'),
		expect: rejectedBy('auth.parameters_are_valid', 'duplicate_parameter')
	},
	{
		id: 'plain_challenge',
		label: 'PKCE with the method plain',
		kinds,
		change: (draft) => set(set(draft, 'code_challenge', 'x'.repeat(43)), 'code_challenge_method', 'plain'),
		expect: rejectedBy('auth.code_challenge_is_s256', 'not_s256')
	}
];

function withRedirectUri(edit: (uri: string) => string): Mistake['change'] {
	return (draft: RequestDraft) => {
		const uri = valueOf(draft, 'redirect_uri');
		return set(draft, 'redirect_uri', edit(uri === outOfBandUri ? localUri : uri));
	};
}

function unlessInstalled(why: string): Mistake['expect'] {
	return ({ application }: MistakeContext) =>
		application.kind === 'installed' ? { check: 'auth.redirect_uri_registered', why } : notRegistered();
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
