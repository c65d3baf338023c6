const statuses = {
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
export type ErrorCode = keyof typeof statuses;

export type ErrorDetails = {
	/** Where it differs from the code's usual status. */
	readonly status?: number;
	/** Further response headers, flat. */
	readonly headers?: readonly string[];
	/** What was sent and what would have passed, for the error page. Contains no secret. */
	readonly received?: readonly string[];
	readonly expected?: readonly string[] | undefined;
	/** The field of the request body that is wrong: `limits.character`. */
	readonly field?: string | undefined;
};

/** An error with the error code of the protocol. Its message is the `error_description`. */
export class ProtocolError extends Error {
	override name = 'ProtocolError';
	readonly status: number;
	readonly headers: readonly string[];
	readonly received: readonly string[] | undefined;
	readonly expected: readonly string[] | undefined;
	readonly field: string | undefined;

	/**
	 * @param code the protocol's error code
	 * @param description what happened, why, and what to do next; holds no secret
	 */
	constructor(
		readonly code: ErrorCode,
		description: string,
		details: ErrorDetails = {}
	) {
		super(description);
		this.status = details.status ?? statuses[code];
		this.headers = details.headers ?? [];
		this.received = details.received;
		this.expected = details.expected;
		this.field = details.field;
	}
}
