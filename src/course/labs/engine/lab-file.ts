import * as v from 'valibot';
import { whole } from '#api/control/fields.ts';
import { code, line, listOf, name } from '#evidence/lesson-file/texts.ts';
import { questionOption } from '#evidence/lesson-file/product-lesson.ts';
import { attackWords, labGroups } from './lab-words.ts';

const oneOf = <const Name extends string>(values: readonly Name[]) =>
	v.picklist(values, `Use one of ${values.join(', ')}.`);
const texts = (most: number, length = 300) => listOf(line(length), most, 'texts');
const titled = v.strictObject({ title: line(80), text: line(300) });

const place = v.exactOptional(oneOf(['attacker', 'victim', 'held']));
const action = v.strictObject({
	/** The name of its code. */
	id: name,
	/** On its button. */
	label: line(60),
	/** Whose move it is, or `held`: it works with the held message. Absent: a tool of the attacker. */
	place,
	/** The id of a step that leads on only after this. */
	opens: v.exactOptional(name)
});
const step = v.strictObject({ ...action.entries, title: line(80), text: line(300) });

/** A text, or one for each case that the code tells apart. */
const cases = (most: number) => v.union([line(most), v.record(name, line(most))], 'Use a text, or texts by cases.');

const defense = v.strictObject({
	/** On its card. */
	title: line(80),
	/** The lines that it changes. */
	code: code(200),
	/** Where they are. */
	file: line(80),
	/** `RFC 9700 §4.7`: what its sentence is about. */
	section: line(40),
	/** After it was run: why it is enough, or what it does in place of this. */
	text: line(200),
	/** The name of the shared defense whose world it has. */
	use: v.exactOptional(name)
});

/** A lab: `src/content/labs/<id>.yaml`. What it does is in `src/course/labs/labs/<id>.ts`. */
export const labFile = v.strictObject({
	title: line(60),
	/** One sentence of what the attacker reaches, without the mistake. */
	goal: line(120),
	/** The position in the list, from 1. */
	order: whole(1, 99),
	group: oneOf(labGroups),
	/** How long it takes. */
	minutes: whole(1, 120),
	/** The lesson that explains what it attacks. */
	lesson: name,
	/** What the attacker does. At most 45 words. */
	briefing: line(300),
	/** What the defense changes: one line, and those around it. */
	code: v.strictObject({
		file: line(60),
		/** Of the first line. */
		line: whole(1, 999),
		wrong: code(300),
		/** The part of it that is the mistake. */
		marked: line(80),
		right: code(300)
	}),
	/** What the attacker has. */
	tools: listOf(
		v.strictObject({ kind: oneOf(['account', 'hold', 'page', 'server', 'store', 'request']), text: line(100) }),
		5,
		'tools'
	),
	/** The lanes, from the left, with what each is called. */
	parties: listOf(
		v.strictObject({
			party: oneOf(['attacker', 'victim', 'client', 'service', 'second_service', 'attacker_site', 'resource']),
			name: line(20)
		}),
		5,
		'parties'
	),
	/** In place of the attacker’s window, and of the victim’s after the attack: cards, with the words that their code names. */
	subject: v.exactOptional(
		v.strictObject({ name: oneOf(['Issuers', 'Tokens', 'Limits', 'Device']), words: v.record(name, line(100)) })
	),
	steps: listOf(step, 6, 'steps'),
	/** Further actions, which do not lead to the goal. */
	detours: listOf(action, 8, 'detours'),
	/** The sentence about a move that looks right, in values of its message, and a place where the reason can be seen, after “Look at”. */
	nearMisses: v.record(name, v.strictObject({ text: cases(300), look: line(120) })),
	/** What the receiver of the held message compares. Absent: nothing is held. */
	willBeChecked: v.exactOptional(cases(200)),
	/** The goal as a sentence about the log: `**player-three** is in the victim’s session`. */
	evidence: line(120),
	/** A thought, a place, a tool. None names the values. */
	hints: v.strictTuple([line(200), line(200), line(200)], 'Write three hints.'),
	happened: v.strictObject({
		title: line(80),
		paragraphs: texts(4),
		/** The weakness, what it means, and what was right. */
		why: v.strictTuple([line(120), line(120), line(120)], 'Write three reasons.')
	}),
	/** The defense that is right. Its code is that of the lab, its section that of the check. */
	defense: v.strictObject({
		title: line(80),
		text: line(200),
		/** Other places for this defense. */
		others: texts(4)
	}),
	/** Three defenses that are not enough: one ends the attack and stops the good user, too; one changes nothing; one ends another attack. */
	wrongDefenses: v.strictObject({ tooStrict: defense, noEffect: defense, otherAttack: defense }),
	/** The check that must end the attack once the defense is on. */
	rejected: v.strictObject({
		/** Of a check of the service, or of a rule of the lab. */
		id: v.string(),
		/** `A missing state is rejected`. */
		title: line(80),
		text: line(300),
		place: oneOf(['client', 'authorization server', 'resource', 'user']),
		section: line(40)
	}),
	/** What the page says of the ends of a lab, in place of its usual words. */
	words: v.exactOptional(v.record(oneOf(Object.keys(attackWords)), line(60))),
	/** After the defense held. */
	defended: titled,
	remains: listOf(
		v.strictObject({ text: line(120), lab: v.exactOptional(name), rule: v.exactOptional(v.string()) }),
		4,
		'points'
	),
	/** What to look for in a client of one's own. Sentences of the documentation. */
	ownClient: texts(4),
	questions: listOf(
		v.strictObject({ question: line(200), options: listOf(questionOption, 4, 'options') }),
		3,
		'questions'
	),
	/** For instructors: what to discuss. */
	notes: texts(4)
});

/** What the list needs of it. */
export const labSummaryParts = ['title', 'goal', 'order', 'group', 'minutes', 'lesson'] as const;

type LabFile = v.InferOutput<typeof labFile>;
export type LabSummary = Pick<LabFile, (typeof labSummaryParts)[number]>;
/** What learners get. */
export type LabContent = Omit<LabFile, keyof LabSummary | 'notes'>;
export type LabNotes = LabFile['notes'];
