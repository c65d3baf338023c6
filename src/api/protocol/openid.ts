import * as v from 'valibot';
import { declare } from '../declare.ts';
import { serverMetadata } from './standard.ts';

/** The algorithms of ID tokens (RFC 7518, section 3.1). The first one is used where none was chosen. */
export const signingAlgorithms = ['RS256', 'ES256'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** What the service says of a user. */
export const userInfo = v.object({
	sub: v.string(),
	/** Scope `profile`. */
	name: v.optional(v.string()),
	preferred_username: v.optional(v.string()),
	/** Scope `email`. */
	email: v.optional(v.string())
});

/** What an ID token says (OpenID Connect Core 1.0, section 2). */
export const idTokenClaims = v.object({
	iss: v.string(),
	...userInfo.entries,
	aud: v.string(),
	/** Unix seconds. */
	iat: v.pipe(v.number(), v.integer()),
	exp: v.pipe(v.number(), v.integer()),
	auth_time: v.optional(v.pipe(v.number(), v.integer())),
	/** If the request had one. */
	nonce: v.optional(v.string()),
	at_hash: v.string()
});

/** A public key (RFC 7517). */
const publicKey = v.object({
	kty: v.picklist(['RSA', 'EC']),
	use: v.literal('sig'),
	alg: v.picklist(signingAlgorithms),
	kid: v.string(),
	/** Of an RSA key. */
	n: v.optional(v.string()),
	e: v.optional(v.string()),
	/** Of an EC key. */
	crv: v.optional(v.string()),
	x: v.optional(v.string()),
	y: v.optional(v.string())
});

export const keySet = v.object({ keys: v.array(publicKey) });

/** A sign-out that a client asks for (OpenID Connect RP-Initiated Logout 1.0, section 2). */
const endSessionRequest = v.object({
	id_token_hint: v.optional(v.string()),
	client_id: v.optional(v.string()),
	/** Registered for the client. */
	post_logout_redirect_uri: v.optional(v.string()),
	state: v.optional(v.string())
});

const endSession = {
	tag: 'Authorization',
	dialect: 'standard',
	isPage: true,
	access: 'session',
	responses: {
		200: { description: 'The page that asks the user, or that says that the user is signed out.', page: true },
		303: { description: 'Signed out. The `post_logout_redirect_uri`.', headers: ['Location'] }
	},
	errors: {
		400: 'The client is unknown, or `post_logout_redirect_uri` is not registered.',
		403: 'The form belongs to another session or site.'
	}
} as const;

const userInfoEndpoint = {
	tag: 'Resources',
	dialect: 'standard',
	access: 'access token',
	responses: { 200: { description: 'The user of the access token.', json: userInfo } },
	errors: {
		400: 'The request has more than one access token.',
		401: 'The access token is missing or not valid.',
		403: 'The access token was issued without the scope `openid`.'
	}
} as const;

/** OpenID Connect: a client signs users in, and learns who they are. */
export const openidEndpoints = declare({
	'GET /.well-known/openid-configuration': {
		id: 'readOpenidConfiguration',
		tag: 'Authorization',
		dialect: 'standard',
		summary: 'Read the OpenID configuration',
		description:
			'The same metadata, where clients of OpenID Connect look for it (OpenID Connect Discovery 1.0). Ask for the scope `openid` to get an ID token.',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: serverMetadata } }
	},
	'GET /ws/oauth2/jwks': {
		id: 'readKeys',
		tag: 'Authorization',
		dialect: 'standard',
		summary: 'Read the public keys',
		description: 'The keys that verify ID tokens, as a JWK set (RFC 7517). The newest key signs.',
		access: 'everybody',
		responses: { 200: { description: 'The keys, newest first.', json: keySet } }
	},
	'GET /ws/oauth2/logout': {
		...endSession,
		id: 'endSession',
		summary: 'Sign a user out',
		description:
			'A client sends the user here to end the session at the service (OpenID Connect RP-Initiated Logout 1.0). Without an `id_token_hint` of the user who is signed in, the user confirms.',
		query: endSessionRequest
	},
	'POST /ws/oauth2/logout': {
		...endSession,
		id: 'endSessionByForm',
		summary: 'Sign a user out by POST',
		description: 'The same with a form.',
		body: { form: true, schema: endSessionRequest, example: { client_id: 'character-viewer', state: 's' } }
	},
	'GET /ws/oauth2/userinfo': {
		...userInfoEndpoint,
		id: 'readUserInfo',
		summary: 'Read the user',
		description: 'Who the user of the access token is (OpenID Connect Core 1.0, section 5.3).'
	},
	'POST /ws/oauth2/userinfo': {
		...userInfoEndpoint,
		id: 'readUserInfoByPost',
		summary: 'Read the user by POST',
		description: 'The same with the method POST. The access token is in the header.'
	}
});

export type UserInfo = v.InferOutput<typeof userInfo>;
export type PublicKey = v.InferOutput<typeof publicKey>;
