import type { MistakeId } from '#api/checks.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import { add, set, valueOf, type RequestDraft } from '../draft.ts';
import { accepted, rejectedBy, type MistakeCode, type MistakeContext } from './mistake.ts';

const kinds = ['authorization'] as const;
const notRegistered = rejectedBy('auth.redirect_uri_registered', 'not_registered');
/** For an installed application that uses the out-of-band URI, whose parts cannot be changed. */
const localUri = 'http://localhost:8765';

/** Mistakes of the authorization request (specification, section 2.1). */
export const authorizationMistakes: readonly MistakeCode[] = [
	{
		id: 'redirect_scheme',
		kinds,
		change: withRedirectUri((uri) =>
			/^https:/.test(uri) ? uri.replace('https:', 'http:') : uri.replace('http:', 'https:')
		),
		expect: notRegistered
	},
	{
		id: 'redirect_case',
		kinds,
		change: withRedirectUri((uri) => uri.replace(/[a-z](?=[^/]*\/?$)(?<=\/[a-z])/, (letter) => letter.toUpperCase())),
		expect: notRegistered
	},
	{
		id: 'redirect_slash',
		kinds,
		change: withRedirectUri((uri) => (uri.endsWith('/') ? uri.slice(0, -1) : `${uri}/`)),
		expect: unlessInstalled('redirect_slash')
	},
	{
		id: 'redirect_port',
		kinds,
		change: withRedirectUri((uri) => uri.replace(/^(\w+:\/\/[^/:]+)(?::\d+)?/, '$1:9999')),
		expect: unlessInstalled('redirect_port')
	},
	{
		id: 'unknown_client',
		kinds,
		change: (draft) => set(draft, 'client_id', capitalised(valueOf(draft, 'client_id'))),
		expect: rejectedBy('auth.client_known', 'unknown_client')
	},
	{
		id: 'missing_state',
		kinds,
		change: (draft) => set(draft, 'state', undefined),
		expect: () => accepted('auth.parameters_are_valid', 'missing_state')
	},
	{
		id: 'unknown_scope',
		kinds,
		change: (draft) => set(draft, 'scope', 'character_read email'),
		expect: rejectedBy('auth.scope_known', 'unknown_scope')
	},
	{
		id: 'response_type_token',
		kinds,
		change: (draft) => set(draft, 'response_type', 'token'),
		expect: rejectedBy('auth.response_type_is_code', 'unsupported_value')
	},
	{
		id: 'duplicate_parameter',
		kinds,
		change: (draft) => add(draft, 'query', 'scope', 'location_read'),
		expect: rejectedBy('auth.parameters_are_valid', 'duplicate_parameter')
	},
	{
		id: 'plain_challenge',
		kinds,
		change: (draft) => set(set(draft, 'code_challenge', 'x'.repeat(43)), 'code_challenge_method', 'plain'),
		expect: rejectedBy('auth.code_challenge_is_s256', 'not_s256')
	}
];

function withRedirectUri(edit: (uri: string) => string): MistakeCode['change'] {
	return (draft: RequestDraft) => {
		const uri = valueOf(draft, 'redirect_uri');
		return set(draft, 'redirect_uri', edit(uri === outOfBandUri ? localUri : uri));
	};
}

function unlessInstalled(mistake: MistakeId): MistakeCode['expect'] {
	return ({ application }: MistakeContext) =>
		application.kind === 'installed' ? accepted('auth.redirect_uri_registered', mistake) : notRegistered();
}

function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
