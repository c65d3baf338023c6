import type { TrafficEntry } from '#api/control/traffic.ts';
import { readCharacter, userOf, authorizationRequestOf, issued, parameter } from '#evidence/exchanges.ts';
import type { LessonContent } from '#evidence/lesson-file/product-lesson.ts';
import { judgeOf, type Judge } from '#evidence/lesson-file/relate-observations.ts';
import type { Reading } from '#evidence/lesson-file/observations.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import type { Rule } from '#evidence/rule.ts';
import type { Condition, ValueCondition } from '../evaluation/condition.ts';
import type { CodeModule } from '../code-parts.ts';
import type { Comparison, Lesson, Prediction, ComparedRow, ShownRun } from '../lesson.ts';
import type { ExpectedRequest, Stage } from '../stage.ts';
import { leftBefore } from '#evidence/lesson-file/judge-fields.ts';
import type { comparison } from '#evidence/lesson-file/lesson-file.ts';
import { resultOf } from '../evaluation/result-text.ts';

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

type Shows = FileCondition['shows'];

/** The faint arrow of a step, by what its last condition is shown by. Undefined: nothing is sent, or it may be anything. */
const arrows: Readonly<Record<Shows['kind'], ExpectedRequest | undefined>> = {
	code_issued: signIn,
	consent_denied: { ...signIn, label: 'sign-in, access denied' },
	code_exchanged: { ...token, label: 'POST token · code' },
	code_replayed: { ...token, label: 'POST token · same code' },
	refresh_token_issued: { ...token, label: 'POST token · offline' },
	token_refreshed: { ...token, label: 'POST token · refresh token' },
	token_request: token,
	token_issued: token,
	device_allowed: signIn,
	token_rejected: { ...resource, label: 'request with the token' },
	access_revoked: { ...token, label: 'revocation' },
	resource_read: resource,
	requests_accepted: { ...resource, label: 'many × GET character' },
	limit_exceeded: { ...resource, label: 'one request too many' },
	error_seen: undefined,
	error_overcome: undefined,
	check_passed: undefined,
	check_failed: undefined,
	redirect_uri_rejected: { from: 'browser', to: 'authorization', label: 'GET auth' },
	blacklisted: { ...resource, label: 'requests over the limit' },
	no_response: { ...resource, label: 'one more request' },
	status_read: { ...resource, label: 'GET ratelimiting' },
	ticket_filed: { from: 'user', to: 'authorization', label: 'support ticket' },
	ticket_decided: { from: 'user', to: 'authorization', label: 'decision of the owner' },
	rule_passed: undefined,
	number_entered: undefined,
	code: undefined
};

type FileStep = LessonContent['steps'][number];
type FileCondition = FileStep['conditions'][number];

/**
 * The lesson that a file describes. Its conditions are those of the vocabulary.
 * @param content without mistakes
 * @param rules of the exam, where a condition is one of them
 * @param code that it names
 */
export function compileLesson(content: LessonContent, rules: readonly Rule[] = [], code: CodeModule = {}): Lesson {
	const judges = new Map<string, Judge>();
	const listed = content.steps.flatMap(({ conditions }) => conditions);
	const conditions = listed.map((condition) => compileCondition(condition, judges, rules, code));
	const { prediction, start, explanation = '', sections = [], help, ownClient, notes, attempts = 'all' } = content;
	const fields = listed.flatMap(({ id, shows }) =>
		shows.kind === 'number_entered' ? [{ id, label: shows.label }] : []
	);
	return {
		stage: compileStage(content, judges, rules),
		...(start === undefined ? {} : { start }),
		prediction: prediction === undefined ? noPrediction : compilePrediction(prediction, code),
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
	rules: readonly Rule[],
	code: CodeModule
): Condition {
	const described = { id, label, unmet, ...(user === undefined ? {} : { user }) };
	if (shows.kind === 'number_entered')
		return { ...described, field: id, wrong: shows.wrong, readFrom: readFrom(shows.reads) };
	if (shows.kind === 'code') {
		const part = code.conditions?.[shows.name];
		if (part === undefined) throw new RangeError(`There is no code ${shows.name}.`);
		judges.set(id, (entry, earlier) => part.shows(entry, { ...earlier, shown: () => [], entered: [] }));
		return { ...described, ...part };
	}
	const before = new Map(judges);
	const judge = judgeOf(shows, before, rules);
	// What another user did shows nothing.
	judges.set(
		id,
		(entry, earlier) => (user === undefined || userOf(entry, earlier.before) === user) && judge(entry, earlier)
	);
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
		findings = [],
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
	return {
		intro: text,
		terms,
		findings,
		known: content.known ?? steps.flatMap(({ expected = [] }) => expected),
		predictionTitle: prediction?.title ?? '',
		steps: [first, ...others],
		...(judge === undefined ? {} : { isThief: (entry: TrafficEntry) => isShown(judge, entry) }),
		result,
		question: {
			...question,
			solution: compileSolution(question.solution, judges, rules)
		},
		learnt: { code: '', ...learnt }
	};
}

function compileSolution(
	{ condition, part, any, all, shows }: NonNullable<LessonContent['question']>['solution'],
	judges: ReadonlyMap<string, Judge>,
	rules: readonly Rule[]
): Stage['question']['solution'] {
	const judge = any === true ? judges.get(condition) : shows && judgeOf(shows, judges, rules);
	if (judge === undefined && all !== true) return { condition, part };
	return {
		condition,
		part,
		accepts: (entry, isOfCondition) => (all !== true || isOfCondition) && (judge === undefined || isShown(judge, entry))
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

function compilePrediction(
	{ question, options, shownBy, shows, comparison }: NonNullable<LessonContent['prediction']>,
	code: CodeModule
): Prediction {
	return {
		question,
		options: options.map(({ implies: [status = '', ...lines], ...rest }) => ({ ...rest, implies: [status, ...lines] })),
		shownBy,
		shows,
		...(comparison === undefined ? {} : { comparison: compileComparison(comparison, code) })
	};
}

function compileComparison(
	comparison: NonNullable<NonNullable<LessonContent['prediction']>['comparison']>,
	code: CodeModule
): Comparison {
	const { columns } = comparison;
	if (comparison.kind !== 'code')
		return { columns, rows: (run) => comparison.rows.map((row) => comparedRow(row, run)) };
	const rows = code.comparisons?.[comparison.name];
	if (rows === undefined) throw new RangeError(`There is no code ${comparison.name}.`);
	return { columns, rows };
}

import type * as v from 'valibot';

type Row = v.InferOutput<typeof comparison>['rows'][number];

/** A row of a comparison of a lesson file. */
function comparedRow({ label, part = 'result', values, yes, no }: Row, { entries, shown }: ShownRun): ComparedRow {
	const valueOf = ({ condition }: Row['values'][number]) => {
		const entry = shown(condition).at(-1);
		if (entry === undefined) return undefined;
		const value = partOf(part, entry, entries);
		return value === undefined ? no : (yes ?? value);
	};
	return [label, valueOf(values[0]), valueOf(values[1])];
}

function partOf(part: string, entry: TrafficEntry, entries: readonly TrafficEntry[]): string | number | undefined {
	const [what, name = ''] = part.split(' ');
	switch (what) {
		case 'status':
			return entry.response?.status;
		case 'address':
			return entry.address;
		case 'scope':
			return issued(entry, 'access_token')?.scopes.join(' ');
		case 'remaining':
			return rateLimitOf(entry)?.remaining;
		case 'left_before':
			return leftBefore(
				entry,
				entries.filter(({ seq }) => seq < entry.seq)
			);
		case 'asks':
			return parameter(authorizationRequestOf(entries, entry) ?? entry, name);
		case 'sends':
			return parameter(entry, name);
		case 'issues':
			return issued(entry, name === 'access_token' ? 'access_token' : 'refresh_token')?.id;
		default:
			return resultOf(entry);
	}
}
