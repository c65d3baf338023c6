import { afterEach, expect, it, vi } from 'vitest';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import { openLesson } from './lesson-sandbox.ts';

afterEach(() => vi.unstubAllGlobals());

/** What learners do besides, as another user of another application: it must neither help nor hinder. */
async function sendOthers(client: ScriptedClient): Promise<void> {
	const other = await client.signIn({ scope: 'character_read' }, client.companion, { username: 'player-two' });
	await client.character(other.field('access_token'));
	await client.authorize({ scope: 'unknown' }, client.companion);
	await client.exchange('A'.repeat(43), client.companion);
	await client.refresh('A'.repeat(43), client.companion);
	await client.revoke('A'.repeat(43), client.companion);
	await client.send(`${client.baseUrl}/ws/oauth2/tokens/`);
}

it.each(allLessons)('lesson $id takes harmless extra requests, and loses nothing that was shown', async ({ id }) => {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`src/course/lessons/${id} is incomplete`);
	const { client, evidence } = await openLesson(lesson);
	await sendOthers(client);
	await script(client);
	await sendOthers(client);
	const all = await evidence();
	expect(evaluate(lesson, all).missing?.unmet).toBeUndefined();
	// As on the page, which evaluates after each exchange.
	const shownAfter = all.entries.map((_, index) =>
		Object.keys(evaluate(lesson, { ...all, entries: all.entries.slice(0, index + 1) }).shown)
	);
	shownAfter.reduce((earlier, shown) => {
		expect(shown).toEqual(expect.arrayContaining(earlier));
		return shown;
	}, []);
});
