import * as oauth from 'oauth4webapi';
import type { Application } from '../application.ts';
import type { Endpoints } from '../endpoints.ts';
import { permissions } from '../permissions.ts';

/** What a person chose on the sign-in panel. */
export type Wishes = {
	readonly scope: readonly string[];
	readonly access_type: 'online' | 'offline';
	/** `renew_previously_granted=yes`: the token also covers what was granted earlier. */
	readonly renew: boolean;
	/** PKCE, S256. */
	readonly pkce: boolean;
};

/** The values that bind an answer to its request. Made once for each sign-in. */
export type Binding = { readonly state: string; readonly verifier: string; readonly challenge: string };

/** One parameter of the request, with what it is there for. */
export type Parameter = { readonly name: string; readonly value: string; readonly why: string };

/** A request that is ready to go. */
export type AuthorizationRequest = { readonly address: string; readonly parameters: readonly Parameter[] };

/**
 * Makes a state of 256 random bits and the PKCE pair (S256). Needs a secure context: `https:` or localhost.
 */
export async function makeBinding(): Promise<Binding> {
	const verifier = oauth.generateRandomCodeVerifier();
	return { state: oauth.generateRandomState(), verifier, challenge: await oauth.calculatePKCECodeChallenge(verifier) };
}

/**
 * The authorization request of section 2.1, parameter by parameter.
 * @param endpoints of the service
 * @param application who asks
 * @param wishes what a person chose
 * @param binding made for this sign-in
 */
export function authorizationRequest(
	endpoints: Endpoints,
	application: Application,
	wishes: Wishes,
	binding: Binding
): AuthorizationRequest {
	const parameters = [
		{ name: 'response_type', value: 'code', why: 'Asks for a code. The service knows nothing else.' },
		{ name: 'client_id', value: application.client_id, why: 'Which application asks, as registered.' },
		{
			name: 'redirect_uri',
			value: application.redirect_uri,
			why: 'Where the answer goes. Must equal a registered address letter by letter.'
		},
		{
			name: 'scope',
			value: scopeOf(wishes.scope),
			why: 'What the person is asked to allow. Fewer are granted more often.'
		},
		{
			name: 'state',
			value: binding.state,
			why: '256 random bits that only this tab knows: no answer counts without them.'
		}
	];
	// An installed application says so in its token request: its authorization request has no such parameter (2.1).
	if (application.kind === 'web') {
		parameters.push({ name: 'access_type', value: wishes.access_type, why: accessWhy[wishes.access_type] });
	}
	if (wishes.renew) {
		const why = 'The token also covers what was granted to this application before.';
		parameters.push({ name: 'renew_previously_granted', value: 'yes', why });
	}
	if (wishes.pkce) {
		const why = 'SHA-256 of a secret that stays here: a stolen code is worth nothing without it (RFC 7636).';
		parameters.push({ name: 'code_challenge', value: binding.challenge, why });
		parameters.push({ name: 'code_challenge_method', value: 'S256', why: 'How the challenge was made.' });
	}
	const query = parameters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
	return { address: `${endpoints.authorize}?${query}`, parameters };
}

const accessWhy = {
	online: 'Access while the person is present. There will be no refresh token.',
	offline: 'The application may act while the person is away: the first exchange brings a refresh token.'
} as const;

/** Scopes as the request carries them: each once, in the order of the catalogue. */
function scopeOf(chosen: readonly string[]): string {
	const known = permissions.map(({ scope }) => scope);
	const unknown = chosen.filter((scope) => !known.includes(scope));
	return [...known.filter((scope) => chosen.includes(scope)), ...unknown].join(' ');
}
