import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import type { Lab } from '#course/labs/engine/lab.ts';
import { LabAttack } from '#course/labs/engine/lab-attack.ts';
import { LabRun } from '#course/labs/engine/lab-run.ts';
import { actionsOf } from '#course/labs/engine/lab-attack.ts';
import { findGoodUser } from '#course/labs/engine/message.ts';
import { judgeLab, replayLab, stepsOf } from '#course/labs/engine/run-lab.ts';
import { signInGoodUser } from '#course/labs/shared/moves.ts';
import { labs } from './lab-of.ts';
import { nearMisses } from './near-misses.ts';

const options = { baseUrl: 'https://tollgate.example/base' };
/** Moves in a walk. The nightly run makes 200. */
const moves = import.meta.env.MODE === 'nightly' ? 200 : 12;
const seed = 61;

/** Does actions of a lab by their ids. */
async function act(lab: Lab, attack: LabAttack, ids: readonly string[]): Promise<void> {
	for (const id of ids) {
		const action = actionsOf(lab).find((one) => one.id === id);
		expect(action, id).toBeDefined();
		expect(action?.isPossible(attack.run), `${id} is possible`).toBe(true);
		if (action !== undefined) await attack.act(action);
	}
}

const judge = (lab: Lab, { run, moves: made }: LabAttack) => judgeLab(lab, run, made);

/** Presses what Guided shows until the goal is reached, as a learner without an idea does. */
async function solve(lab: Lab, attack: LabAttack): Promise<void> {
	for (let presses = 0; presses < 3 * lab.steps.length + 2; presses++) {
		const { goal, action } = judge(lab, attack);
		if (goal !== undefined) return;
		expect(action, trail(attack)).toBeDefined();
		if (action !== undefined) await attack.act(action);
	}
	expect(judge(lab, attack).goal, trail(attack)).toBeDefined();
}

const outcomes = (run: LabRun) =>
	run.log
		.slice(-30)
		.map(
			({ from, to, method, url, status, outcome }) =>
				`${from} ${to} ${method} ${url.slice(0, 80)} ${String(status)} ${outcome}`
		)
		.join('\n');
const trail = ({ moves: made, run }: LabAttack) =>
	`${made.map(({ id, field }) => (field === undefined ? id : `${field.name}=${String(field.value)}`)).join(' ')}\n${outcomes(run)}`;

describe.each(labs)('%s', (name, lab) => {
	/** The world of a defense. */
	const worldOf = (id: Lab['defenses'][number]['id']) => lab.defenses.find((one) => one.id === id)?.world ?? {};

	it('is solved by its steps, which the log ticks one by one', async () => {
		const attack = await LabAttack.open(lab, options);
		expect(judge(lab, attack)).toMatchObject({
			isDone: lab.steps.map(() => false),
			next: 0,
			goal: undefined,
			nearMiss: undefined
		});
		for (const [at, { id }] of lab.steps.entries()) {
			const before = judge(lab, attack);
			expect([before.goal, before.action?.id], `before ${id}`).toEqual([undefined, id]);
			await act(lab, attack, [id]);
			expect([at, judge(lab, attack).isDone[at]], trail(attack)).toEqual([at, true]);
		}
		const { goal, nearMiss } = judge(lab, attack);
		expect(goal, trail(attack)).toBeDefined();
		expect(nearMiss).toBeUndefined();
	});

	it('ends no random walk in a dead end', async () => {
		const actions = actionsOf(lab);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(), { minLength: moves, maxLength: moves }), async (picks) => {
				const attack = await LabAttack.open(lab, options, seed);
				for (const pick of picks) {
					if (judge(lab, attack).goal !== undefined) await attack.undo();
					const { run } = attack;
					const possible = actions.filter(({ isPossible }) => isPossible(run));
					const fields = run.held?.fields ?? [];
					const index = pick % (possible.length + fields.length);
					const action = possible[index];
					const field = fields[index - possible.length];
					if (action !== undefined) await attack.act(action);
					else if (field !== undefined) await attack.edit(field.name, pick % 2 === 0 ? undefined : 'other');
				}
				await solve(lab, attack);
			}),
			{ numRuns: 3, seed }
		);
	});

	// Undone at once, each of them leaves the way to the goal as it was: see the walks.
	it('has at least five different moves that do not lead to the goal, and leave a row', async () => {
		const wrong = new Map<string, string>();
		const rowsSince = (attack: LabAttack, from: number) =>
			attack.run.log
				.filter(({ id }) => id > from)
				.map(({ from, to, method, status, outcome }) => `${from} ${to} ${method} ${status ?? ''} ${outcome}`)
				.join(', ');
		for (let at = 0; at < lab.steps.length && wrong.size < 5; at++) {
			const made = lab.steps.slice(0, at);
			const next = lab.steps[at];
			for (const action of actionsOf(lab)) {
				if (action.id === next?.id || wrong.size >= 5) continue;
				const attack = await LabAttack.open(lab, options, seed);
				for (const step of made) await attack.act(step);
				if (!action.isPossible(attack.run)) continue;
				const from = attack.run.log.at(-1)?.id ?? 0;
				await attack.act(action);
				const rows = rowsSince(attack, from);
				if (judge(lab, attack).goal !== undefined) continue;
				// What it prepares has its row when the others go on. A step made early can lead to the goal.
				const isStep = lab.steps.some(({ id }) => id === action.id);
				if (isStep || rows === '') {
					for (const step of lab.steps.slice(at)) if (step.id !== action.id) await attack.act(step);
					if (judge(lab, attack).goal !== undefined) continue;
				}
				const shown = rows === '' ? rowsSince(attack, from) : rows;
				if (shown !== '') wrong.set(`${action.id}: ${shown}`, shown);
			}
		}
		expect(wrong.size, [...wrong.keys()].join('\n')).toBeGreaterThanOrEqual(5);
	});

	it('goes back to the same log by Undo, with the same values and clock', async () => {
		const attack = await LabAttack.open(lab, options);
		const [first, ...rest] = lab.steps;
		await act(lab, attack, [first?.id ?? '', ...rest.slice(0, -1).map(({ id }) => id)]);
		const shown = ({ run }: LabAttack) => ({
			log: run.log.map(({ method, url, form, outcome }) => [
				method,
				withoutSignature(url),
				withoutSignature(form),
				outcome
			]),
			held: run.held?.fields,
			link: run.link,
			isBusy: Math.round(run.clock.now() / 60_000)
		});
		const before = shown(attack);
		const made = attack.moves;
		await act(lab, attack, [lab.steps.at(-1)?.id ?? '']);
		await attack.undo();
		expect(shown(attack)).toEqual(before);
		expect(attack.moves).toEqual(made);
		await act(lab, attack, [lab.steps.at(-1)?.id ?? '']);
		expect(judge(lab, attack).goal, trail(attack)).toBeDefined();
	});

	it('is defended by the right defense: the attack ends at the named check, and a good user signs in', async () => {
		const replay = await replayLab(lab, worldOf('right'), stepsOf(lab), options);
		expect(replay, outcomes(replay.run)).toMatchObject({
			isRejected: true,
			hasGoodUser: true,
			isDefended: true,
			rejection: { id: lab.rejected.id }
		});
		const unsaid = replay.run.log.filter(({ status, outcome }) => status !== undefined && outcome === '');
		expect(unsaid.map(({ url }) => url)).toEqual([]);
	});

	it('is not defended without the defense', async () => {
		const replay = await replayLab(lab, {}, stepsOf(lab), options);
		expect(replay, outcomes(replay.run)).toMatchObject({ isRejected: false, isDefended: false });
	});

	it('has a defense that ends the attack, and stops the good user, too', async () => {
		const replay = await replayLab(lab, worldOf('tooStrict'), stepsOf(lab), options);
		expect(replay, outcomes(replay.run)).toMatchObject({ isRejected: true, hasGoodUser: false, isDefended: false });
		expect(replay.goodUserRejection, outcomes(replay.run)).toBeDefined();
	});

	it.each(['noEffect', 'otherAttack'] as const)('has a defense that does not end the attack: %s', async (id) => {
		const replay = await replayLab(lab, worldOf(id), stepsOf(lab), options);
		// Once the address is blacklisted, no user behind it gets a response.
		const hasGoodUser = name !== 'shared-address';
		expect(replay, outcomes(replay.run)).toMatchObject({ isRejected: false, hasGoodUser, isDefended: false });
	});

	it('has four defenses with different titles', () => {
		expect(new Set(lab.defenses.map(({ title }) => title)).size).toBe(4);
	});

	it('lets the good user in before the defense', async () => {
		const run = await LabRun.open(lab.world, options);
		await (lab.goodUser ?? signInGoodUser)(run);
		expect((lab.findGoodUser ?? findGoodUser)(run.log), outcomes(run)).toBeDefined();
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

	it.each(Object.entries(nearMisses[name] ?? {}))(
		'says what the near miss %s shows, and leads on from it',
		async (id, ids) => {
			const attack = await LabAttack.open(lab, options);
			await act(lab, attack, ids);
			const { goal, nearMiss } = judge(lab, attack);
			expect(goal).toBeUndefined();
			expect(nearMiss?.id, trail(attack)).toBe(id);
			// The sentence is about a row of the newest move.
			expect(nearMiss?.message.id).toBeGreaterThan(attack.moves.at(-1)?.after ?? Infinity);
			// Each value in it is in the log, in what its receiver recorded, or is the start of such a value.
			const rows = JSON.stringify(attack.run.log);
			for (const [, value = ''] of (nearMiss?.text ?? '').matchAll(/`([^`]+)`/g))
				if (!/^[a-z_]+$/.test(value)) expect(rows).toContain(value.replace(/…$/, ''));
			await solve(lab, attack);
		}
	);
});

/** Signatures of the client differ each time. */
function withoutSignature(text: string): string {
	return text.replaceAll(/(client_assertion=[^&]*\.)[^&]*/g, '$1');
}
