import * as v from 'valibot';
import { instant, text, whole } from './fields.ts';

/** The endpoints that a fault can be limited to. */
export const faultEndpoints = ['auth', 'token', 'revoke', 'character', 'ratelimits'] as const;

/**
 * What a fault does. `unauthorized`, `forbidden` and `rate_limited` are the true responses of the endpoint, `garbage` is a body that
 * cannot be parsed, `truncated` ends the connection in the middle of the body, `drop` sends no byte.
 */
export const faultKinds = [
	...(['delay', 'status', 'oauth_error', 'unauthorized', 'forbidden', 'rate_limited'] as const),
	...(['garbage', 'truncated', 'drop'] as const)
] as const;

/** The error codes of an `oauth_error`. */
export const faultErrors = [
	...(['invalid_request', 'invalid_client', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type'] as const),
	...(['unsupported_response_type', 'access_denied', 'server_error', 'temporarily_unavailable'] as const)
] as const;

const fields = {
	kind: v.picklist(faultKinds),
	/** Every endpoint without it. */
	endpoint: v.exactOptional(v.picklist(faultEndpoints)),
	/** Every application without it. */
	client_id: v.exactOptional(text(200)),
	/** For `status`. */
	status: v.exactOptional(whole(400, 599)),
	/** For `oauth_error`. */
	error: v.exactOptional(v.picklist(faultErrors)),
	/** For `delay`, in milliseconds. */
	delay_ms: v.exactOptional(whole(1, 30_000))
};

/** `POST faults`. */
export const newFault = v.strictObject({
	...fields,
	/** How many responses fail; `null`: until it is deleted or its hour is over. */
	times: v.optional(v.nullable(whole(1, 1_000)), 1),
	/** How many of 100 matching requests fail. */
	percentage: v.optional(whole(1, 100), 100),
	/** True: the service handles the request first, and only the response fails. */
	after_commit: v.optional(v.boolean(), false)
});

/** A fault that is still active. */
export const fault = v.object({
	...fields,
	id: v.string(),
	/** How many more responses fail; `null`: all until it ends. */
	times: v.nullable(v.number()),
	percentage: v.number(),
	after_commit: v.boolean(),
	/** When it ends, by the real clock. */
	until: instant
});

/** `GET faults`. */
export const faults = v.object({ faults: v.array(fault) });

export type NewFault = v.InferInput<typeof newFault>;
export type Fault = v.InferOutput<typeof fault>;
