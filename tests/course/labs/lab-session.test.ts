import { expect, it } from 'vitest';
import { ProgressStore, parseItems } from '#course/frame/progress-store.svelte.ts';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { guided } from '#course/labs/model/guided.svelte.ts';
import { LabSession } from '#course/labs/model/lab-session.svelte.ts';
import { labProgress as stored } from '#course/labs/model/lab-store.ts';
import { labProgress } from '#course/labs/model/seat-progress.ts';
import { labOf } from './lab-of.ts';

const lab = await labOf('login-csrf');

async function open() {
	const store = new ProgressStore(new MemoryLessonStorage(), 'labs', (found) => parseItems(stored, found));
	const session = new LabSession({ id: 'login-csrf', lab, store, rootUrl: 'https://tollgate.example' });
	await session.start();
	const act = async (id: string) => {
		const action = session.actions.find((one) => one.id === id);
		expect(action, id).toBeDefined();
		if (action !== undefined) await session.act(action);
	};
	return { session, store, act };
}

it('records the moves with what the log shows of each, and takes the last one back', async () => {
	const { session, act } = await open();
	await act('hold');
	expect(session.moves.map(({ text, mark }) => [text, mark])).toEqual([['Hold and allow', 'held']]);
	await session.edit('state', 'other');
	await act('put_on_page');
	await act('open_as_victim');
	expect(session.moves.map(({ text, mark }) => [text, mark])).toEqual([
		['Hold and allow', 'done'],
		['Changed `state`', 'done'],
		['Put on my page', 'done'],
		['Open as the victim', 'rejected']
	]);
	expect(session.judgment.nearMiss?.text).toContain('brought the `state` `other`');
	expect(labProgress('login-csrf', session)).toMatchObject({ miss: 'state_kept' });
	await session.undo();
	expect(session.moves).toHaveLength(3);
	expect(session.judgment.nearMiss).toBeUndefined();
	expect(session.announcement).toBe('Move 4 undone.');
});

it('runs the attack of the learner against each defense, with the prediction, and records the right one', async () => {
	const { session, store, act } = await open();
	await act('hold');
	// By hand, in place of the action of the steps.
	await session.edit('state', undefined);
	await act('put_on_page');
	await act('open_as_victim');
	expect(session.isReached).toBe(true);
	const prediction = { attack: 'rejected', user: 'in' } as const;
	const results = [];
	for (const id of ['noEffect', 'tooStrict', 'otherAttack', 'right'] as const) {
		session.chosen = id;
		await session.run(prediction);
		results.push([session.replay?.isRejected, session.replay?.hasGoodUser, session.isDefended]);
	}
	expect(results).toEqual([
		[false, true, false],
		[true, false, false],
		[false, true, false],
		[true, true, true]
	]);
	expect(session.result?.prediction).toEqual(prediction);
	// The same values as in the attack: the same code.
	const codesOf = (log: readonly { readonly url: string }[] = []) =>
		log.flatMap(({ url }) => /code=([^&]+)/.exec(url)?.[1] ?? []);
	expect(codesOf(session.replay?.run.log)[0]).toBe(codesOf(session.attack?.log)[0]);
	expect(store.progress['login-csrf']).toMatchObject({ attacked: expect.any(Number), defended: expect.any(Number) });
	expect(labProgress('login-csrf', session)).toMatchObject({ is_done: true, revealed: false });
});

it('says of a lab that it was won without steps, and of one with Guided nothing', async () => {
	const win = async ({ act }: Awaited<ReturnType<typeof open>>) => {
		for (const { id } of lab.steps) await act(id);
	};
	const alone = await open();
	await win(alone);
	expect(alone.store.progress['login-csrf']).toMatchObject({ withoutSteps: true });
	const shown = await open();
	guided.ofClass = true;
	await shown.act(lab.steps[0]?.id ?? '');
	guided.ofClass = false;
	await shown.session.undo();
	await win(shown);
	expect(shown.store.progress['login-csrf']).not.toHaveProperty('withoutSteps');
	// The steps were read without a move, and hidden again.
	const read = await open();
	read.session.noteSteps();
	await win(read);
	expect(read.store.progress['login-csrf']).not.toHaveProperty('withoutSteps');
	// A later attack without them counts.
	await shown.session.start();
	await win(shown);
	expect(shown.store.progress['login-csrf']).toMatchObject({ withoutSteps: true });
	guided.ofClass = undefined;
});

it('a class decides whether labs show their steps, before the choice of the student', () => {
	guided.ofClass = true;
	guided.toggle();
	expect(guided.isOn).toBe(true);
	guided.ofClass = undefined;
	expect(guided.isOn).toBe(false);
});
