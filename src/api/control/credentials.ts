import * as v from 'valibot';
import { declare } from '../declare.ts';
import { deleted, instant, noApplication } from './fields.ts';

const scopes = v.array(v.string());
/** An id is the digest of the credential. The credential cannot be computed from it. */
const expiring = v.object({ id: v.string(), scopes, expires: instant });

/** The access that a user gave an application, or that it has for itself, and the credentials that are alive. */
export const liveGrant = v.object({
	id: v.string(),
	client_id: v.string(),
	application: v.string(),
	/** Absent: the application has access for itself. */
	username: v.optional(v.string()),
	scopes,
	offline: v.boolean(),
	/** Unix seconds, sandbox clock. */
	since: v.number(),
	/** When a token was last issued or used, exact to one minute. */
	last_used: v.optional(v.number()),
	/** At most 50 of each kind, newest first. */
	codes: v.array(expiring),
	access_tokens: v.array(expiring),
	refresh_tokens: v.array(v.object({ id: v.string(), scopes })),
	/** How many older codes and access tokens are left out. Some of them may be revoked. */
	more: v.number()
});

/** `GET credentials`: the 100 newest grants, newest first, and how many follow. */
export const credentials = v.object({ now: instant, grants: v.array(liveGrant), more: v.number() });

/** What `DELETE credentials/<kind>/<id>` can end. */
export const credentialKinds = ['grants', 'codes', 'access_tokens', 'refresh_tokens'] as const;

/** Which client sends a refresh token again. */
export const replayingClient = v.object({ client_id: v.string() });

/** What happened to a code or refresh token that was replayed. */
export const replayResult = v.object({
	/** Status of the response of the token endpoint. Null: no response. */
	status: v.nullable(v.number()),
	/** Its `X-Request-Id`. */
	request: v.optional(v.string())
});

export const credentialsApi = declare({
	'GET /control/credentials': {
		id: 'listCredentials',
		tag: 'Credentials',
		summary: 'List live credentials',
		description:
			'Lists the 100 newest grants with their unused codes, access tokens and refresh tokens. `more` counts what is left out. An `id` is the digest of a credential, and cannot be used in its place.',
		responses: { 200: { description: 'The grants, newest first.', json: credentials } }
	},
	'POST /control/credentials/codes/{id}/replay': {
		id: 'replayCode',
		tag: 'Credentials',
		summary: 'Replay a code',
		description:
			'Sends the token request of a used code again, as its client. The tokens that were issued for the code are revoked. Returns the `status` of the token endpoint, which the traffic log explains, and `request`, its `X-Request-Id`. A code that was not used gets 409 `conflict`.',
		responses: { 200: { description: 'What the token endpoint responded.', json: replayResult } },
		errors: { 404: 'The code is unknown.', 409: 'The code has not been used.' }
	},
	'POST /control/credentials/refresh_tokens/{id}/replay': {
		id: 'replayRefreshToken',
		tag: 'Credentials',
		summary: 'Replay a refresh token',
		description:
			'Sends a refresh request with the token, as the client in `{"client_id"}`. The token may have been revoked. Returns the `status` of the token endpoint, which the traffic log explains, and `request`, its `X-Request-Id`.',
		body: { schema: replayingClient, example: { client_id: 'character-viewer' } },
		responses: { 200: { description: 'What the token endpoint responded.', json: replayResult } },
		errors: noApplication
	},
	'DELETE /control/credentials/{kind}/{id}': {
		id: 'endCredential',
		tag: 'Credentials',
		summary: 'End a credential',
		description:
			'Ends one credential at once. `kind` is `codes`, `access_tokens`, `refresh_tokens`, or `grants` for a grant and all that was issued under it. The access tokens that were issued with a refresh token stay.',
		destroys: true,
		responses: { 200: { description: 'It has ended.', json: deleted } },
		errors: { 404: 'It has already ended, or never existed.' }
	}
});

export type LiveGrant = v.InferOutput<typeof liveGrant>;
export type Credentials = v.InferOutput<typeof credentials>;
export type ReplayResult = v.InferOutput<typeof replayResult>;
export type CredentialKind = (typeof credentialKinds)[number];
