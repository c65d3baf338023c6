import type { MistakeId } from '#api/checks.ts';
import { grants } from '#api/protocol/grant-types.ts';
import { set, type SignedValue } from '../draft.ts';
import { authenticatedBy } from '../drafts.ts';
import {
	accepted,
	rejectedBy,
	type MistakeCode,
	type MistakeContext,
	type Rejection,
	type Tolerance
} from './mistake.ts';

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
function proofMistake(id: MistakeId, { value, ...rest }: Signed, expect: Expect): MistakeCode[] {
	const mistake: Omit<MistakeCode, 'kinds'> = {
		id,
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
	return (context) => (context.isBound === true ? expect(context) : accepted('access_token.known', 'unbound_proof'));
}

/** A mistake in an assertion. A client without keys can sign none. */
function assertionMistake(id: MistakeId, { value, ...rest }: Signed, rejection: Rejection): MistakeCode {
	return {
		id,
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
export const signedMistakes: readonly MistakeCode[] = [
	...proofMistake('wrong_htm', { value: 'wrong htm', claim: 'htm' }, rejectedBy('dpop.method_matches')),
	...proofMistake('wrong_htu', { value: 'wrong htu', claim: 'htu' }, rejectedBy('dpop.url_matches')),
	...proofMistake('old_iat', { value: 'old iat', claim: 'iat' }, ({ usesNonce }) =>
		usesNonce === true ? accepted('dpop.nonce_current', 'old_iat') : { check: 'dpop.time_valid', cause: 'too_old' }
	),
	...proofMistake('replayed_proof', { value: 'again', claim: 'jti', times: 2 }, rejectedBy('dpop.not_replayed')),
	...proofMistake('missing_nonce', { value: 'no nonce' }, ({ usesNonce }) =>
		usesNonce === true
			? { check: 'dpop.nonce_current', cause: 'missing_nonce' }
			: accepted('dpop.time_valid', 'missing_nonce')
	),
	{
		id: 'wrong_ath',
		kinds: resource,
		dialect,
		claim: 'ath',
		change: (draft) => set(draft, 'DPoP', 'wrong ath'),
		expect: ifBound(rejectedBy('dpop.token_hash_matches', 'other_ath'))
	},
	{
		id: 'missing_proof',
		kinds: resource,
		dialect,
		change: (draft) => set(draft, 'DPoP', undefined),
		expect: ifBound(rejectedBy('dpop.proof_sent', 'missing_proof'))
	},
	assertionMistake(
		'wrong_sub',
		{ value: 'wrong sub', claim: 'sub' },
		{ check: 'client_assertion.issued_by_client', cause: 'other_issuer' }
	),
	assertionMistake('wrong_aud', { value: 'wrong aud', claim: 'aud' }, { check: 'client_assertion.audience_matches' }),
	assertionMistake(
		'expired_assertion',
		{ value: 'expired', claim: 'exp' },
		{ check: 'client_assertion.time_valid', cause: 'expired' }
	),
	assertionMistake(
		'replayed_assertion',
		{ value: 'again', claim: 'jti', times: 2 },
		{ check: 'client_assertion.not_replayed' }
	),
	assertionMistake('wrong_key', { value: 'old key' }, { check: 'client_assertion.signature_valid' }),
	{
		id: 'more_scope',
		kinds: exchange,
		dialect,
		change: (draft) => set(draft, 'scope', 'character_read character_write'),
		expect: rejectedBy('token.scope_narrowed', 'not_granted')
	},
	{
		id: 'other_client',
		kinds: exchange,
		dialect,
		change: (draft, { other }) =>
			set(set(authenticatedBy(draft, false), 'client_id', other.client_id), 'client_secret', other.client_secret),
		expect: ({ other }) =>
			other.kind === 'installed'
				? { check: 'token.grant_type_supported', cause: 'needs_secret' }
				: other.client_secret === ''
					? { check: 'token.client_authenticated' }
					: accepted('token.actor_known', 'other_client')
	},
	{
		id: 'expired_subject',
		kinds: exchange,
		dialect,
		before: 'end_access_token',
		change: (draft) => draft,
		expect: rejectedBy('token.subject_token_active', 'unknown_token')
	},
	{
		id: 'beside_request_uri',
		kinds: ['authorization'],
		dialect,
		change: (draft, { isPushed }) => (isPushed === true ? set(draft, 'scope', 'character_read location_read') : draft),
		expect: ({ isPushed }) =>
			isPushed === true
				? { check: 'auth.request_uri_alone' }
				: accepted('auth.parameters_are_valid', 'beside_request_uri')
	}
];
