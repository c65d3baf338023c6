import * as v from 'valibot';

/** The status of each error code, unless an error says otherwise. */
export const errorStatuses = {
	// RFC 6749, sections 4.1.2.1 and 5.2
	invalid_request: 400,
	invalid_client: 401,
	invalid_grant: 400,
	invalid_scope: 400,
	unsupported_grant_type: 400,
	unsupported_response_type: 400,
	access_denied: 403,
	server_error: 500,
	temporarily_unavailable: 503,
	// RFC 6750, section 3.1
	invalid_token: 401,
	insufficient_scope: 403,
	// this service
	rate_limit_exceeded: 400,
	too_many_attempts: 429,
	not_found: 404,
	method_not_allowed: 405,
	payload_too_large: 413,
	unsupported_media_type: 415,
	forbidden: 403,
	conflict: 409,
	limit_reached: 409
} as const;

/** The error codes that leave the service, protocol spelling. */
export type ErrorCode = keyof typeof errorStatuses;

const isErrorCode = (name: string): name is ErrorCode => name in errorStatuses;

/** The body of every error (RFC 6749, section 5.2). */
export const error = v.object({
	error: v.picklist(Object.keys(errorStatuses).filter(isErrorCode)),
	error_description: v.string(),
	/** The field of the request body that is wrong, as a path: `limits.character`. Control API only. */
	field: v.optional(v.string())
});

export type ErrorBody = v.InferOutput<typeof error>;
