import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import type { Lab } from '#course/labs/engine/lab.ts';
import { LabRun } from '#course/labs/engine/lab-run.ts';
import { findGoodUser, judgeLab, replayLab, signInGoodUser } from '#course/labs/engine/run-lab.ts';
import { nearMisses } from './near-misses.ts';

const labs = import.meta.glob<Lab>('/src/course/labs/labs/*/lab.ts', { import: 'lab', eager: true });
const options = { baseUrl: 'https://tollgate.example/base' };

/** Does actions of a lab by their ids. */
async function act(lab: Lab, run: LabRun, ids: readonly string[]): Promise<void> {
	const actions = [...lab.steps, ...lab.detours];
	for (const id of ids) {
		const action = actions.find((one) => one.id === id);
		expect(action, id).toBeDefined();
		expect(action?.isPossible(run), `${id} is possible`).toBe(true);
		await action?.act(run);
	}
}

const outcomes = (run: LabRun) =>
	run.log
		.slice(-30)
		.map(
			({ from, to, method, url, status, outcome }) =>
				`${from} ${to} ${method} ${url.slice(0, 80)} ${String(status)} ${outcome}`
		);

describe.each(Object.entries(labs).map(([path, lab]) => [path.split('/').at(-2) ?? '', lab] as const))(
	'%s',
	(name, lab) => {
		it('is solved by its steps, which the log ticks one by one', async () => {
			const run = await LabRun.open(lab.world, options);
			expect(judgeLab(lab, run)).toEqual({
				isDone: lab.steps.map(() => false),
				next: 0,
				goal: undefined,
				nearMiss: undefined
			});
			for (const [at, { id }] of lab.steps.entries()) {
				expect(judgeLab(lab, run).goal, `before ${id}`).toBeUndefined();
				await act(lab, run, [id]);
				const { isDone } = judgeLab(lab, run);
				expect([at, isDone[at]], outcomes(run).join('\n')).toEqual([at, true]);
			}
			const { goal, nearMiss } = judgeLab(lab, run);
			expect(goal, outcomes(run).join('\n')).toBeDefined();
			expect(nearMiss).toBeUndefined();
		});

		it('is defended: the attack ends at the named check, and a good user signs in', async () => {
			const replay = await replayLab(lab, options);
			expect(replay, outcomes(replay.run).join('\n')).toMatchObject({
				isRejected: true,
				hasGoodUser: true,
				isDefended: true,
				rejection: { id: lab.rejected.id }
			});
		});

		it('is not defended without the defense', async () => {
			const replay = await replayLab({ ...lab, defense: { ...lab.defense, world: {} } }, options);
			expect(replay, outcomes(replay.run).join('\n')).toMatchObject({ isRejected: false, isDefended: false });
		});

		it('lets the good user in before the defense', async () => {
			const run = await LabRun.open(lab.world, options);
			await (lab.goodUser ?? signInGoodUser)(run);
			expect((lab.findGoodUser ?? findGoodUser)(run.log), outcomes(run).join('\n')).toBeDefined();
		});

		it('has each action in a window that is open', () => {
			const isOpen = (place?: string) => place !== 'attacker' || lab.subject === undefined;
			expect([...lab.steps, ...lab.detours].filter(({ place }) => !isOpen(place))).toEqual([]);
		});

		// The links lead to the headings of the documentation.
		it('calls the rules of the exam by their titles', () => {
			for (const { text, rule } of lab.remains)
				if (rule !== undefined) expect(text, rule).toBe(allRules.find(({ id }) => id === rule)?.title);
		});

		it('names at least two near misses', () => {
			const names = Object.keys(lab.nearMisses).sort();
			expect(names).toEqual(Object.keys(nearMisses[name] ?? {}).sort());
			expect(names.length).toBeGreaterThanOrEqual(2);
		});

		it.each(Object.entries(nearMisses[name] ?? {}))('names the near miss %s', async (id, ids) => {
			const run = await LabRun.open(lab.world, options);
			await act(lab, run, ids);
			const { goal, nearMiss } = judgeLab(lab, run);
			expect(goal).toBeUndefined();
			expect(nearMiss?.id, outcomes(run).join('\n')).toBe(id);
		});
	}
);
