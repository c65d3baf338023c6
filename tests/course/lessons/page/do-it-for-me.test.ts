import { afterEach, expect, test, vi } from 'vitest';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { MemoryLessonStorage } from '#course/frame/storage.ts';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { LessonSession } from '#course/lessons/model/lesson-session.svelte.ts';
import { LessonStore } from '#course/lessons/model/lesson-store.svelte.ts';
import { StageTools } from '#course/lessons/stage/stage-tools.svelte.ts';
import { missingValue } from '#features/request-builder/missing-value.ts';
import { TestService } from '../../../client/test-service.ts';
import { openLesson } from '../lesson-sandbox.ts';
import { fromPage } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

function stubStorage(): void {
	const values = new Map<string, string>();
	const storage = {
		getItem: (key: string) => values.get(key) ?? null,
		setItem: (key: string, value: string) => void values.set(key, value),
		removeItem: (key: string) => void values.delete(key)
	};
	vi.stubGlobal('sessionStorage', storage);
	vi.stubGlobal('localStorage', storage);
}

test.each(allLessons.map(({ id }) => id))('does each step of %s, and the next one can go on', async (id) => {
	stubStorage();
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`No lesson ${id}`);
	const root = new ControlApi(new URL((await openLesson({})).client.baseUrl).origin);
	const store = new LessonStore(new MemoryLessonStorage(), true, () => 1000);
	const run = await store.start(root, id, lesson.stage.steps[0].title, lesson);
	const session = new LessonSession({ id, lesson, run, store, forgetUsers: async () => {} });
	const tools = new StageTools({ session, stage: lesson.stage, world: await new TestService().world(), base: '' });
	await tools.builder.start();
	for (const [index, step] of lesson.stage.steps.entries()) {
		for (const tool of step.tools) {
			if (tool.kind !== 'request') continue;
			tools.builder.choose(tool.request);
			tools.prepare(tool);
			// A key is registered by its own tool, and a code may be one that the learner types.
			const isTyped = tool.edits?.includes('code') === true;
			if (!isTyped && index > 0) expect(missingValue(tools.builder.draft), step.title).toBeUndefined();
		}
		await session.reveal(script, step.condition, tools);
		const { entries } = await session.api.request('GET /control/traffic', trafficAfter());
		session.inspector.entries = fromPage({ entries, entered: [] }).entries;
		await session.record(session.result);
		expect(session.steps[index]?.isDone, step.title).toBe(true);
	}
	expect(session.isDone).toBe(true);
});
