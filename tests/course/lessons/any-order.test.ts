import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { automaticHeader } from '#api/headers.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { isAutomatic, isTokenRequest, userOf } from '#evidence/exchanges.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { Evidence } from '#course/lessons/evaluation/condition.ts';
import type { Shown } from '#course/lessons/evaluation/condition.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { stepsOf } from '#course/lessons/evaluation/step.ts';

import type { Lesson } from '#course/lessons/lesson.ts';
import { mergeEntries } from '#course/lessons/model/lesson-store.svelte.ts';
import { diagramRows } from '#course/lessons/stage/diagram-rows.ts';
import { stepOf } from '#course/lessons/stage/place.svelte.ts';
import { append, record } from './recorded-history.ts';
import { loadRuns } from './runs.ts';

afterEach(() => vi.unstubAllGlobals());

const nothing: Evidence = { entries: [], entered: [] };

/** The same exchanges, as requests of a page without its user. */
const automatic = ({ entries }: Evidence): Evidence => ({
	entries: entries.map((entry) => ({
		...entry,
		request: { ...entry.request, headers: [...entry.request.headers, [automaticHeader, '1'] as const] }
	})),
	entered: []
});

/** The same exchanges, of a user that no step names. Of a lesson without a sign-in, nothing. Where the client begins, without those that have no user yet. */
const ofOther = ({ entries }: Evidence): Evidence => {
	const [first] = entries;
	const clientBegins =
		first !== undefined &&
		(['device_authorization', 'par'].includes(first.endpoint) || isTokenRequest(first, 'client_credentials'));
	const of = entries.filter(({ username }) => !clientBegins || username !== undefined);
	return {
		entries: of.some(({ username }) => username !== undefined)
			? of.map((entry) => (entry.username === undefined ? entry : { ...entry, username: 'player-two' }))
			: [],
		entered: []
	};
};

const upTo = ({ entries, entered }: Evidence, count: number): Evidence => {
	const kept = entries.slice(0, count);
	return { entries: kept, entered: entered.filter(({ after }) => after <= (kept.at(-1)?.seq ?? 0)) };
};

/** What a learner does next: a part of the right actions, a near miss, what helps nothing, or a reload. */
const actions = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant('right'), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
		fc.record({ kind: fc.constant('near miss'), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
		fc.record({ kind: fc.constantFrom('automatic', 'other user'), part: fc.constant(1) }),
		fc.record({ kind: fc.constant('reload'), part: fc.double({ min: 0, max: 1, noNaN: true }) })
	),
	{ maxLength: 5 }
);

/** Follows a history exchange by exchange, as the page does, and checks each step that is ticked. */
function follow(lesson: Lesson, history: Evidence, from: number, earlier: Shown): Shown {
	const { conditions, stage } = lesson;
	const ticks = new Set(stage.steps.map(({ condition }) => condition));
	let shown = earlier;
	for (let count = from + 1; count <= history.entries.length; count++) {
		const now = upTo(history, count);
		const entry = now.entries.at(-1);
		const result = evaluate(lesson, now, shown);
		expect(Object.keys(result.shown)).toEqual(expect.arrayContaining(Object.keys(shown)));
		const added = conditions.filter(({ id }) => result.shown[id] !== undefined && shown[id] === undefined);
		if (added.length > 0) expect(entry && isAutomatic(entry)).toBe(false);
		for (const condition of added) {
			const cited = result.shown[condition.id];
			if (!('field' in condition)) expect(cited?.at(-1), condition.id).toBe(entry?.id);
			if (condition.user !== undefined) expect(entry && userOf(entry, now.entries), condition.id).toBe(condition.user);
		}
		// One exchange never ticks two steps that need one.
		const ticked = added.filter((condition) => ticks.has(condition.id) && !('field' in condition));
		expect(ticked.length).toBeLessThanOrEqual(1);
		shown = result.shown;
	}
	return shown;
}

/** How many exchanges the rows of the diagram count, and whether equal ones follow each other. */
function countIn(lesson: Lesson, shown: Shown, entries: readonly TrafficEntry[]): number {
	const steps = stepsOf({
		steps: lesson.stage.steps,
		conditions: lesson.conditions.map(({ id }) => id),
		shown,
		entries
	});
	const rows = diagramRows({ steps, entries, most: 9, keep: steps.length - 1 });
	const counted = new Set<string>();
	let folded = 0;
	let last = -1;
	for (const row of rows) {
		if (row.kind === 'fold') folded += Number(/ · (\d+) exchanges?$/.exec(row.label)?.[1] ?? 0);
		else if (row.exchange !== undefined) {
			const numbers = row.exchanges.map((id) => entries.findIndex((entry) => entry.id === id));
			expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
			expect(numbers[0]).toBeGreaterThanOrEqual(last);
			last = numbers[0] ?? last;
			for (const id of row.exchanges) counted.add(id);
			if (/^\d+ ×/.test(row.label)) expect(row.label).toMatch(new RegExp(`^${row.exchanges.length} ×`));
		}
	}
	return counted.size + folded;
}

/** Whether the diagram shows the message that the question asks for, however much came before. */
function isSolutionDrawn(lesson: Lesson, shown: Shown, entries: readonly TrafficEntry[]): boolean {
	const { stage } = lesson;
	const { condition, part } = stage.question.solution;
	const conditions = lesson.conditions.map(({ id }) => id);
	const keep = stepOf(lesson, condition);
	const steps = stepsOf({ steps: stage.steps, conditions, shown, entries });
	const rows = diagramRows({ steps, entries, most: 9, keep });
	return rows.some(
		(row) => row.kind === 'arrow' && row.part === part && row.exchanges.includes(shown[condition]?.at(-1) ?? '')
	);
}

it.each(allLessons)(
	'lesson $id ticks a step by the exchange that shows it only, counts truly, and can always be completed',
	async ({ id }) => {
		const [lesson, script, { nearMisses }] = [await loadLesson(id), await loadScript(id), await loadRuns(id)];
		if (lesson === undefined || script === undefined) throw new Error(`src/course/lessons/${id} is incomplete`);
		const right = await record(lesson, script);
		// One after the other: each replaces the global fetch.
		const misses: { readonly missing: string; readonly history: Evidence }[] = [];
		for (const { missing, run } of nearMisses) misses.push({ missing, history: await record(lesson, run) });
		fc.assert(
			fc.property(actions, (chosen) => {
				let history = nothing;
				let shown: Shown = {};
				let count = 0;
				/** Whether something could have completed a near miss. */
				let isTried = false;
				const missed: string[] = [];
				const add = (more: Evidence) => {
					const from = history.entries.length;
					history = append(history, more);
					shown = follow(lesson, history, from, shown);
					const now = countIn(lesson, shown, history.entries);
					expect(now).toBeGreaterThanOrEqual(count);
					count = now;
				};
				for (const { kind, part } of chosen) {
					const miss = misses[Math.floor(part * (misses.length - 1))];
					if (kind === 'reload') {
						// The log forgets, and the page has kept what it had read.
						const { entries } = history;
						const log = entries.slice(Math.round(part * entries.length));
						expect(mergeEntries(entries, log, 0)).toEqual(entries);
						expect(evaluate(lesson, { ...history, entries: log }, shown).shown).toEqual(shown);
					} else if (kind === 'right') {
						isTried = true;
						add(upTo(right, Math.round(part * right.entries.length)));
					} else if (kind === 'near miss' && miss !== undefined) {
						missed.push(miss.missing);
						add(miss.history);
					} else if (kind === 'other user') {
						isTried ||= missed.length > 0;
						add(ofOther(right));
					} else add(automatic(right));
					// Whatever the conditions of the lesson say: pages and other users begin nothing, and a near miss does not show what it misses.
					if (!isTried && missed.length === 0) expect(shown).toEqual({});
					if (!isTried && missed.length === 1) expect(shown).not.toHaveProperty(missed);
				}
				add(right);
				expect(Object.keys(shown)).toHaveLength(lesson.conditions.length);
				expect(isSolutionDrawn(lesson, shown, history.entries)).toBe(true);
			}),
			{ numRuns: import.meta.env.MODE === 'nightly' ? 60 : 6 }
		);
	}
);
