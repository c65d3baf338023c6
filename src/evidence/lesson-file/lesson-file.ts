import * as v from 'valibot';
import { username, whole } from '#api/control/fields.ts';
import { preset } from '#api/control/preset.ts';
import { terms } from './glossary.ts';
import { observation, reading } from './observations.ts';
import { about, code, line, listOf, name, optional, prose, reference } from './texts.ts';

/** How many conditions a lesson has at most: as many as the board of a class counts. */
export const maxConditions = 30;

const party = v.picklist(
	['user', 'browser', 'application', 'thief', 'authorization', 'resource'],
	'Use the name of a column.'
);
/** A faint arrow of the diagram. */
const arrow = { from: party, to: party, label: line(60) };
const yes = v.literal(true, 'Write true, or leave it out.');

/** What a condition can be shown by. */
export const shown = v.variant('kind', [...observation.options, reading], observation.message);

/** What the learner shows, and what is said until then. */
const conditionOf = <const Shown extends v.GenericSchema>(shows: Shown) =>
	v.strictObject({
		id: about(name, 'Other parts of the file refer to it.', 'ID'),
		label: about(line(120), 'What is shown, for the list.'),
		unmet: about(line(240), 'The sentence that learners read while it is missing.', 'While it is missing'),
		shows: about(shows, 'What has to happen.', 'Shown by'),
		user: optional(username, 'The account that has to do it.'),
		near: optional(
			listOf(v.strictObject({ shows: observation, text: line(240) }), 5, 'near misses of a condition'),
			'Other sentences after known traps.',
			'Near misses'
		)
	});

const stepOf = <const Shown extends v.GenericSchema, const Tool extends v.GenericSchema>(shows: Shown, control: Tool) =>
	v.strictObject({
		title: line(60),
		text: about(
			prose(300),
			'The instruction. `{brand}` is the name of the service, `{base_url}` its base URL. Markdown without HTML.'
		),
		conditions: about(
			v.pipe(
				v.array(conditionOf(shows), 'Use a list.'),
				v.minLength(1, 'A step needs a condition.'),
				v.maxLength(5, 'A step can have at most 5 conditions.')
			),
			'In the order in which they are met. The last one ticks the step.'
		),
		tools: optional(
			listOf(control, 2, 'tools of a step'),
			'The controls of the step. Without them, it shows what the program of the learner needs.'
		),
		expected: optional(
			listOf(v.strictObject(arrow), 3, 'arrows of a step'),
			'Faint arrows. Without them, those of its conditions.',
			'Expected arrows'
		),
		folds: optional(line(60), 'What its messages are folded to when it is done.', 'Folded to')
	});

const option = v.strictObject({
	text: line(160),
	implies: about(
		listOf(line(120), 3, 'lines of a response'),
		'The lines of the response that it implies: the status, and what the prediction shows.'
	),
	feedback: about(line(240), 'Why it is right or wrong, in one sentence.'),
	isRight: optional(
		v.literal(true, 'Write true at the right option, and leave it out at the others.'),
		'Exactly one option is right.',
		'Right'
	)
});

const comparedValue = v.strictObject({ condition: reference });

/** What a row of a comparison shows of an exchange. */
const compared =
	/^(?:result|status|address|scope|remaining|left_before|(?:asks|sends) [a-z_]{1,40}|issues (?:access|refresh)_token)$/;

export const comparison = v.strictObject({
	columns: v.strictTuple([line(40), line(40)], 'Write two columns.'),
	rows: listOf(
		v.strictObject({
			label: line(60),
			values: v.strictTuple([comparedValue, comparedValue], 'Write two values.'),
			part: optional(
				v.pipe(
					v.string(),
					v.regex(
						compared,
						'Use result, status, address, scope, remaining, left_before, or asks, sends or issues and a name.'
					)
				),
				'What is compared: `result` (without it), `status`, `address`, `scope` of the token, `remaining` requests, `left_before` it, a parameter that it `sends` or its authorization request `asks`, or a token that it `issues`: `sends code_verifier`.'
			),
			yes: optional(line(60), 'Shown in place of a value.', 'In place of a value'),
			no: optional(line(60), 'Shown where there is no value.', 'Without a value')
		}),
		6,
		'rows of a comparison'
	)
});

const predictionOf = <const Comparison extends v.GenericSchema>(compares: Comparison) =>
	v.strictObject({
		title: line(60),
		question: line(300),
		options: v.pipe(
			v.array(option, 'Use a list.'),
			v.minLength(2, 'A prediction has at least 2 options.'),
			v.maxLength(4, 'A prediction has at most 4 options.'),
			v.check(
				(all) => all.filter(({ isRight }) => isRight).length === 1,
				'Mark exactly one option with "isRight": true.'
			)
		),
		shownBy: about(reference, 'The condition whose exchange shows the right option.'),
		shows: about(
			v.pipe(v.string(), v.regex(/^(?:body(?: [\w-]{1,40})?|[\w-]{1,40})$/, 'Use "body", or the name of a header.')),
			'The part of the response that decides: `body`, `body` and a member of it, or the name of a header.'
		),
		comparison: optional(compares, 'The responses to two exchanges side by side.')
	});

const question = v.strictObject({
	title: line(60),
	text: prose(300),
	solution: about(
		v.strictObject({
			condition: reference,
			part: v.picklist(['request', 'response', 'callback'], 'Use "request", "response" or "callback".'),
			any: optional(yes, 'Every exchange of this kind is right, not only the last one that shows the condition.'),
			all: optional(yes, 'All exchanges that show the condition are right, not only the last one.'),
			shows: optional(observation, 'Every exchange that shows this is right, or with `all` those of them.')
		}),
		'The message of the diagram that the learner has to find.'
	),
	right: about(line(240), 'Shown after the right choice.'),
	wrong: about(line(240), 'Shown after another choice.')
});

/** For those who teach it. Learners do not get it. */
const notes = v.strictObject({
	discuss: about(whole(0, 60), 'Minutes for the discussion.'),
	watch: about(line(400), 'Where groups lose time, and what helps.'),
	mistakes: optional(
		listOf(v.strictObject({ belief: line(200), reply: line(300) }), 6, 'mistakes'),
		'What learners often believe, and what to reply.'
	),
	questions: optional(
		listOf(v.strictObject({ question: line(300), listenFor: line(300) }), 6, 'questions'),
		'What to discuss, and what the group should find out.'
	)
});

/**
 * What a lesson is, apart from its name in the list.
 * @param control a tool of a step
 * @param shows what a condition can be shown by
 * @param compares the comparison of a prediction
 */
export const contentOf = <
	const Tool extends v.GenericSchema,
	const Shown extends v.GenericSchema,
	const Comparison extends v.GenericSchema
>(
	control: Tool,
	shows: Shown,
	compares: Comparison
) => ({
	text: about(
		listOf(prose(600), 6, 'paragraphs'),
		'What it is about, in one to six paragraphs. `- ` at the start makes one an item of a list.'
	),
	steps: about(
		v.pipe(
			v.array(stepOf(shows, control), 'Use a list.'),
			v.minLength(1, 'A lesson needs a step.'),
			v.maxLength(12, 'A lesson can have at most 12 steps.')
		),
		'What the learner does, one after the other.'
	),
	learnt: about(
		v.strictObject({ title: line(60), text: prose(400), code: v.exactOptional(code(1000)) }),
		'What the last page says.',
		'Last page'
	),
	prediction: optional(predictionOf(compares), 'A question that is asked first, with two to four options.'),
	question: optional(question, 'A message of the diagram that the learner has to find at the end.'),
	notes: optional(notes, 'For you. Learners do not get them.', 'Instructor’s notes'),
	start: optional(
		v.strictObject({
			settings: preset.entries.settings,
			offset: preset.entries.offset,
			accounts: preset.entries.accounts,
			characters: preset.entries.characters,
			applications: preset.entries.applications,
			faults: preset.entries.faults
		}),
		'What the sandbox is changed to first: settings (with the dialect and the algorithm of the rate limit), `offset` of the clock in seconds, accounts, characters, applications and faults, as in a preset.'
	),
	help: optional(
		v.strictObject({ hint: prose(300), call: v.exactOptional(code(1000)) }),
		'A hint, and optionally the call to make. `{curl}` is the command with its certificate authority.'
	),
	ownClient: optional(
		v.strictObject({ steps: listOf(prose(300), 6, 'steps of the own client'), code: v.exactOptional(code(2000)) }),
		'What the program of the learner has to do, and optionally code with `{curl}` and `{base_url}`.'
	),
	terms: optional(
		listOf(v.picklist(terms, `Use one of ${terms.join(', ')}.`), 3, 'terms'),
		'Words of the text that the page explains.'
	),
	findings: optional(
		v.pipe(
			v.array(
				v.strictObject({
					question: about(line(120), 'Asked before the prediction. It does not contain the response.'),
					condition: reference,
					response: about(line(240), 'Shown at the end, with the exchange that showed the condition.')
				}),
				'Use a list.'
			),
			v.minLength(2, 'Ask at least 2 questions, or remove the list.'),
			v.maxLength(4, 'Ask at most 4 questions.')
		),
		'What the learner will find out, as two to four questions.',
		'What you will find out'
	),
	explanation: optional(prose(600), 'Shown beside the comparison.'),
	result: optional(line(60), 'Heading of the comparison: what happened. Without it, the title of the last page.'),
	sections: optional(
		listOf(
			v.pipe(
				v.string(),
				v.regex(/^(?:\d{1,2}(?:\.\d{1,2})?|RFC \d{3,5} §[\d.]{1,10})$/, 'Use "3.1" or "RFC 6749 §4.1".')
			),
			6,
			'sections'
		),
		'Sections of the specification, such as 3.1, or of RFCs, such as RFC 6749 §10.12.'
	),
	known: optional(
		listOf(v.strictObject({ ...arrow, reply: v.exactOptional(line(60)) }), 6, 'known messages'),
		'The flow that is known before. A message without a reply is the one that the lesson adds. Without it, the arrows of the steps.',
		'Known messages'
	),
	attempts: optional(
		v.picklist(['flow', 'application', 'all'], 'Use "flow", "application" or "all".'),
		'Which exchanges belong together: those of one sign-in, of one application, or all, which is so without it.'
	),
	/** The exchanges that a thief sent. They get a column of their own. */
	thief: v.exactOptional(observation)
});

/** The name of a lesson in the list. */
export const head = {
	title: line(50),
	goal: about(line(160), 'What the learner does and sees, in one sentence.'),
	minutes: about(whole(1, 120), 'How long it takes.')
};
