import * as v from 'valibot';
import type { CheckRow } from './check-row.ts';

const text = v.pipe(v.string(), v.nonEmpty('Write a text.'));
const sentences = v.pipe(v.string(), v.regex(/^[A-Za-z].{6,}\.$/, 'Write a whole sentence.'));
const line = v.pipe(v.string(), v.regex(/^[^\n]{4,110}$/, 'Write one line of 4 to 110 characters.'));
/** Of the specification: "2.3". Of a standard: "RFC 6749 §5.2". */
const section = v.pipe(
	v.string(),
	v.regex(/^\d(?:\.\d)?$|^\S.* §\d+(?:\.\d+)*$/, 'Name a section: RFC 6749 §5.2, or 2.3.')
);

/** Why a check failed, what to change in the client, and one line of code for it. */
const explanation = { why: sentences, fix: sentences, code: v.exactOptional(line) };
/** The same where it differs, or is not needed. */
const partly = { why: v.exactOptional(sentences), fix: v.exactOptional(sentences), code: v.exactOptional(line) };

/** Why a check failed: the outcome of the request, and what it means. */
export const causeRecord = v.strictObject({
	/** As in "invalid_grant · unknown code". */
	failed: text,
	...explanation,
	/** What differs with today's standards. */
	standard: v.exactOptional(v.strictObject(partly))
});

/** All texts of a check: a record of `src/content/checks`. */
export const checkRecord = v.strictObject({
	/** What holds if the check passed, for readers of a trace. */
	title: text,
	/** What requires it. Absent: nothing does. */
	section: v.exactOptional(section),
	/** What differs with today's standards. A check of the specification names the section there, or `same`: no standard requires it. */
	standard: v.exactOptional(
		v.strictObject({
			section: v.exactOptional(v.union([v.literal('same'), section])),
			title: v.exactOptional(text),
			...partly
		})
	),
	/** The outcome of a request that it responds to. `{resource}` is what the world calls its resource, `{kind}` the kind of a request for records, `{page}` the page that was sent. */
	responds: v.exactOptional(text),
	/** The outcome of a request that it rejects. */
	failed: v.exactOptional(text),
	...partly,
	causes: v.exactOptional(v.record(v.string(), causeRecord)),
	/** Of a code or token that the service does not know, what the log knows. */
	history: v.exactOptional(v.record(v.string(), v.strictObject(explanation))),
	/** Changes of the request builder. `accepted` says what is wrong with one although the service accepts it. */
	mistakes: v.exactOptional(
		v.record(v.string(), v.strictObject({ label: v.exactOptional(text), accepted: v.exactOptional(sentences) }))
	)
});

export type CheckRecord = v.InferOutput<typeof checkRecord>;
type InStandard = NonNullable<CheckRecord['standard']>;

/** What the service writes into a trace, `?about`. */
export const checkTitleParts = ['title', 'section'] as const;
export type CheckTitle = Readonly<Pick<CheckRecord, 'title' | 'section'>> & {
	readonly standard?: Readonly<Pick<InStandard, 'title' | 'section'>>;
};

/** What a page knows of a check in a log, `?logged`: its title, the outcomes of requests in words, and what it reads. */
export const loggedParts = [...checkTitleParts, 'responds', 'failed'] as const;
export type LoggedCheck = CheckTitle &
	Readonly<Pick<CheckRecord, 'responds' | 'failed'>> & {
		readonly causes?: Readonly<Record<string, { readonly failed: string }>>;
	} & Pick<CheckRow, 'reads' | 'setBy'>;

/** The request builder's changes, `?mistakes`. */
export type CheckMistakes = Readonly<Pick<CheckRecord, 'mistakes'>>;

export type CheckExplanation = Readonly<Pick<v.InferOutput<typeof causeRecord>, 'why' | 'fix' | 'code'>>;

type PartlyExplained = Partial<CheckExplanation> & { readonly standard?: Partial<CheckExplanation> };

/** What its failures mean: all that no other part has. */
export type ExplainedCheck = PartlyExplained & {
	readonly causes?: Readonly<Record<string, PartlyExplained>>;
	readonly history?: Readonly<Record<string, PartlyExplained>>;
};
