/** `passed`: the next check followed. `responded`: the check produced the response. `failed`: it rejected the request. */
export type CheckOutcome = 'passed' | 'responded' | 'failed';

/** One line of the decision trace of a request. */
export type TraceLine = {
	/** The stable id of the check: `token.code_not_used`. */
	readonly id: string;
	/** The title of the check, for readers. */
	readonly name: string;
	/** A section of the specification ("2.3") or of an RFC ("RFC 6749 §5.2"). Empty where none requires the check. */
	readonly section: string;
	outcome: CheckOutcome;
	/** What the check saw, in words. Contains no secret. */
	detail: string;
	/** Whole microseconds. */
	duration_us: number;
};
