/**
 * An error of the client. `code` is the service's error code where it sent one, else one of the client's own:
 * - callback: `state_missing`, `state_unknown`, `state_used`, `state_other_session`, `issuer_mismatch`, `ambiguous_response`,
 *   `empty_response`, `pkce_required`, `exchange_unknown`
 * - tokens: `signed_out`, `session_expired`, `access_revoked`, `rejected_after_refresh`, `refresh_failed`
 * - transport: `no_response`, `unexpected_response`, `aborted`
 * - anything else: `client_error`
 * @example
 * try {
 * 	await tokens.getAccessToken(id);
 * } catch (error) {
 * 	if (error instanceof ClientError && error.code === 'session_expired') signInAgain();
 * }
 */
export class ClientError extends Error {
	override name = 'ClientError';
	/** HTTP status, where there was a response. */
	readonly status: number | undefined;
	/** When a retry makes sense, in milliseconds since 1970 by the clock passed in. */
	readonly retryAt: number | undefined;
	/** The service's `X-Request-Id`, where there was a response. */
	readonly requestId: string | undefined;

	/**
	 * @param code see above
	 * @param description what the service said about it, sanitized; empty for nothing
	 * @param details what else is known
	 */
	constructor(
		readonly code: string,
		description = '',
		details: {
			status?: number | undefined;
			retryAt?: number | undefined;
			requestId?: string | undefined;
			cause?: unknown;
		} = {}
	) {
		super(description, { cause: details.cause });
		this.status = details.status;
		this.retryAt = details.retryAt;
		this.requestId = details.requestId;
	}
}

/**
 * Converts whatever a `catch` caught.
 * @param thrown a `ClientError` is returned as is, everything else becomes `client_error`
 * @example
 * toClientError(new TypeError('fetch failed')).code; // 'client_error'
 */
export function toClientError(thrown: unknown): ClientError {
	if (thrown instanceof ClientError) return thrown;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return new ClientError('client_error', sanitizeLine(message), { cause: thrown });
}

/**
 * Makes untrusted text safe to show: one line, no control or direction characters, at most 200 characters.
 * @param text as received
 * @example
 * sanitizeLine('two\nlines'); // 'two lines'
 */
export function sanitizeLine(text: string): string {
	const line = text
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
		.replace(/ {2,}/g, ' ')
		.trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
