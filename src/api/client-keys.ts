import * as v from 'valibot';

const part = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,700}$/, 'Use base64url, as RFC 7518 says.'));
/**
 * The numbers of an RSA key: 2,048 to 4,200 bits (RFC 7518, section 3.3), without zeros before them, and an exponent of at most 64 bits,
 * because longer ones cost much time.
 */
export const rsaNumbers = {
	n: v.pipe(
		v.string(),
		v.regex(
			/^[B-Za-z0-9_-][A-Za-z0-9_-]{341,699}$/,
			'An RSA key must have at least 2,048 bits (RFC 7518, section 3.3).'
		)
	),
	e: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,11}$/, 'Use an exponent of at most 64 bits, such as AQAB.'))
};
const optional = v.exactOptional(v.pipe(v.string(), v.maxLength(200)));
const shared = { kid: optional, use: optional, alg: optional };
const only =
	'Send public keys only: kty, crv, x and y for P-256, or kty, n and e for RSA. kid, use and alg may be there, and nothing else.';

/** A public key of a client (RFC 7517). A private part is an error, so that its owner learns of it. */
const clientKey = v.variant('kty', [
	v.strictObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: part, y: part, ...shared }, only),
	v.strictObject({ kty: v.literal('RSA'), ...rsaNumbers, ...shared }, only)
]);

/** The public keys that an application signs its assertions with (RFC 7523, section 2.2). */
export const clientKeys = v.strictObject({
	keys: v.pipe(v.array(clientKey), v.minLength(1), v.maxLength(5))
});

export type ClientKeys = v.InferOutput<typeof clientKeys>;
export type ClientKey = v.InferOutput<typeof clientKey>;
