import * as v from 'valibot';
import { spokenTitles } from '#api/dialect.ts';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { whole } from '#api/control/fields.ts';
import { chapters } from './chapters.ts';
import { comparison, contentOf, head, shown } from './lesson-file.ts';
import { line, listOf, name } from './texts.ts';
import { tool } from './tools.ts';

/** Something that code decides: a file of `src/course/lessons/conditions`, and the name of a part of it. */
const code = v.strictObject({
	kind: v.literal('code'),
	name: v.pipe(v.string(), v.regex(/^[a-z-]+\.[a-z_]+$/, 'Use the name of a file and of a part of it.'))
});

/** What is done to a rate limit, to a device or to a key. These tools are loaded with their first use. */
const limitTool = v.variant('action', [
	/** Sends one request of the viewer, whatever it knows about the limit. */
	v.strictObject({
		kind: v.literal('limit'),
		action: v.literal('send'),
		name: line(100),
		/** That it counts for, where it is not the one of the network. */
		address: v.exactOptional(line(40))
	}),
	/** Moves the clock to minutes after the reset, or before it. */
	v.strictObject({ kind: v.literal('limit'), action: v.literal('move'), minutes: whole(-60, 60) }),
	v.strictObject({
		kind: v.literal('limit'),
		action: v.literal('algorithm'),
		value: v.picklist(limitAlgorithmNames, 'Use the name of an algorithm.')
	}),
	/** Starts clients that wait for the reset when they are rejected, and for up to `spread` seconds more, then send once more. */
	v.strictObject({ kind: v.literal('limit'), action: v.literal('herd'), spread: whole(0, 60) })
]);

/** A control that a step of a lesson needs. */
const lessonTool = v.variant(
	'kind',
	[
		...tool.options,
		limitTool,
		/** The page for the code of a device, in another tab. */
		v.strictObject({ kind: v.literal('device') }),
		/** A new key pair of the application. */
		v.strictObject({ kind: v.literal('key') }),
		/** Lets the application exchange tokens without naming itself. */
		v.strictObject({ kind: v.literal('impersonation') }),
		/** Lets the sandbox speak like a simulated provider. */
		v.strictObject({
			kind: v.literal('provider'),
			value: v.picklist(Object.keys(spokenTitles), 'Use the name of a file of src/content/providers.')
		})
	],
	tool.message
);
export type Tool = v.InferOutput<typeof lessonTool>;

/** An option of a question, and what a learner reads who chooses it. */
export const questionOption = v.strictObject({
	text: line(160),
	feedback: line(240),
	isRight: v.exactOptional(v.literal(true, 'Write true, or leave it out.'))
});

const review = v.strictObject({
	id: name,
	question: line(300),
	options: listOf(questionOption, 4, 'options'),
	/** Ids of the lessons that ask it. */
	askedIn: listOf(v.string(), 5, 'lessons that ask it')
});

const content = contentOf(
	lessonTool,
	v.variant('kind', [...shown.options, code], shown.message),
	v.variant('kind', [
		v.strictObject({ kind: v.exactOptional(v.literal('exchanges')), ...comparison.entries }),
		v.strictObject({ kind: v.literal('code'), name: code.entries.name, columns: comparison.entries.columns })
	])
);

/** A lesson of the product: `src/content/lessons/<id>.yaml`. What a lesson file has, its place in the course, and names of code. */
export const productLesson = v.strictObject({
	...head,
	/** Position in the list. */
	order: whole(1, 99),
	chapter: v.picklist(chapters, `Use one of ${chapters.join(', ')}.`),
	/** Whose browser the other tabs with its sandbox are, where that is not the learner’s. */
	otherTab: v.exactOptional(line(60)),
	/** Whether the 90-minute selection includes it. */
	isInSelection: v.exactOptional(v.literal(true, 'Write true, or leave it out.')),
	/** Questions about this lesson that later lessons repeat. */
	review: v.exactOptional(listOf(review, 3, 'review questions')),
	...content
});
/** What the list needs of it. */
export const summaryParts = ['title', 'goal', 'order', 'chapter', 'otherTab', 'minutes', 'isInSelection'] as const;

/** A question about a lesson, asked at the end of later ones. */
export type ReviewQuestion = v.InferOutput<typeof review>;
export type ProductLesson = v.InferOutput<typeof productLesson>;
/** What the list shows. `isFile`: whether instructors can write it, too, without code and tools of the product. */
export type LessonSummary = Pick<ProductLesson, (typeof summaryParts)[number]> & { readonly isFile?: true };
export type LessonContent = Omit<ProductLesson, keyof LessonSummary | 'review'>;
