import * as v from 'valibot';
import { username, whole } from '#api/control/fields.ts';
import { preset } from '#api/control/preset.ts';
import { terms } from './glossary.ts';
import { observation, reading } from './observations.ts';
import { code, line, listOf, name, prose } from './texts.ts';
import { tool } from './tools.ts';

/** How many conditions a lesson has at most: as many as the board of a class counts. */
export const maxConditions = 30;

const party = v.picklist(
	['user', 'browser', 'application', 'thief', 'authorization', 'resource'],
	'Use the name of a column.'
);
/** A faint arrow of the diagram. */
const arrow = { from: party, to: party, label: line(60) };

/** What the learner shows, and what is said until then. */
const condition = v.strictObject({
	/** Stable: `code_issued`. Other parts of the file refer to it. */
	id: name,
	/** What is shown, for the list: `The application got a code`. */
	label: line(120),
	/** What is missing, in a sentence. */
	unmet: line(240),
	/** The account that has to do it. */
	user: v.exactOptional(username),
	shows: v.variant('kind', [...observation.options, reading], observation.message),
	/** What to say instead of `unmet` after an exchange that is a known trap. */
	near: v.exactOptional(
		listOf(v.strictObject({ shows: observation, text: line(240) }), 5, 'near misses of a condition')
	)
});

const step = v.strictObject({
	title: line(60),
	/** The instruction. `{brand}` is the name of the service, `{base_url}` its base URL. */
	text: prose(300),
	/** The controls of the step. Without them: what the learner's own client needs. */
	tools: v.exactOptional(listOf(tool, 2, 'tools of a step')),
	/** In the order in which they are met. The last one ticks the step. */
	conditions: v.pipe(
		v.array(condition, 'Use a list.'),
		v.minLength(1, 'A step needs a condition.'),
		v.maxLength(5, 'A step can have at most 5 conditions.')
	),
	/** Its faint arrows. Without them: those of its conditions. */
	expected: v.exactOptional(listOf(v.strictObject(arrow), 3, 'arrows of a step')),
	/** What its messages are folded to when it is done. */
	folds: v.exactOptional(line(60))
});

const option = v.strictObject({
	text: line(160),
	/** The lines of the response that it implies: the status, and what `shows` names. */
	implies: listOf(line(120), 3, 'lines of a response'),
	/** Why it is right or wrong, in one sentence. */
	feedback: line(240),
	isRight: v.exactOptional(v.literal(true, 'Write true at the right option, and leave it out at the others.'))
});

const comparedValue = v.strictObject({ condition: name });

const prediction = v.strictObject({
	title: line(60),
	question: line(300),
	options: v.pipe(
		v.array(option, 'Use a list.'),
		v.minLength(2, 'A prediction has at least 2 options.'),
		v.maxLength(4, 'A prediction has at most 4 options.'),
		v.check((all) => all.filter(({ isRight }) => isRight).length === 1, 'Mark exactly one option with "isRight": true.')
	),
	/** Id of the condition whose exchange shows the right option. */
	shownBy: name,
	/** The part of its response that decides: `body`, `body` and a member of it, or the name of a header. */
	shows: v.pipe(v.string(), v.regex(/^(?:body(?: [\w-]{1,40})?|[\w-]{1,40})$/, 'Use "body", or the name of a header.')),
	/** The responses to two exchanges side by side. */
	comparison: v.exactOptional(
		v.strictObject({
			columns: v.strictTuple([line(40), line(40)], 'Write two columns.'),
			rows: listOf(
				v.strictObject({ label: line(60), values: v.strictTuple([comparedValue, comparedValue], 'Write two values.') }),
				6,
				'rows of a comparison'
			)
		})
	)
});

const question = v.strictObject({
	title: line(60),
	text: prose(300),
	/** The message of the diagram that the learner has to find. */
	solution: v.strictObject({
		condition: name,
		part: v.picklist(['request', 'response', 'callback'], 'Use "request", "response" or "callback".'),
		/** Whether every exchange of this kind is right, and not only the last one that shows the condition. */
		any: v.exactOptional(v.literal(true, 'Write true, or leave it out.'))
	}),
	right: line(240),
	wrong: line(240)
});

/** For those who teach it. Learners do not get it. */
const notes = v.strictObject({
	/** Minutes for the discussion. */
	discuss: whole(0, 60),
	/** Where groups lose time, and what helps. */
	watch: line(400),
	mistakes: v.exactOptional(listOf(v.strictObject({ belief: line(200), reply: line(300) }), 6, 'mistakes')),
	questions: v.exactOptional(listOf(v.strictObject({ question: line(300), listenFor: line(300) }), 6, 'questions'))
});

/** What a lesson is, apart from its name in the list. The product's own lessons have it as `lesson.json`. */
const content = {
	/** What it is about, in paragraphs. */
	text: listOf(prose(600), 6, 'paragraphs'),
	/** Words of `text` that the page explains. */
	terms: v.exactOptional(listOf(v.picklist(terms, `Use one of ${terms.join(', ')}.`), 3, 'terms')),
	/** What the learner can do afterwards: `say what a second exchange does`. */
	able: v.exactOptional(listOf(line(120), 3, 'abilities')),
	/** What the sandbox is changed to before the lesson starts: the same fields as in a preset. */
	start: v.exactOptional(
		v.strictObject({
			settings: preset.entries.settings,
			/** How far the clock is ahead, in seconds. */
			offset: preset.entries.offset,
			accounts: preset.entries.accounts,
			characters: preset.entries.characters,
			applications: preset.entries.applications,
			faults: preset.entries.faults
		})
	),
	/** The flow that is known before the lesson. A message without a reply is the one that the lesson adds. Without it: the arrows of the steps. */
	known: v.exactOptional(listOf(v.strictObject({ ...arrow, reply: v.exactOptional(line(60)) }), 6, 'known messages')),
	/** Which exchanges belong together: those of one sign-in, of one application, or all. `all` without it. */
	attempts: v.exactOptional(v.picklist(['flow', 'application', 'all'], 'Use "flow", "application" or "all".')),
	steps: v.pipe(
		v.array(step, 'Use a list.'),
		v.minLength(1, 'A lesson needs a step.'),
		v.maxLength(12, 'A lesson can have at most 12 steps.')
	),
	/** The exchanges that a thief sent. They get a column of their own. */
	thief: v.exactOptional(observation),
	prediction: v.exactOptional(prediction),
	/** Heading of the comparison: what happened. Without it: the title of `learnt`. */
	result: v.exactOptional(line(60)),
	/** Shown beside the comparison. */
	explanation: v.exactOptional(prose(600)),
	/** Sections of the specification ("3.1") or of RFCs ("RFC 6749 §10.12"). */
	sections: v.exactOptional(
		listOf(
			v.pipe(
				v.string(),
				v.regex(/^(?:\d{1,2}(?:\.\d{1,2})?|RFC \d{3,5} §[\d.]{1,10})$/, 'Use "3.1" or "RFC 6749 §4.1".')
			),
			6,
			'sections'
		)
	),
	question: v.exactOptional(question),
	learnt: v.strictObject({ title: line(60), text: prose(400), code: v.exactOptional(code(1000)) }),
	help: v.exactOptional(v.strictObject({ hint: prose(300), call: v.exactOptional(code(1000)) })),
	/** What the learner's own client has to do, and commands or code for it. `{curl}` and `{base_url}` are replaced. */
	ownClient: v.exactOptional(
		v.strictObject({ steps: listOf(prose(300), 6, 'steps of the own client'), code: v.exactOptional(code(2000)) })
	),
	notes: v.exactOptional(notes)
};

/** The content of a lesson of the product, whose name is in `about.ts`. */
export const lessonContent = v.strictObject(content);
export type LessonContent = v.InferOutput<typeof lessonContent>;

/** A lesson file: an exercise that an instructor wrote. */
export const lessonFile = v.strictObject({
	$schema: v.exactOptional(v.pipe(v.string(), v.maxLength(300))),
	format: v.literal('tollgate-lesson', 'Write "tollgate-lesson".'),
	version: v.literal(1, 'This server reads version 1.'),
	/** Its address is /learn/own- and this. */
	id: v.pipe(
		v.string(),
		v.regex(/^[a-z][a-z\d-]{0,29}$/, 'Use 1 to 30 of the characters a-z 0-9 -, beginning with a letter.')
	),
	title: line(50),
	/** What the learner does and sees, in one sentence. */
	goal: line(160),
	/** How long it takes. */
	minutes: whole(1, 120),
	...content
});
export type LessonFile = v.InferOutput<typeof lessonFile>;
