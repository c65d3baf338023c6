import type { TrafficEntry } from '#api/control/traffic.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { judgeOf, type Judge } from '#evidence/lesson-file/relate-observations.ts';
import type { LessonContent } from '#evidence/lesson-file/lesson-file.ts';
import type { Observation, Reading } from '#evidence/lesson-file/observations.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { Rule } from '#evidence/rule.ts';
import type { Condition, ValueCondition } from '../evaluation/condition.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson, Prediction } from '../lesson.ts';
import type { ExpectedRequest, Stage } from '../stage.ts';

/** How far a number may be off, in requests and in seconds. */
const mostOff = { remaining: 1, reset: 5 } as const;

/** Of a lesson without them. */
const noPrediction: Prediction = { question: '', options: [], shownBy: '', shows: 'body' };
const noQuestion: NonNullable<LessonContent['question']> = {
	...{ title: '', text: '', right: '', wrong: '' },
	solution: { condition: '', part: 'request' }
};

const signIn = { from: 'browser', to: 'authorization', label: 'sign-in and consent' } as const;
const token = { from: 'application', to: 'authorization', label: 'POST token' } as const;
const resource = { from: 'application', to: 'resource', label: 'GET character' } as const;

/** The faint arrow of a step, by what its last condition is shown by. Undefined: nothing is sent, or it may be anything. */
const arrows: Readonly<Record<(Observation | Reading)['kind'], ExpectedRequest | undefined>> = {
	code_issued: signIn,
	consent_denied: { ...signIn, label: 'sign-in, access denied' },
	code_exchanged: { ...token, label: 'POST token · code' },
	code_replayed: { ...token, label: 'POST token · same code' },
	refresh_token_issued: { ...token, label: 'POST token · offline' },
	token_refreshed: { ...token, label: 'POST token · refresh token' },
	token_request: token,
	token_rejected: { ...resource, label: 'request with the token' },
	access_revoked: { ...token, label: 'revocation' },
	resource_read: resource,
	requests_accepted: { ...resource, label: 'many × GET character' },
	limit_exceeded: { ...resource, label: 'one request too many' },
	error_seen: undefined,
	error_overcome: undefined,
	redirect_uri_rejected: { from: 'browser', to: 'authorization', label: 'GET auth' },
	blacklisted: { ...resource, label: 'requests over the limit' },
	no_response: { ...resource, label: 'one more request' },
	status_read: { ...resource, label: 'GET ratelimiting' },
	ticket_filed: { from: 'user', to: 'authorization', label: 'support ticket' },
	ticket_decided: { from: 'user', to: 'authorization', label: 'decision of the owner' },
	rule_passed: undefined,
	number_entered: undefined
};

type FileStep = LessonContent['steps'][number];
type FileCondition = FileStep['conditions'][number];

/**
 * The lesson that a file describes. Its conditions are those of the vocabulary.
 * @param content without mistakes
 * @param rules of the exam, where a condition is one of them
 */
export function compileLesson(content: LessonContent, rules: readonly Rule[] = []): Lesson {
	const judges = new Map<string, Judge>();
	const listed = content.steps.flatMap(({ conditions }) => conditions);
	const conditions = listed.map((condition) => compileCondition(condition, judges, rules));
	const { prediction, start, explanation = '', sections = [], help, ownClient, notes, attempts = 'all' } = content;
	const fields = listed.flatMap(({ id, shows }) =>
		shows.kind === 'number_entered' ? [{ id, label: shows.label }] : []
	);
	return {
		stage: compileStage(content, judges, rules),
		...(start === undefined ? {} : { start }),
		prediction: prediction === undefined ? noPrediction : compilePrediction(prediction),
		attempts,
		conditions,
		explanation,
		sections,
		help: {
			hint: help?.hint ?? 'Compare your last request in the inspector with what the step asks for.',
			call: help?.call ?? ''
		},
		ownClient: { steps: ownClient?.steps ?? content.steps.map(({ text }) => text), code: ownClient?.code ?? '' },
		...(fields.length === 0 ? {} : { fields }),
		notes: {
			discuss: notes?.discuss ?? 0,
			watch: notes?.watch ?? '',
			mistakes: notes?.mistakes ?? [],
			questions: notes?.questions ?? []
		}
	};
}

/** @param judges of the conditions before. This one is added */
function compileCondition(
	{ id, label, unmet, user, shows, near = [] }: FileCondition,
	judges: Map<string, Judge>,
	rules: readonly Rule[]
): Condition {
	const described = { id, label, unmet, ...(user === undefined ? {} : { user }) };
	if (shows.kind === 'number_entered')
		return { ...described, field: id, wrong: shows.wrong, readFrom: readFrom(shows.reads) };
	const before = new Map(judges);
	const judge = judgeOf(shows, before, rules);
	judges.set(id, judge);
	const misses = near.map((one) => ({ judge: judgeOf(one.shows, before, rules), text: one.text }));
	return {
		...described,
		shows: judge,
		...(misses.length === 0
			? {}
			: { why: (entry, context) => misses.find((miss) => miss.judge(entry, context) !== false)?.text })
	};
}

/** The last character response, if the number is what its headers say. */
function readFrom(reads: Reading['reads']): ValueCondition['readFrom'] {
	return (value, before) => {
		const response = before.findLast(readCharacter);
		const limits = response && rateLimitOf(response);
		if (limits === undefined || !/^\d+$/.test(value.trim())) return undefined;
		const right = reads === 'remaining' ? limits.remaining : limits.reset - limits.date;
		return Math.abs(Number(value) - right) <= mostOff[reads] ? response : undefined;
	};
}

function compileStage(content: LessonContent, judges: ReadonlyMap<string, Judge>, rules: readonly Rule[]): Stage {
	const {
		text,
		terms = [],
		able = [],
		prediction,
		question = noQuestion,
		learnt,
		thief,
		result = learnt.title
	} = content;
	const [first, ...others] = content.steps.map(compileStep);
	if (first === undefined) throw new RangeError('A lesson needs a step.');
	const steps = [first, ...others] as const;
	const judge = thief && judgeOf(thief, judges, rules);
	const solution = judges.get(question.solution.condition);
	return {
		intro: text,
		terms,
		able,
		known: content.known ?? steps.flatMap(({ expected = [] }) => expected),
		predictionTitle: prediction?.title ?? '',
		steps: [first, ...others],
		...(judge === undefined ? {} : { isThief: (entry: TrafficEntry) => isShown(judge, entry) }),
		result,
		question: {
			...question,
			solution: {
				condition: question.solution.condition,
				part: question.solution.part,
				...(question.solution.any === true && solution !== undefined
					? { accepts: (entry: TrafficEntry) => isShown(solution, entry) }
					: {})
			}
		},
		learnt: { code: '', ...learnt }
	};
}

/** Whether an exchange shows something without what came before it. */
const isShown = (judge: Judge, entry: TrafficEntry) => judge(entry, { before: [], since: [] }) !== false;

function compileStep({ title, text, tools = [], conditions, expected, folds }: FileStep): Stage['steps'][number] {
	const last = conditions.at(-1);
	const [tool = { kind: 'own-client' }, ...more] = tools;
	const arrow = last && arrows[last.shows.kind];
	const [first, ...others]: readonly ExpectedRequest[] = expected ?? (arrow === undefined ? [] : [arrow]);
	return {
		title,
		text,
		tools: [tool, ...more],
		condition: last?.id ?? '',
		...(first === undefined ? {} : { expected: [first, ...others] }),
		...(folds === undefined ? {} : { folds })
	};
}

function compilePrediction({
	question,
	options,
	shownBy,
	shows,
	comparison
}: NonNullable<LessonContent['prediction']>): Prediction {
	return {
		question,
		options: options.map(({ implies: [status = '', ...lines], ...rest }) => ({ ...rest, implies: [status, ...lines] })),
		shownBy,
		shows,
		...(comparison === undefined
			? {}
			: {
					comparison: {
						columns: comparison.columns,
						rows: ({ shown }) =>
							comparison.rows.map(({ label, values: [one, other] }) => [
								label,
								resultOf(shown(one.condition).at(-1)),
								resultOf(shown(other.condition).at(-1))
							])
					}
				})
	};
}
