import { afterEach, expect, it, vi } from 'vitest';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { ScriptedClient } from '#course/lessons/scripted-client.ts';
import { browserFeed } from '#features/inspector/traffic-feed.svelte.ts';
import { LessonSession } from '#course/lessons/model/lesson-session.svelte.ts';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { LessonStore } from '#course/lessons/model/lesson-store.svelte.ts';
import { lessonIn, stateOf } from '#course/lessons/model/progress.ts';
import { openLesson } from '../lesson-sandbox.ts';
import { fromPage } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

const id = 'whole-trip';

async function openSession() {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error('There is no lesson.');
	const root = new ControlApi(new URL((await openLesson({})).client.baseUrl).origin);
	const storage = new MemoryLessonStorage();
	const store = new LessonStore(storage, true, () => 1000);
	const run = await store.start(root, id, 'Authorization code flow', lesson);
	const forgetUsers = vi.fn(async () => {});
	const session = new LessonSession({ id, lesson, run, store, forgetUsers });
	/** What the feed does in a browser. */
	const read = async () => {
		const { entries } = await session.api.request('GET /control/traffic', trafficAfter());
		session.inspector.entries = fromPage({ entries, entered: [] }).entries;
		await session.record(session.result);
	};
	const state = () => stateOf(lessonIn(store.progress, id));
	return {
		session,
		store,
		storage,
		script,
		read,
		forgetUsers,
		state,
		client: new ScriptedClient(session.api, () => {})
	};
}

it('creates a sandbox for the lesson, and finds the run again', async () => {
	const { session, store } = await openSession();
	expect((await session.api.request('GET /control/status')).name).toBe('Lesson: Authorization code flow');
	const found = await store.run(id);
	expect(found?.baseUrl).toBe(session.api.baseUrl);
	if (found === undefined) throw new Error('The run is lost.');
	expect(await store.isAlive(found)).toBe(true);
	await session.api.request('DELETE /control/sandbox');
	expect(await store.isAlive(found)).toBe(false);
});

it('records what the requests show, with their ids', async () => {
	const { session, store, script, client, read, state } = await openSession();
	await client.code();
	await read();
	expect([session.result.missing?.id, state()]).toEqual(['code_exchanged', 'started']);
	await script(client);
	await read();
	expect([session.isDone, state()]).toEqual([true, 'shown']);
	const ids = session.inspector.entries.map((entry) => entry.id);
	expect(ids).toEqual(expect.arrayContaining(Object.values(lessonIn(store.progress, id).shown).flat()));
	session.inspector.entries = [];
	expect(session.isDone, 'a log forgets').toBe(true);
});

it('a reset opens the lesson again, and keeps what was recorded', async () => {
	const { session, script, client, read, forgetUsers, state } = await openSession();
	await script(client);
	await read();
	const old = session.inspector.entries;
	await session.reset();
	expect([session.isDone, state(), forgetUsers.mock.calls.length]).toEqual([false, 'shown', 1]);
	expect((await session.api.request('GET /control/traffic', trafficAfter())).entries).toEqual([]);
	session.inspector.entries = old;
	expect(session.result.shown, 'exchanges of the run before').toEqual({});
	await script(client);
	await read();
	expect(session.isDone).toBe(true);
});

it('does not record as shown what Tollgate did', async () => {
	const { session, store, script, read, state } = await openSession();
	const lastCondition = session.lesson.conditions.at(-1)?.id ?? '';
	await session.reveal(script, lastCondition);
	await read();
	expect([session.isDone, session.isRevealed, state()]).toEqual([true, true, 'revealed']);
	expect(lessonIn(store.progress, id).shown).toEqual({});
	await session.reset();
	expect(session.isRevealed).toBe(false);
});

it('does one step for the learner, and nothing of the next one', async () => {
	const { session, script, read } = await openSession();
	const [first, second] = session.lesson.stage.steps;
	await session.reveal(script, first.condition);
	await read();
	expect([session.steps[0]?.isDone, session.steps[1]?.attempts, second?.condition !== undefined]).toEqual([
		true,
		[],
		true
	]);
});

it('keeps the first prediction, also for another tab', async () => {
	const { session, storage } = await openSession();
	await session.predict('unknown');
	await session.predict(2);
	const other = new LessonStore(storage, true);
	await other.load();
	expect(lessonIn(other.progress, id).prediction).toBe('unknown');
});

it('keeps the exchanges of a run over a reload, also those that the log has dropped', async () => {
	const { session, store, script, client, read } = await openSession();
	const stream = { readyState: 1, addEventListener: () => {}, close: () => {} };
	vi.spyOn(browserFeed, 'openStream').mockReturnValue(stream);
	const stop = session.start();
	await script(client);
	await read();
	const { entries } = session;
	stop();
	await vi.waitFor(async () => {
		const run = await store.run(id);
		expect(run && (await store.entries(id, run))).toEqual(entries);
	});
	const run = await store.run(id);
	if (run === undefined) throw new Error('The run is lost.');
	const kept = await store.entries(id, run);
	const again = new LessonSession({ id, lesson: session.lesson, run, kept, store, forgetUsers: async () => {} });
	again.inspector.entries = entries.slice(-1);
	expect(again.entries).toEqual(entries);
	await store.replaceRun(id, run);
	expect(await store.entries(id, run)).toEqual([]);
});

it('what a press of one step still sends stays in that step, though another one is open', async () => {
	const { session, client, read } = await openSession();
	session.visit(0);
	const tokens = await client.signIn();
	session.visit(1);
	await client.character(tokens.field('access_token'));
	session.visit(0, true);
	await client.character(tokens.field('access_token'));
	await read();
	expect(session.steps.map(({ attempts }) => attempts.length)).toEqual([2, 2]);
	session.visit(0);
	await client.signIn();
	await read();
	expect(session.steps.map(({ attempts }) => attempts.length)).toEqual([4, 2]);
});

it('two tabs of a lesson know which step each of them opened, and what was changed, also after a reload', async () => {
	const { session, store, client, read } = await openSession();
	vi.spyOn(browserFeed, 'openStream').mockReturnValue({ readyState: 1, addEventListener: () => {}, close: () => {} });
	const tab = async () => {
		const run = await store.run(id);
		if (run === undefined) throw new Error('The run is lost.');
		return new LessonSession({ id, lesson: session.lesson, run, store, forgetUsers: async () => {} });
	};
	const other = await tab();
	const stops = [session.start(), other.start()];
	session.visit(0);
	await client.signIn({}, client.viewer, { username: 'player-two' });
	await read();
	expect(session.notice?.kind).toBe('other-user');
	session.changed();
	expect(session.notice).toBeUndefined();
	const { entries } = session.inspector;
	for (const one of [other, await tab()]) {
		one.inspector.entries = entries;
		await vi.waitFor(() => expect(one.notice).toBeUndefined());
	}
	other.visit(1);
	await vi.waitFor(async () => expect((await store.run(id))?.visits.map(({ step }) => step)).toEqual([0, 1]));
	await vi.waitFor(() => {
		session.visit(0);
		return expect(store.run(id).then((run) => run?.visits.map(({ step }) => step))).resolves.toEqual([0, 1, 0]);
	});
	for (const stop of stops) stop();
});
