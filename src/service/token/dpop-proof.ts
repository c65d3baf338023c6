import * as v from 'valibot';
import { rsaNumbers } from '#api/control/applications.ts';
import { headerValues } from '#api/headers.ts';
import { signingAlgorithms } from '#api/protocol/openid.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { check, type Check, when } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { type ErrorDetails, ProtocolError } from '../core/errors.ts';
import { unauthorized } from '../core/resource-errors.ts';
import { isSignature, readJwt } from '../identity/signing-keys.ts';

/** How long a nonce is the newest one, in milliseconds of the sandbox clock. The one before still works. */
const period = 300_000;

/** How long a nonce works at most, in milliseconds of the sandbox clock. */
const nonceLifetime = 2 * period;

/** The nonce that proofs need now (RFC 9449, section 8). It is not stored: the secret of the sandbox and the clock lead to it. */
function currentNonce(context: Context): string {
	return nonceOf(context, Math.floor(context.now() / period));
}

/** Whether a nonce is the newest one or the one before. */
function isCurrentNonce(context: Context, nonce: string | undefined): boolean {
	const now = Math.floor(context.now() / period);
	return nonce === nonceOf(context, now) || nonce === nonceOf(context, now - 1);
}

function nonceOf({ options, sandbox }: Context, at: number): string {
	return options.digest(`dpop ${sandbox.valueKey} ${at}`).slice(0, 22);
}

/** How old a proof may be, and how far ahead of the sandbox clock, in seconds. */
const window = { past: 300, future: 60 } as const;
/** The longest proof and the longest `jti`, in characters. */
const longest = { proof: 4096, jti: 200 } as const;

const text = v.pipe(v.string(), v.maxLength(2048));
const headerSchema = v.object({ typ: v.string(), alg: v.string(), jwk: v.record(v.string(), v.unknown()) });
const keySchema = v.variant('kty', [
	v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: text, y: text }),
	v.object({ kty: v.literal('RSA'), ...rsaNumbers })
]);
const claimsSchema = v.object({
	jti: v.pipe(v.string(), v.minLength(1), v.maxLength(longest.jti)),
	htm: text,
	htu: text,
	iat: v.number(),
	nonce: v.optional(text),
	ath: v.optional(text)
});

/** A DPoP proof (RFC 9449, section 4.2). */
export type Proof = v.InferOutput<typeof claimsSchema> & {
	/** The thumbprint of its key (RFC 7638). */
	readonly jkt: string;
	readonly isSigned: () => Promise<boolean>;
};

/** A request that may have a proof. */
export type ProofContext = Context & {
	/** Set by `dpop.proof_readable`. */
	proof: Proof | undefined;
	/** Set where the proof comes with an access token. */
	readonly credential?: string;
};

/**
 * The checks of a proof but its use (RFC 9449, section 4.3), for requests that the condition selects.
 * @param isRequired whether such a request must have one
 */
export function proofChecks<C extends ProofContext>(
	applies: (context: C) => boolean,
	isRequired: (context: C) => boolean
): readonly Check<C>[] {
	const hasProof = (context: C) => applies(context) && proofsOf(context).length > 0;
	return [
		...when<C>((context) => applies(context) && (hasProof(context) || isRequired(context)), [requireProof]),
		...when<C>(hasProof, [readProof, checkSignature, checkMethod, checkUrl]),
		...when<C>((context) => hasProof(context) && !usesNonce(context), [checkTime]),
		...when<C>((context) => hasProof(context) && usesNonce(context), [checkNonce])
	];
}

/** A proof works once (RFC 9449, section 11.1). The last check of a proof, so that a rejected one is not remembered. */
export const checkReplay = check<ProofContext>('dpop.not_replayed', async (context) => {
	const { jkt, jti } = proofOf(context);
	await recordFailedAttempt(context, 'dpop_proof');
	const expires = context.now() + Math.max((window.past + window.future) * 1000, nonceLifetime);
	const outcome = { isNew: false };
	await context.store.update('dpop_proof', context.options.digest(`${jkt} ${jti}`), (known) => {
		outcome.isNew = known === undefined;
		return known ?? { expires };
	});
	if (!outcome.isNew) throw proofError(context, 'This proof was used before. Create a new one, with a new jti.');
});

/** The proof belongs to the access token that it comes with (RFC 9449, section 7.1). */
export const checkTokenHash = check<ProofContext>('dpop.token_hash_matches', (context) => {
	const { ath } = proofOf(context);
	const expected = context.digestOf(context.credential ?? '');
	if (ath === expected) return;
	throw proofError(context, 'ath must be the SHA-256 digest of the access token, in base64url.', {
		cause: ath === undefined ? 'missing_ath' : 'other_ath',
		received: [ath ?? '(not sent)'],
		expected: [expected]
	});
});

const requireProof = check<ProofContext>('dpop.proof_sent', (context) => {
	const { length } = proofsOf(context);
	if (length === 1) return;
	throw proofError(
		context,
		length === 0 ? 'The header DPoP with a proof is missing.' : 'The request has more than one DPoP proof. Send one.',
		{ cause: length === 0 ? 'missing_proof' : 'proofs_sent_twice', received: [`${length} proofs`], expected: ['1'] }
	);
});

const readProof = check<ProofContext>('dpop.proof_readable', (context) => {
	const [sent = ''] = proofsOf(context);
	const jwt = sent.length > longest.proof ? undefined : readJwt(sent);
	const header = v.safeParse(headerSchema, jwt?.header);
	if (jwt === undefined || !header.success)
		throw proofError(context, 'The proof must be a JWT with typ, alg and jwk in its header.', {
			cause: 'malformed_proof'
		});
	for (const part of jwt.content.split('.')) context.open.add(part);
	if (jwt.isCritical)
		throw proofError(context, 'The header has crit, and this service knows no extension of JWTs.', {
			cause: 'critical_header'
		});
	const { typ, alg, jwk } = header.output;
	if (typ !== 'dpop+jwt')
		throw proofError(context, 'typ must be dpop+jwt.', {
			cause: 'wrong_type',
			received: [typ.slice(0, 40)],
			expected: ['dpop+jwt']
		});
	const key = v.safeParse(keySchema, jwk);
	const known = signingAlgorithms.find((one) => one === alg);
	if (known === undefined)
		throw proofError(context, `alg must be ${signingAlgorithms.join(' or ')}.`, {
			cause: 'unsupported_algorithm',
			received: [alg.slice(0, 40)],
			expected: signingAlgorithms
		});
	if (!key.success || 'd' in jwk || (key.output.kty === 'RSA') !== (known === 'RS256'))
		throw proofError(
			context,
			'jwk must be the public key of the proof: P-256 for ES256, RSA of 2,048 bits or more for RS256.',
			{
				cause: 'unusable_key'
			}
		);
	const claims = v.safeParse(claimsSchema, jwt.claims);
	if (!claims.success)
		throw proofError(context, 'The proof needs jti, htm, htu and iat.', {
			cause: 'missing_claim',
			expected: ['jti, htm, htu, iat']
		});
	const { output } = key;
	const jkt = context.options.digest(thumbprintText(output));
	const isSigned = () =>
		isSignature(context, { alg: known, jwk: output }, jwt.content, jwt.signature).catch(() => false);
	context.proof = { ...claims.output, jkt, isSigned };
	context.note(`Key ${jkt.slice(0, 8)}…`);
});

const checkSignature = check<ProofContext>('dpop.signature_valid', async (context) => {
	if (!(await proofOf(context).isSigned()))
		throw proofError(context, 'The signature of the proof is not that of its jwk.');
});

const checkMethod = check<ProofContext>('dpop.method_matches', (context) => {
	const { htm } = proofOf(context);
	const { method } = context.request;
	if (htm !== method)
		throw proofError(context, 'htm must be the method of the request.', {
			received: [htm.slice(0, 40)],
			expected: [method]
		});
	context.compare(htm, [method]);
});

const checkUrl = check<ProofContext>('dpop.url_matches', (context) => {
	const { htu } = proofOf(context);
	const [path = ''] = context.request.target.split(/[?#]/, 1);
	const url = path.startsWith('/') ? `${context.options.origin}${path}` : path;
	if (plainUrl(htu) !== plainUrl(url))
		throw proofError(context, 'htu must be the URL of the request, without query and fragment.', {
			received: [htu],
			expected: [url]
		});
	context.compare(htu, [url]);
});

const checkTime = check<ProofContext>('dpop.time_valid', (context) => {
	const age = Math.floor(context.sandbox.seconds() - proofOf(context).iat);
	const found = age < 0 ? `${-age} s ahead of the clock of the sandbox` : `${age} s old`;
	const expected = [`at most ${window.past} s old, or ${window.future} s ahead`];
	if (age > window.past || age < -window.future)
		throw proofError(context, 'iat is too far from the clock of the service, which the header Date shows.', {
			cause: age < 0 ? 'in_the_future' : 'too_old',
			received: [found],
			expected
		});
	context.compare(found, expected);
});

const checkNonce = check<ProofContext>('dpop.nonce_current', (context) => {
	const { nonce } = proofOf(context);
	context.headers.push('DPoP-Nonce', currentNonce(context));
	if (isCurrentNonce(context, nonce)) return;
	const cause = nonce === undefined ? 'missing_nonce' : 'old_nonce';
	const description = 'The proof needs the nonce of the header DPoP-Nonce. Create a new proof with it.';
	throw proofError(context, description, { cause }, 'use_dpop_nonce');
});

/** The error of a request without the right proof: of a resource with a challenge (RFC 9449, sections 5, 7.1, 8 and 9). */
export function proofError(
	context: ProofContext,
	description: string,
	details: ErrorDetails = {},
	code: 'invalid_dpop_proof' | 'use_dpop_nonce' = 'invalid_dpop_proof'
): ProtocolError {
	if (context.credential === undefined) return new ProtocolError(code, description, details);
	return unauthorized(context, code, description, 401, details, 'DPoP');
}

function usesNonce({ sandbox }: Context): boolean {
	return sandbox.state.settings.dpop_nonce;
}

function proofsOf({ request }: Context): string[] {
	return headerValues(request.headers, 'dpop');
}

function proofOf({ proof }: ProofContext): Proof {
	if (proof === undefined) throw new Error('The proof was not read.');
	return proof;
}

/** What is digested for a thumbprint (RFC 7638, section 3.2). */
function thumbprintText(key: v.InferOutput<typeof keySchema>): string {
	const { kty } = key;
	if (kty === 'RSA') return JSON.stringify({ e: key.e, kty, n: key.n });
	return JSON.stringify({ crv: key.crv, kty, x: key.x, y: key.y });
}

/** A URL without query and fragment, normalized (RFC 9449, section 4.3). */
function plainUrl(url: string): string {
	if (!URL.canParse(url)) return url;
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname}`;
}
