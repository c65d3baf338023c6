import * as v from 'valibot';

const text = v.pipe(v.string(), v.nonEmpty('Write a text.'));
/** `RFC 9700 §4.14`, or `§ 3.1` of the specification. */
const section = v.pipe(
	text,
	v.regex(/§ ?[A-Z]?\.?\d/, 'Name a section: RFC 9700 §4.14, or § 3.1 of the specification.')
);
const sections = v.pipe(v.array(section), v.readonly());
/** `{call}` is a count with its noun, `{refresh|refreshes}` one with its plural. */
const counted = v.pipe(
	text,
	v.regex(/^(?:[^{}]|\{[a-z][a-z -]*(?:\|[a-z][a-z -]*)?\})+$/, 'Write a count as {call} or {refresh|refreshes}.')
);

/** What a rule says where a file of other providers shows it. */
const fileWords = v.strictObject({ needs: text, why: text, fix: text, failed: text });

/** All texts of a rule of the exam: a record of `src/content/rules`. */
export const ruleRecord = v.strictObject({
	/** What holds if the rule passes: `Parallel calls share one refresh`. */
	title: text,
	sections,
	/** What the client must have done before the rule can judge: `two sign-ins`. Follows "Needs:". */
	needs: text,
	/** When the rule fails, in one sentence. */
	condition: text,
	/** Why it matters, in one sentence. */
	why: text,
	/** What happened, in one sentence. */
	failed: counted,
	/** One sentence that says how to repair the client. */
	fix: text,
	/** JavaScript that breaks the rule, and the same that follows it, line by line. */
	wrong: text,
	right: text,
	/** JavaScript that follows the rule where several requests run at the same time. */
	parallel: v.exactOptional(text),
	/** What differs for clients of today's standards. */
	standard: v.exactOptional(
		v.strictObject({
			/** Why the rule does not apply, in one sentence. */
			leftOut: v.exactOptional(text),
			sections: v.exactOptional(sections),
			needs: v.exactOptional(text),
			condition: v.exactOptional(text),
			why: v.exactOptional(text),
			failed: v.exactOptional(counted),
			fix: v.exactOptional(text),
			wrong: v.exactOptional(text),
			right: v.exactOptional(text),
			parallel: v.exactOptional(text)
		})
	),
	har: v.exactOptional(fileWords)
});

export type RuleRecord = v.InferOutput<typeof ruleRecord>;

/** What a list of rules shows, `?about`. */
export const ruleTextParts = ['title', 'sections', 'needs', 'failed', 'fix', 'leftOut'] as const;
type TextPart = (typeof ruleTextParts)[number];
type InStandard = NonNullable<RuleRecord['standard']>;

export type RuleTexts = Readonly<Pick<RuleRecord, Exclude<TextPart, 'leftOut'>>> & {
	readonly standard?: Readonly<Pick<InStandard, Exclude<TextPart, 'title'>>>;
};

/** What a rule means to the developer of a client: all that a list of rules does not show. */
export type RuleExplanation = Readonly<Pick<RuleRecord, 'condition' | 'why' | 'wrong' | 'right' | 'parallel'>> & {
	readonly standard?: Readonly<Omit<InStandard, TextPart>>;
};

/** What a rule says about a file, `?har`. */
export type FileWords = Readonly<v.InferOutput<typeof fileWords>>;
