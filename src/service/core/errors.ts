import type { Cause } from '#api/checks.ts';
import { type ErrorCode, serviceErrors } from '#api/errors.ts';

export type { ErrorCode };

/** A problem type for the body of an error in JSON (RFC 9457, section 3.1). */
export type Problem = {
	readonly type: string;
	readonly title: string;
	readonly 'violated-policies': readonly string[];
};

export type ErrorDetails = {
	/** Where it differs from the code's usual status. */
	readonly status?: number;
	/** Further response headers, flat. */
	readonly headers?: readonly string[];
	/** For the trace. */
	readonly cause?: Cause | undefined;
	/** What was sent and what would have passed, for the error page and the trace. They redact secrets. */
	readonly received?: readonly string[];
	readonly expected?: readonly string[];
	/** Only the trace shows what would have passed. */
	readonly hidesExpected?: boolean;
	/** The field of the request body that is wrong: `limits.character`. */
	readonly field?: string | undefined;
	/** Where the body describes the problem as RFC 9457 does. */
	readonly problem?: Problem | undefined;
};

/** An error with the error code of the protocol. Its message is the `error_description`. */
export class ProtocolError extends Error {
	override name = 'ProtocolError';
	readonly status: number;
	readonly headers: readonly string[];
	override readonly cause: Cause | undefined;
	readonly received: readonly string[] | undefined;
	readonly expected: readonly string[] | undefined;
	readonly hidesExpected: boolean;
	readonly field: string | undefined;
	readonly problem: Problem | undefined;

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
		this.status = details.status ?? serviceErrors[code].status;
		this.headers = details.headers ?? [];
		this.cause = details.cause;
		this.received = details.received;
		this.expected = details.expected;
		this.hidesExpected = details.hidesExpected ?? false;
		this.field = details.field;
		this.problem = details.problem;
	}
}
