/** An error as the page shows it: what happened, why, and what to do next. */
export type ErrorMessage = {
	readonly title: string;
	readonly reason: string;
	readonly nextStep: string;
	/** Section of the specification. */
	readonly section: string;
	/** What the page can offer as a button. */
	readonly action: 'sign-in' | 'retry' | 'wait' | 'settings' | 'support' | 'none';
};

/** A message as the tables list it. */
export type ErrorMessageRow = readonly [
	title: string,
	reason: string,
	nextStep: string,
	section: string,
	action: ErrorMessage['action']
];
