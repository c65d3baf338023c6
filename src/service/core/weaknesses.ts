import type { Dialect } from '#api/dialect.ts';

/**
 * What the service of a lab does wrong. A lab in a page passes them to `assembleService`. No setting, preset, world, snapshot, header or
 * environment variable names them, so no other service has any.
 */
export type Weakness =
	/** A request without a code challenge gets a code, which any verifier exchanges (RFC 9700, section 4.8.2). */
	| 'challenge_optional'
	/** A refresh token works any number of times (RFC 9700, section 4.14.2). */
	| 'refresh_token_kept'
	/** A refresh gets scopes that the user did not grant (RFC 6749, section 6). */
	| 'scope_widened'
	/** A redirect URI may continue a registered one (RFC 9700, section 4.1). */
	| 'redirect_uri_prefix'
	/** The browser repeats the form of a sign-in where it is redirected to (RFC 9700, section 4.12). */
	| 'redirect_307'
	/** The consent page has the name of a client, and not where it leads (RFC 6819, section 4.4.1.4). */
	| 'consent_without_host'
	/** The consent page of a device does not say that the user's own device must show the code (RFC 8628, section 5.4). */
	| 'device_code_hidden';

export type Weaknesses = ReadonlySet<Weakness>;

/** Those of every service outside a lab. */
export const noWeaknesses: Weaknesses = new Set();

/** The dialect with what the weaknesses change of it. */
export function weakenedDialect(dialect: Dialect, weaknesses: Weaknesses): Dialect {
	if (weaknesses.size === 0) return dialect;
	return {
		...dialect,
		...(weaknesses.has('challenge_optional') && { pkce: 'optional' }),
		...(weaknesses.has('refresh_token_kept') && { refresh: 'kept' })
	};
}
