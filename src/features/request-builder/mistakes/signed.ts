import { grants } from '#api/protocol/grant-types.ts';
import { set, type SignedValue } from '../draft.ts';
import { authenticatedBy } from '../drafts.ts';
import { rejectedBy, type Mistake, type MistakeContext, type Rejection, type Tolerance } from './mistake.ts';

const dialect = 'standard';
const token = grants.map(({ kind }) => kind);
const resource = ['character', 'ratelimits'] as const;
const client = ['pushed', 'device_authorization', ...token] as const;
const exchange = ['token_exchange'] as const;

type Expect = (context: MistakeContext) => Rejection | Tolerance;

type Signed = {
	readonly value: SignedValue;
	/** The claim that differs. */
	readonly claim?: string;
	readonly times?: 2;
};

/** A mistake in a proof of a token request, and the same of a resource request. */
function proofMistake(id: string, label: string, { value, ...rest }: Signed, expect: Expect): Mistake[] {
	const mistake: Omit<Mistake, 'kinds'> = {
		id,
		label,
		dialect,
		...rest,
		change: (draft) => set(draft, 'DPoP', value),
		expect
	};
	return [
		{ ...mistake, kinds: token },
		{ ...mistake, kinds: resource, expect: ifBound(expect) }
	];
}

/** No proof is read for a token that is bound to no key. */
function ifBound(expect: Expect): Expect {
	return (context) =>
		context.isBound === true
			? expect(context)
			: {
					check: 'access_token.known',
					why: 'This access token is bound to no key, so no proof is read. Send the token request with a proof first.'
				};
}

/** A mistake in an assertion. A client without keys can sign none. */
function assertionMistake(id: string, label: string, { value, ...rest }: Signed, rejection: Rejection): Mistake {
	return {
		id,
		label,
		kinds: client,
		dialect,
		...rest,
		change: (draft) => set(authenticatedBy(draft, true), 'client_assertion', value),
		// What it claims to be is compared before the keys of a client are looked up.
		expect: ({ application }) =>
			application.hasKeys === true || rejection.cause === 'other_issuer'
				? rejection
				: { check: 'client_assertion.issued_by_client', cause: 'no_keys' }
	};
}

/** Mistakes of today's standards: what a client signs, and what it exchanges or pushes. */
export const signedMistakes: readonly Mistake[] = [
	...proofMistake(
		'wrong_htm',
		'Proof for another method',
		{ value: 'wrong htm', claim: 'htm' },
		rejectedBy('dpop.method_matches')
	),
	...proofMistake(
		'wrong_htu',
		'Proof for another URL',
		{ value: 'wrong htu', claim: 'htu' },
		rejectedBy('dpop.url_matches')
	),
	...proofMistake('old_iat', 'Proof from an hour ago', { value: 'old iat', claim: 'iat' }, ({ usesNonce }) =>
		usesNonce === true
			? {
					check: 'dpop.nonce_current',
					why: 'This sandbox asks for nonces, which say how old a proof is. It reads no iat.'
				}
			: { check: 'dpop.time_valid', cause: 'too_old' }
	),
	...proofMistake(
		'replayed_proof',
		'Proof sent twice',
		{ value: 'again', claim: 'jti', times: 2 },
		rejectedBy('dpop.not_replayed')
	),
	...proofMistake('missing_nonce', 'Proof without a nonce', { value: 'no nonce' }, ({ usesNonce }) =>
		usesNonce === true
			? { check: 'dpop.nonce_current', cause: 'missing_nonce' }
			: { check: 'dpop.time_valid', why: 'This sandbox asks for no nonce. Its settings can turn that on.' }
	),
	{
		id: 'wrong_ath',
		label: 'Proof of another token',
		kinds: resource,
		dialect,
		claim: 'ath',
		change: (draft) => set(draft, 'DPoP', 'wrong ath'),
		expect: ifBound(rejectedBy('dpop.token_hash_matches', 'other_ath'))
	},
	{
		id: 'missing_proof',
		label: 'No proof',
		kinds: resource,
		dialect,
		change: (draft) => set(draft, 'DPoP', undefined),
		expect: ifBound(rejectedBy('dpop.proof_sent', 'missing_proof'))
	},
	assertionMistake(
		'wrong_sub',
		'Assertion about another application',
		{ value: 'wrong sub', claim: 'sub' },
		{ check: 'client_assertion.issued_by_client', cause: 'other_issuer' }
	),
	assertionMistake(
		'wrong_aud',
		'Assertion for another server',
		{ value: 'wrong aud', claim: 'aud' },
		{ check: 'client_assertion.audience_matches' }
	),
	assertionMistake(
		'expired_assertion',
		'Expired assertion',
		{ value: 'expired', claim: 'exp' },
		{ check: 'client_assertion.time_valid', cause: 'expired' }
	),
	assertionMistake(
		'replayed_assertion',
		'Assertion sent twice',
		{ value: 'again', claim: 'jti', times: 2 },
		{ check: 'client_assertion.not_replayed' }
	),
	assertionMistake(
		'wrong_key',
		'Assertion of another key',
		{ value: 'old key' },
		{ check: 'client_assertion.signature_valid' }
	),
	{
		id: 'more_scope',
		label: 'Scope that the token lacks',
		kinds: exchange,
		dialect,
		change: (draft) => set(draft, 'scope', 'character_read character_write'),
		expect: rejectedBy('token.scope_narrowed', 'not_granted')
	},
	{
		id: 'other_client',
		label: 'Token of another application',
		kinds: exchange,
		dialect,
		change: (draft, { other }) =>
			set(set(authenticatedBy(draft, false), 'client_id', other.client_id), 'client_secret', other.client_secret),
		expect: ({ other }) =>
			other.kind === 'installed'
				? { check: 'token.grant_type_supported', cause: 'needs_secret' }
				: other.client_secret === ''
					? { check: 'token.client_authenticated' }
					: {
							check: 'token.actor_known',
							why: 'An application may exchange a token that another one sent to it. The new token names it as act.'
						}
	},
	{
		id: 'expired_subject',
		label: 'Expired subject_token',
		kinds: exchange,
		dialect,
		before: 'end_access_token',
		change: (draft) => draft,
		expect: rejectedBy('token.subject_token_active', 'unknown_token')
	},
	{
		id: 'beside_request_uri',
		label: 'Parameters beside request_uri',
		kinds: ['authorization'],
		dialect,
		change: (draft, { isPushed }) => (isPushed === true ? set(draft, 'scope', 'character_read location_read') : draft),
		expect: ({ isPushed }) =>
			isPushed === true
				? { check: 'auth.request_uri_alone' }
				: {
						check: 'auth.parameters_are_valid',
						why: 'This request was not pushed, so it has all its parameters. Send the pushed request first.'
					}
	}
];
