import * as v from 'valibot';
import type { ClientKey } from '#api/control/applications.ts';
import { signingAlgorithms, type SigningAlgorithm } from '#api/protocol/openid.ts';
import { recordFailedAttempt } from '../checks/attempt-limits.ts';
import { restrictCorsToClient } from '../checks/cors.ts';
import { check } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { ProtocolError, type ErrorDetails } from '../core/errors.ts';
import type { FormFields } from '../core/form-fields.ts';
import { isSignature, type Jwt, readJwt } from '../identity/signing-keys.ts';
import type { Application, UsedAssertions } from '../sandbox/records.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
/** The longest assertion, in characters, and the longest time until its `exp`, in seconds. */
const longest = { assertion: 8192, lifetime: 3600 } as const;
/** How many used assertions of a client are kept until they expire. Further ones are rejected: one that is forgotten works again. */
const maxUsed = 1000;
/** How far the clock of a client may be ahead, in seconds. */
const tolerance = 60;

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(500));
const headerSchema = v.object({ alg: v.string(), kid: v.optional(v.string()), typ: v.optional(v.string()) });
/** In lower case (RFC 7515, section 4.1.9). The last one is of a draft that updates RFC 7523. */
const assertionTypes: readonly string[] = ['jwt', 'application/jwt', 'client-authentication+jwt'];
const claimsSchema = v.object({
	iss: text,
	sub: text,
	aud: v.union([text, v.pipe(v.array(text), v.maxLength(10))]),
	exp: v.number(),
	jti: v.optional(text),
	iat: v.optional(v.number()),
	nbf: v.optional(v.number())
});

/** What an assertion says, and the registered keys of its client. */
type Assertion = {
	readonly jwt: Jwt;
	readonly alg: SigningAlgorithm;
	readonly kid: string | undefined;
	readonly claims: v.InferOutput<typeof claimsSchema>;
	keys: readonly ClientKey[];
};

/** A request that a client authenticates. */
type AssertionContext = Context & {
	form: FormFields;
	application: Application;
	isAuthenticated: boolean;
};

/** Those of requests in progress. Most requests have none. */
const assertions = new WeakMap<Context, Assertion>();

/** Whether a client signs an assertion in place of a secret. */
export function hasAssertion({ dialect, form }: Pick<AssertionContext, 'dialect' | 'form'>): boolean {
	return dialect.metadata && (form.has('client_assertion') || form.has('client_assertion_type'));
}

const checkAlone = check<AssertionContext>('client_assertion.sent_alone', (context) => {
	const { form } = context;
	const type = form.get('client_assertion_type');
	if (type !== assertionType)
		throw rejected(`client_assertion_type must be ${assertionType}.`, {
			cause: 'wrong_assertion_type',
			received: [type ?? '(not sent)'],
			expected: [assertionType]
		});
	if (form.get('client_assertion') === undefined)
		throw rejected('The field client_assertion is missing.', { cause: 'missing_assertion' });
	if (form.has('client_secret') || context.header('authorization') !== undefined)
		throw new ProtocolError(
			'invalid_request',
			'Send the assertion alone, without a secret and without the Authorization header.',
			{ cause: 'with_secret' }
		);
});

const readAssertion = check<AssertionContext>('client_assertion.readable', (context) => {
	const sent = context.form.get('client_assertion') ?? '';
	const jwt = sent.length > longest.assertion ? undefined : readJwt(sent);
	const header = v.safeParse(headerSchema, jwt?.header);
	if (jwt === undefined || !header.success)
		throw rejected('client_assertion must be a signed JWT.', { cause: 'malformed_assertion' });
	for (const part of jwt.content.split('.')) context.open.add(part);
	if (jwt.isCritical)
		throw rejected('The header has crit, and this service knows no extension of JWTs.', { cause: 'critical_header' });
	const { kid, typ = 'JWT' } = header.output;
	if (!assertionTypes.includes(typ.toLowerCase()))
		throw rejected('typ must be JWT, or left out. This JWT is for another purpose.', {
			cause: 'other_type',
			received: [typ.slice(0, 40)],
			expected: ['JWT']
		});
	const alg = signingAlgorithms.find((one) => one === header.output.alg);
	if (alg === undefined)
		throw rejected(`alg must be ${signingAlgorithms.join(' or ')}.`, {
			cause: 'unsupported_algorithm',
			received: [header.output.alg.slice(0, 40)],
			expected: signingAlgorithms
		});
	const claims = v.safeParse(claimsSchema, jwt.claims);
	// A provider whose secret is a JWT lets a client send it again.
	if (!claims.success || (claims.output.jti === undefined && context.dialect.secretJwt === undefined))
		throw rejected('The assertion needs iss, sub, aud, exp and jti.', {
			cause: 'missing_claim',
			expected: ['iss, sub, aud, exp, jti']
		});
	assertions.set(context, { jwt, alg, kid, claims: claims.output, keys: [] });
	context.note(`${alg}${kid === undefined ? '' : `, kid ${kid.slice(0, 40)}`}`);
});

const checkIssuer = check<AssertionContext>('client_assertion.issued_by_client', async (context) => {
	const assertion = assertionOf(context);
	const { iss, sub } = assertion.claims;
	if (iss !== sub && context.dialect.secretJwt === undefined)
		throw rejected('iss and sub must both be the client_id.', {
			cause: 'other_issuer',
			received: [iss, sub],
			expected: ['the client_id']
		});
	const client_id = context.form.get('client_id');
	if (client_id !== undefined && client_id !== sub)
		throw rejected('The form and the assertion name different clients.', {
			cause: 'client_ids_differ',
			received: [client_id],
			expected: [sub]
		});
	const application = await context.store.get('application', sub);
	if (application?.jwks === undefined) {
		await recordFailedAttempt(context, 'client', application?.client_id);
		throw unverified({ cause: application === undefined ? 'unknown_client' : 'no_keys', received: [sub] });
	}
	assertion.keys = application.jwks.keys;
	context.application = application;
	context.note(application.client_id);
});

const checkSignature = check<AssertionContext>('client_assertion.signature_valid', async (context) => {
	const { jwt, alg, kid, keys } = assertionOf(context);
	const isOfAlg = ({ kty }: ClientKey) => kty === (alg === 'RS256' ? 'RSA' : 'EC');
	const tried = keys.filter((key) => isOfAlg(key) && (kid === undefined || (key.kid ?? kid) === kid));
	for (const jwk of tried)
		if (await isSignature(context, { alg, jwk }, jwt.content, jwt.signature).catch(() => false))
			return acceptKey(context, `${tried.length} of ${keys.length} keys fit`);
	await recordFailedAttempt(context, 'client', context.application.client_id);
	throw unverified({ received: [`${alg}, ${tried.length} of ${keys.length} registered keys fit`] });
});

/** Who sent the request is known from here on, for the log. */
function acceptKey(context: AssertionContext, note: string): void {
	context.client_id = context.application.client_id;
	context.note(note);
}

const checkAudience = check<AssertionContext>('client_assertion.audience_matches', (context) => {
	const { aud } = assertionOf(context).claims;
	const sent = typeof aud === 'string' ? [aud] : aud;
	const { base_url } = context.sandbox;
	const { issuer = base_url } = context.dialect.idToken ?? {};
	const expected = [...new Set([issuer, base_url, `${base_url}/ws/oauth2/token/`, `${base_url}${context.path}`])];
	if (!sent.some((one) => expected.includes(one)))
		throw rejected('aud must be the issuer of this server, or the URL of its token endpoint.', {
			received: sent,
			expected
		});
	context.compare(sent.join(' '), expected);
});

const checkTime = check<AssertionContext>('client_assertion.time_valid', (context) => {
	const { exp, iat = 0, nbf = iat } = assertionOf(context).claims;
	const now = context.sandbox.seconds();
	const left = exp - now;
	const { secretJwt: most = longest.lifetime } = context.dialect;
	const received = [`exp in ${Math.round(left)} s by the clock of the sandbox`];
	if (left <= 0)
		throw rejected('The assertion has expired. Sign a new one for each request.', { cause: 'expired', received });
	if (Math.max(iat, nbf) > now + tolerance)
		throw rejected('The assertion is not valid yet. Compare your clock with the header Date.', {
			cause: 'not_yet_valid'
		});
	if (left > most)
		throw rejected(`exp can be at most ${most} seconds ahead.`, {
			cause: 'too_long',
			received,
			expected: [`at most ${most} s`]
		});
	context.note(`Expires in ${Math.ceil(left)} s`);
});

const checkReplay = check<AssertionContext>('client_assertion.not_replayed', async (context) => {
	const { application } = context;
	const { jti, exp } = assertionOf(context).claims;
	// Only the secret of a provider has none.
	if (jti !== undefined) await useOnce(context, jti, exp);
	context.isAuthenticated = true;
	restrictCorsToClient(context, application);
	context.note(`${application.client_id}, ${application.kind} application`);
});

/** Keeps the identifier of an assertion until it expires, and rejects one that is kept. */
async function useOnce(context: AssertionContext, jti: string, exp: number): Promise<void> {
	const { application } = context;
	const digest = context.options.digest(jti);
	// `exp` may have a fraction, and is compared with whole seconds.
	const until = Math.ceil(exp) * 1000;
	let live: UsedAssertions['used'] = [];
	await context.store.update('used_assertions', application.client_id, (now) => {
		live = (now?.used ?? []).filter(([, end]) => end > context.now());
		if (now !== undefined && (isUsed(live, digest) || live.length >= maxUsed)) return now;
		return { used: [...live, [digest, until]], expires: Math.max(until, ...live.map(([, end]) => end)) };
	});
	if (!isUsed(live, digest) && live.length >= maxUsed)
		throw new ProtocolError(
			'too_many_attempts',
			`This client has used ${maxUsed} assertions that have not expired. Set exp to one minute ahead.`,
			{ headers: ['Retry-After', '60'] }
		);
	if (isUsed(live, digest)) throw rejected('This assertion was used before. Sign a new one, with a new jti.');
}

function isUsed(used: UsedAssertions['used'], digest: string): boolean {
	return used.some(([other]) => other === digest);
}

/** The authentication of a client by a signed assertion (RFC 7523, section 3). An assertion works once. */
export const assertionChecks = [
	checkAlone,
	readAssertion,
	checkIssuer,
	checkSignature,
	checkAudience,
	checkTime,
	checkReplay
] as const;

function assertionOf(context: Context): Assertion {
	const assertion = assertions.get(context);
	if (assertion === undefined) throw new Error('The assertion was not read.');
	return assertion;
}

function rejected(description: string, details: ErrorDetails = {}): ProtocolError {
	return new ProtocolError('invalid_client', description, details);
}

/** One error for an unknown client and for a wrong key. */
function unverified(details: ErrorDetails): ProtocolError {
	return rejected(
		'No registered key of this client verifies the assertion. Register its public key, and sign with it.',
		details
	);
}
