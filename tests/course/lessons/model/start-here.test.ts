import { afterEach, expect, it, vi } from 'vitest';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { LessonStore } from '#course/lessons/model/lesson-store.svelte.ts';
import { lessonIn } from '#course/lessons/model/progress.ts';
import { openLesson } from '../lesson-sandbox.ts';

afterEach(() => vi.unstubAllGlobals());

it('starts a lesson in a given sandbox, keeps its applications, and ends the other runs there', async () => {
	const { client } = await openLesson({});
	const { control } = client;
	const registered = await control.request('POST /control/applications', {
		body: { name: 'Mine', kind: 'web', redirect_uris: ['http://localhost:3000/callback'] }
	});
	await client.signIn();
	const store = new LessonStore(new MemoryLessonStorage(), true, () => 1000);
	const { id } = await control.request('GET /control/status');
	await store.startHere(control, id, 'whole-trip', {});
	const run = await store.startHere(control, id, 'blacklisted', { start: { settings: { limits: { character: 20 } } } });
	expect(run).toMatchObject({ sandbox: id, baseUrl: control.baseUrl, after: 0, shown: {} });
	expect([await store.run('whole-trip'), await store.run('blacklisted')]).toEqual([undefined, run]);
	expect((await control.request('GET /control/settings')).limits.character).toBe(20);
	const { applications } = await control.request('GET /control/applications');
	expect(applications.map(({ client_id }) => client_id)).toContain(registered.client_id);
	expect((await control.request('GET /control/credentials')).grants).toEqual([]);
	expect(lessonIn(store.progress, 'blacklisted').started).toBe(1000);
});
