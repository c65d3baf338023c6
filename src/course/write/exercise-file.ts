import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { code, line, listOf, name } from '#evidence/lesson-file/texts.ts';
import { exerciseGroups } from './exercise-groups.ts';

const [signIn, use, finish, repair, exam] = exerciseGroups;

const pattern = v.pipe(line(100), v.check(isPattern, 'Use a regular expression.'));
const change = v.strictObject({ from: code(600), to: code(1200) });

const head = {
	title: line(60),
	/** One sentence. */
	goal: line(120),
	/** The position in the list, from 1. */
	order: whole(1, 99),
	/** How long it takes. */
	minutes: whole(1, 120),
	/** The lesson that explains it. */
	lesson: v.exactOptional(name)
};

/** Of `start.ts.txt` and `solution.ts.txt`, each with what the file names as `given`. The start can be changes of the solution in the file. */
const programs = { start: v.string(), solution: v.string() };

const condition = v.strictObject({
	/** The name of its code. */
	id: name,
	/** What is shown: `The token request is a form`. */
	title: line(80),
	/** The id of the condition without which this one is not judged: it stays open until that one is met. */
	needs: v.exactOptional(name),
	/** Known mistakes, by the names of the code: a title, which follows “Near miss:”, and what happened and why, not how to repair it. */
	mistakes: v.exactOptional(v.record(name, v.strictObject({ title: line(80), text: line(300) })))
});

const task = v.strictObject({
	...head,
	group: v.picklist([signIn, use, finish, repair]),
	...programs,
	/** What the learner has to do. At most 50 words. */
	text: line(400),
	/** Where the editor opens: the first line that matches. */
	writesAt: pattern,
	/** What the solution does and other right programs may not do: why it matters later, and the line that does it. */
	differences: listOf(v.strictObject({ title: line(60), text: line(200), at: pattern }), 5, 'differences'),
	/** The condition that all results are as the code expects. */
	result: line(80),
	/** In the order in which they are usually met. */
	conditions: listOf(condition, 12, 'conditions'),
	/** Ids of rules of the exam that must not fail. */
	rules: listOf(v.string(), 12, 'rules'),
	/** From a nudge to nearly the solution. */
	hints: v.strictTuple([line(400), line(400), line(400)], 'Write three hints.'),
	/** Programs that almost work: changes of the solution, each with the condition or the rule that must fail. */
	nearMisses: v.pipe(
		listOf(
			v.strictObject({ name: line(80), condition: v.string(), changes: listOf(change, 4, 'changes') }),
			20,
			'near misses'
		),
		v.minLength(3, 'Add at least three.')
	)
});

/** An exercise: `src/content/exercises/<id>.yaml`, with its programs in the folder of this name. What it does is in `src/course/write/exercises/<id>.ts`. */
export const exerciseFile = v.variant(
	'group',
	[task, v.strictObject({ ...head, ...programs, group: v.literal(exam) })],
	`Use one of ${exerciseGroups.join(', ')}.`
);

/** What the list needs of it. */
export const exerciseSummaryParts = ['title', 'goal', 'order', 'group', 'minutes', 'lesson'] as const;

export type ExerciseFile = v.InferOutput<typeof exerciseFile>;
type Task = v.InferOutput<typeof task>;
export type ExerciseSummary = v.InferOutput<v.ObjectSchema<typeof head, undefined>> & Pick<ExerciseFile, 'group'>;
/** What learners get. */
export type ExerciseContent = Omit<Task, keyof ExerciseSummary | 'nearMisses'>;
/** What instructors and tests get besides. */
export type NearMisses = Task['nearMisses'];

function isPattern(text: string): boolean {
	try {
		return new RegExp(text).source !== '';
	} catch {
		return false;
	}
}
