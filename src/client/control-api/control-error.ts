/** A control request that the service rejected, or that got no response. */
export class ControlError extends Error {
	override name = 'ControlError';

	/**
	 * @param code the error code of the response; `no_response` without one
	 * @param description what happened and what to do next, for users
	 * @param status 0 without a response
	 * @param field the field of the request body that is wrong: `limits.character`
	 */
	constructor(
		readonly code: string,
		description: string,
		readonly status: number,
		readonly field?: string
	) {
		super(description);
	}
}
