import * as v from 'valibot';
import { instant } from './fields.ts';

const scopes = v.array(v.string());
/** An id is the digest of the credential. The credential cannot be computed from it. */
const expiring = v.object({ id: v.string(), scopes, expires: instant });

/** The access that a user gave an application, and the credentials that are alive. */
export const liveGrant = v.object({
	id: v.string(),
	client_id: v.string(),
	application: v.string(),
	username: v.string(),
	scopes,
	offline: v.boolean(),
	/** Unix seconds, sandbox clock. */
	since: v.number(),
	last_used: v.optional(v.number()),
	codes: v.array(expiring),
	access_tokens: v.array(expiring),
	refresh_tokens: v.array(v.object({ id: v.string(), scopes }))
});

/** `GET credentials`: newest grant first, and how many grants follow. */
export const credentials = v.object({ grants: v.array(liveGrant), more: v.number() });

/** What `DELETE credentials/<kind>/<id>` can end. */
export const credentialKinds = ['grants', 'codes', 'access_tokens', 'refresh_tokens'] as const;

export type LiveGrant = v.InferOutput<typeof liveGrant>;
export type Credentials = v.InferOutput<typeof credentials>;
export type CredentialKind = (typeof credentialKinds)[number];
