import { afterEach, describe, expect, it, vi } from 'vitest';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { Evidence, Visit } from '#course/lessons/evaluation/condition.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { asksFor } from '#course/lessons/evaluation/step.ts';
import type { Script } from '#course/lessons/scripted-client.ts';
import { fromPage, record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

async function load(id: string, run?: Script) {
	const [lesson, script] = [await loadLesson(id), run ?? (await loadScript(id))];
	if (lesson === undefined || script === undefined) throw new Error(`There is no lesson ${id}`);
	const evidence = await record(lesson, script);
	/** What is shown when each step was opened after an exchange. */
	const shownWith = (found: Evidence, visits: readonly Visit[]) => evaluate(lesson, { ...found, visits }).shown;
	return { lesson, evidence, shownWith };
}

describe.each(allLessons)('lesson $id', ({ id }) => {
	it('ticks no step by what a press of an earlier one sent, and each one by what was sent in it', async () => {
		const { lesson, evidence, shownWith } = await load(id);
		const { steps } = lesson.stage;
		const sent = fromPage(evidence);
		const all = evaluate(lesson, evidence).shown;
		const citedBy = (condition: string, shown = all) =>
			sent.entries.find((entry) => entry.id === shown[condition]?.at(-1));
		let after = 0;
		const opened = steps.map(({ condition }, step) => {
			const visit = { step, after };
			after = Math.max(after, citedBy(condition)?.seq ?? 0);
			return visit;
		});
		expect(Object.keys(shownWith(sent, opened))).toHaveLength(lesson.conditions.length);
		for (const [index, data] of steps.entries()) {
			// The learner has not pressed Next after this step.
			const visits = opened.slice(0, index + 1);
			const shown = shownWith(sent, visits);
			for (const { condition } of steps.slice(index + 1)) {
				const cited = citedBy(condition, shown);
				const isRead = lesson.conditions.some((one) => one.id === condition && 'field' in one);
				if (cited !== undefined && !isRead && cited.seq > (visits.at(-1)?.after ?? 0))
					expect(asksFor(data, cited), `${condition} by a press of step ${index + 1}`).toBe(false);
			}
			// A program does not press Next.
			expect(Object.keys(shownWith(evidence, visits))).toHaveLength(lesson.conditions.length);
		}
	});
});

it.each([
	['online-and-offline', ['online', 'offline', 'offline'], 1],
	['online-and-offline', ['online', 'offline', 'offline'], undefined]
] as const)('%s: the second offline sign-in counts where step 3 is open', async (id, kinds, view) => {
	const { shownWith, evidence } = await load(id, async (client) => {
		for (const access_type of kinds) await client.signIn({ access_type });
	});
	const sent = fromPage(evidence);
	const offline = sent.entries.findLast((entry) => entry.endpoint === 'token')?.flow;
	const before = sent.entries.find(({ flow }) => flow === offline)?.seq ?? 0;
	const visits = [{ step: 1, after: 0 }, ...(view === undefined ? [{ step: 2, after: before - 1 }] : [])];
	expect('second_offline_exchanged' in shownWith(sent, visits)).toBe(view === undefined);
});
