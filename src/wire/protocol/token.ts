import * as v from 'valibot';

const client = {
	client_id: v.optional(v.string()),
	client_secret: v.optional(v.string())
};

/** A token request with a code (specification, section 2.3). */
export const codeExchange = v.object({
	grant_type: v.literal('authorization_code'),
	code: v.string(),
	redirect_uri: v.string(),
	...client,
	/** PKCE (RFC 7636). */
	code_verifier: v.optional(v.string()),
	/** An installed application can ask for offline access here. */
	access_type: v.optional(v.picklist(['online', 'offline']))
});

/** A token request with a refresh token (specification, section 2.3). */
export const refreshRequest = v.object({
	grant_type: v.literal('refresh_token'),
	refresh_token: v.string(),
	...client,
	scope: v.optional(v.string())
});

/** `POST /ws/oauth2/token/`. */
export const tokenRequest = v.union([codeExchange, refreshRequest]);

/** The fields of a token response (specification, section 2.4) and the additional fields `token_type` and `scope`. */
export const tokenResponse = v.object({
	access_token: v.string(),
	/** Seconds. */
	expires_in: v.pipe(v.number(), v.integer()),
	/** The scheme that resources accept. `Bearer` in a sandbox that is not strict, because libraries expect it. */
	token_type: v.picklist(['OAuth', 'Bearer']),
	scope: v.string(),
	refresh_token: v.optional(v.string())
});

/** The query of `GET /ws/oauth2/revoke`. */
export const revocationRequest = v.object({ token: v.string(), client_id: v.string() });

export const revocation = v.object({ revoked: v.literal(true) });

export type TokenResponse = v.InferOutput<typeof tokenResponse>;
export type Revocation = v.InferOutput<typeof revocation>;
