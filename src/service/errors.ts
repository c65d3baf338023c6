import { errorStatuses, type ErrorCode } from '#wire/protocol/error.ts';

export type { ErrorCode };

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
		this.status = details.status ?? errorStatuses[code];
		this.headers = details.headers ?? [];
		this.received = details.received;
		this.expected = details.expected;
		this.field = details.field;
	}
}
