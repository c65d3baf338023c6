import { afterEach, expect, test, vi } from 'vitest';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { spread, waitForReset } from '../scripts/herd.ts';
import { shownRun } from '#course/lessons/evaluation/step.ts';
import { runHerd, type Returns } from '#course/lessons/stage/herd.ts';
import { openSignedIn } from '../../../features/viewer/signed-in-client.ts';
import { record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

test('the tool knows how many were rejected before the first one returns', async () => {
	const { client, id, set } = await openSignedIn();
	await set({ character: 5 });
	const abort = new AbortController();
	const seen: Returns[] = [];
	const onreturn = (returns: Returns) => {
		seen.push(returns);
		if (returns.rejected === 15) abort.abort();
	};
	await runHerd(client, { userId: id, spread: 0, signal: abort.signal, onreturn });
	expect(seen.find(({ at }) => at.length === 0)).toBeDefined();
	expect(seen.at(-1)?.rejected).toBe(15);
});

test('what another press sends after the herd is none of its retries', async () => {
	const lesson = await loadLesson('herd');
	if (lesson === undefined) throw new Error('There is no such lesson.');
	const history = await record(lesson, async (client) => {
		const token = (await client.signIn()).field('access_token');
		// Stopped, and started again in the same window.
		await client.read(token, 10);
		await waitForReset(client, token);
		await client.read(token, 20);
		await client.advance(5);
		await waitForReset(client, token);
		await spread(client, token, 15);
	});
	const { shown } = evaluate(lesson, history);
	const rows = lesson.prediction.comparison?.rows(shownRun(history.entries, shown, []));
	expect(rows?.map(([label, together]) => [label, together])).toEqual([
		['Retries', 20],
		['Most in one second', 20],
		['Over the limit again', 15]
	]);
});
