/** Something that went wrong, named by the service's own code where it had one. */
export class Problem extends Error {
	override name = 'Problem';
	/** `invalid_grant`, `rate_limit_exceeded`… from the service, or one of the client's own, see `explanations`. */
	readonly code: string;
	/** The HTTP status, where there was an answer. */
	readonly status: number | undefined;
	/** When it is worth trying again, in milliseconds by the service's clock. */
	readonly until: number | undefined;
	/** The service's `X-Request-Id`, where there was an answer. */
	readonly requestId: string | undefined;

	/**
	 * @param code see above
	 * @param detail what the service said about it, already safe to show; empty for nothing
	 * @param more what else is known
	 */
	constructor(
		code: string,
		detail = '',
		more: { status?: number; until?: number; requestId?: string; cause?: unknown } = {}
	) {
		super(detail, { cause: more.cause });
		this.code = code;
		this.status = more.status;
		this.until = more.until;
		this.requestId = more.requestId;
	}
}

/**
 * Text from somebody else, made safe to show: no control or direction characters, one line, at most 200 characters.
 * @param text as received
 */
export function plain(text: string): string {
	const line = text
		.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu, ' ')
		.replace(/ {2,}/g, ' ')
		.trim();
	return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

/**
 * Any thrown thing as a problem.
 * @param thrown what a `catch` caught
 */
export function problemOf(thrown: unknown): Problem {
	if (thrown instanceof Problem) return thrown;
	const said = thrown instanceof Error ? thrown.message : String(thrown);
	return new Problem('client_fault', plain(said), { cause: thrown });
}
