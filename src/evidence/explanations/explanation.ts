/** What a rule means to the developer of a client. */
export type RuleExplanation = {
	/** When the rule fails, in one sentence. */
	readonly condition: string;
	/** Why it matters, in one sentence. */
	readonly why: string;
	/** JavaScript that breaks the rule, and the same that follows it, line by line. */
	readonly wrong: string;
	readonly right: string;
	/** JavaScript that follows the rule where several requests run at the same time. */
	readonly parallel?: string;
	/** What differs for clients of today's standards. */
	readonly standard?: Partial<Omit<RuleExplanation, 'standard'>>;
};

/** Explanations by the ids of rules. */
export type RuleExplanations = Readonly<Record<string, RuleExplanation>>;

/** Code of several lines. */
export const code = (...lines: readonly string[]): string => lines.join('\n');
