import { fleetFields, fleetQuestions, type FleetQuestion } from './fleet-setup.ts';
import { limitersFields, type LimitersSetup } from './limiters-setup.ts';
import { changedFields, readSetup, unreadFields, type QuestionOf } from './setup-fields.ts';

/** The views of the page, with their names. */
export const limitsViews = { limiters: 'Limiters', fleet: 'Fleet' } as const;
export type LimitsView = keyof typeof limitsViews;

export type LimitersQuestion = QuestionOf<'limiters', LimitersSetup>;
export type Question = LimitersQuestion | FleetQuestion;

const setup: LimitersSetup = {
	stream: 'edge',
	limit: 10,
	window: 60,
	cost: 1,
	slots: 2,
	limiters: ['fixed_window', 'sliding_log', 'sliding_counter', 'token_bucket'],
	dialect: 'standard'
};
const edge: LimitersQuestion = {
	id: 'edge-of-a-window',
	title: 'Twice the limit at the edge of a window',
	view: 'limiters',
	setup
};

/** In the order of the menu. */
export const questions: readonly Question[] = [
	edge,
	{
		id: 'burst-and-queue',
		title: 'What happens to a burst, and what in a queue?',
		view: 'limiters',
		setup: { ...setup, stream: 'burst', limiters: ['token_bucket', 'leaky_bucket', 'gcra', 'fixed_window'] }
	},
	{
		id: 'cost-of-a-search',
		title: 'What if one search costs as much as five reads?',
		view: 'limiters',
		setup: {
			...setup,
			stream: 'searches',
			limit: 20,
			cost: 5,
			limiters: ['fixed_window', 'sliding_log', 'token_bucket', 'gcra']
		}
	},
	{
		id: 'one-slow-request',
		title: 'Why does one slow request hold the rest?',
		view: 'limiters',
		setup: {
			...setup,
			stream: 'slow',
			limit: 20,
			window: 30,
			slots: 1,
			limiters: ['concurrency', 'fixed_window', 'token_bucket']
		}
	},
	...fleetQuestions
];

/** The question of a link, with the fields that it changes. Default: the first one. */
export function readQuestion(query: URLSearchParams): Question {
	const found = questions.find(({ id }) => id === query.get('question')) ?? edge;
	return found.view === 'limiters'
		? { ...found, setup: readSetup(limitersFields, found.setup, query) }
		: { ...found, setup: readSetup(fleetFields, found.setup, query) };
}

/** What a link asks for that the lab does not have, as the link has it: `clients=1e9`. The question has its own value there. */
export function unreadOf(query: URLSearchParams): string[] {
	const id = query.get('question');
	const isUnknown = id !== null && questions.every((one) => one.id !== id);
	const fields =
		readQuestion(query).view === 'limiters' ? unreadFields(limitersFields, query) : unreadFields(fleetFields, query);
	return [...(isUnknown ? [`question=${id.slice(0, 40)}`] : []), ...fields];
}

/** The query of a link to a question, without the `?`: its id, and the fields that differ from it. */
export function queryOf(question: Question): string {
	return new URLSearchParams([['question', question.id], ...changesOf(question)].map((field) => [...field])).toString();
}

/** Whether a field differs from the question in the menu. */
export function isChanged(question: Question): boolean {
	return changesOf(question).length > 0;
}

function changesOf(question: Question): readonly (readonly [name: string, value: string])[] {
	const original = questions.find(({ id }) => id === question.id);
	if (question.view === 'limiters')
		return original?.view === 'limiters' ? changedFields(limitersFields, question.setup, original.setup) : [];
	return original?.view === 'fleet' ? changedFields(fleetFields, question.setup, original.setup) : [];
}
