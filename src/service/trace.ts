/** What became of one step: it went on, it answered, or it refused. */
export type CheckOutcome = 'passed' | 'responded' | 'failed';

/** One line of a decision trace: what the service checked, what it saw there, and which section asks for it. */
export type TraceLine = {
	readonly name: string;
	/** A section of the specification ("2.3"), or of an RFC ("RFC 6749 §5.2"). */
	readonly section: string;
	outcome: CheckOutcome;
	/** In words, without secrets. */
	detail: string;
	/** Whole microseconds. */
	duration_us: number;
};
