import { afterEach, expect, it, vi } from 'vitest';
import { allLessons, loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import type { Visit } from '#course/lessons/evaluation/condition.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { changesSince, countsOf, isImplied, revokedText } from '#course/lessons/evaluation/result-text.ts';
import { summaryOf } from '#course/lessons/evaluation/step-summary.ts';
import { lastLike, shownRun, stepsOf } from '#course/lessons/evaluation/step.ts';
import type { Script } from '#course/lessons/scripted-client.ts';
import { responseLines } from '#course/frame/response-lines.ts';
import { fromPage, record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

async function stepsIn(id: string, run?: Script, visits: readonly Visit[] = []) {
	const [lesson, script] = [await loadLesson(id), run ?? (await loadScript(id))];
	if (lesson === undefined || script === undefined) throw new Error(`There is no lesson ${id}`);
	const recorded = await record(lesson, script);
	const history = visits.length === 0 ? recorded : { ...fromPage(recorded), visits };
	const { shown } = evaluate(lesson, history);
	const conditions = lesson.conditions.map((condition) => condition.id);
	const { entries } = history;
	return { lesson, shown, entries, steps: stepsOf({ steps: lesson.stage.steps, conditions, shown, entries, visits }) };
}

it.each(allLessons)(
	'lesson $id: each step has the exchange that its chip cites, and no exchange is in two steps',
	async ({ id }) => {
		const { lesson, shown, entries, steps } = await stepsIn(id);
		for (const { data, attempts } of steps) {
			// A value that was read off is of a response to an earlier step.
			if (lesson.conditions.some((one) => 'field' in one && one.id === data.condition)) continue;
			const cited = shown[data.condition]?.at(-1);
			if (entries.some((entry) => entry.id === cited)) expect(attempts.map((entry) => entry.id)).toContain(cited);
		}
		const all = steps.flatMap(({ attempts }) => attempts);
		expect(new Set(all).size).toBe(all.length);
	}
);

it('a request without the token of the step, in another tab, is none of its attempts', async () => {
	const { steps } = await stepsIn('shared-key', async (client) => {
		const token = (await client.signIn()).field('access_token');
		for (let call = 0; call < 20; call++) await client.character(token);
		await client.signIn({}, client.viewer, { username: 'player-two' });
		await client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`);
	});
	expect(steps.map(({ isDone, attempts }) => [isDone, attempts.length])).toEqual([
		[true, 2],
		[true, 20],
		[true, 2],
		[false, 0],
		[false, 0]
	]);
});

it('who goes back sends for the step in view, and the step before keeps its own response', async () => {
	const run: Script = async (client) => {
		const token = (await client.signIn()).field('access_token');
		for (let call = 0; call < 3; call++) await client.character(token);
		await client.character(token, 'Test Slow');
	};
	const { steps, entries } = await stepsIn('cost', run, [{ step: 1, after: 0 }]);
	expect(steps.map(({ attempts }) => attempts.length)).toEqual([2, 3, 1, 0, 0]);
	expect(steps[2]?.attempts.at(-1)).toBe(entries.at(-1));
});

it('compares the last request of a burst, where the question asks about it', async () => {
	const { lesson, shown, steps } = await stepsIn('window-edge');
	const last = lastLike(steps, shown['past_limit']?.at(-1));
	expect(last && responseLines(last, 'X-RateLimit-Remaining')).toEqual(['200 OK', 'X-RateLimit-Remaining: 0']);
	const right = lesson.prediction.options.find(({ isRight }) => isRight);
	expect(isImplied(right?.implies ?? [], ['200 OK', 'X-RateLimit-Remaining: 9'])).toBe(false);
});

it('a line of a prediction is equal to a line of a response, apart from what it leaves out', () => {
	expect(isImplied(['401', '"error":"a"'], ['401', '{ "error": "a", "b": 1 }'])).toBe(true);
	expect(isImplied(['401', '"error":"a"'], ['401', '{ "error": "b" }'])).toBe(false);
	expect(
		isImplied(['200', '{"name":"100% Orc","location":…}'], ['200', '{ "name": "100% Orc", "location": {} }'])
	).toBe(true);
	expect(isImplied(['200', 'X: 1'], ['200', 'X: 12'])).toBe(false);
});

it('counts the requests of one step, and names what was changed since', async () => {
	const { steps } = await stepsIn('slow-is-fast', async (client) => {
		const token = (await client.signIn()).field('access_token');
		for (let call = 0; call < 30; call++) await client.character(token);
	});
	const attempts = steps[1]?.attempts ?? [];
	expect(countsOf(attempts).slice(0, 3)).toEqual([
		['sent', 30],
		['accepted', 20],
		['rate limited', 10]
	]);
	expect(summaryOf(attempts, 9, 'character')).toBe(
		'To the last of 30 requests, 9 s ago. 20 accepted, 10 over the limit.'
	);
	expect(summaryOf(attempts, 7201, 'character')).toMatch(/^To the last of 30 requests, 2 hours ago\. /);
	expect(steps[2]?.attempts).toEqual([]);
	const draft = [{ name: 'character_name', value: 'Half/Life', isOn: true }];
	expect(changesSince(attempts[0], draft, ['character_name'])).toEqual([{ name: 'character_name', was: 'Mara Vell' }]);
	expect(changesSince(undefined, draft, ['character_name'])).toEqual([]);
	expect(summaryOf(attempts, 9, 'character', [{ name: 'character_name', was: 'Mara Vell' }])).toBe(
		'Of this step, 9 s ago. Its `character_name` was `Mara Vell`.'
	);
});

it('counts a limit only where the requests have one, and says what the service did instead of consent', async () => {
	const { steps } = await stepsIn('asking-for-less', async (client) => {
		for (let call = 0; call < 3; call++)
			await client.signIn({ scope: 'character_read' }, client.viewer, { decision: 'deny' });
		await client.signIn({ scope: 'character_read' });
		await client.authorize({ scope: 'character_read' });
	});
	const [asked, again] = steps;
	expect(asked?.attempts.length).toBeGreaterThan(4);
	expect(summaryOf(asked?.attempts ?? [], 0, 'character')).toMatch(/^To this request, 0 s ago\. \d+ checks passed/);
	expect(summaryOf(again?.attempts ?? [], 0, 'character')).toMatch(/checks passed\. Code issued\.$/);
});

it('names the requests without a response', async () => {
	const { steps } = await stepsIn('blacklisted');
	expect(summaryOf(steps[1]?.attempts ?? [], 0, 'character')).toMatch(
		/20 accepted, 30 over the limit, \d+ without a response\.$/
	);
});

it('says that the application does not know of the revocation, until it does', async () => {
	const { entries } = await stepsIn('one-refresh-for-all');
	const before = entries.findIndex(({ response }) => response?.status === 401);
	const last = entries[before - 1]?.seq ?? 0;
	expect(revokedText(entries.slice(0, before), last)).toBe('Revoked. The application does not know yet.');
	expect(revokedText(entries, last)).toBe('Revoked. The application knows since it got 401.');
});

it.each(allLessons)('lesson $id is judged by facts, never by the words of a trace', async ({ id }) => {
	const [lesson, script] = [await loadLesson(id), await loadScript(id)];
	if (lesson === undefined || script === undefined) throw new Error(`There is no lesson ${id}`);
	const history = await record(lesson, script);
	const entries = history.entries.map((entry) => ({
		...entry,
		// The algorithm that counts is in the words of its check only.
		trace: entry.trace.map((line) => (line.id === 'rate_limit.not_exceeded' ? line : { ...line, name: '', detail: '' }))
	}));
	expect(evaluate(lesson, { ...history, entries }).missing).toBeUndefined();
});

it('a comparison of two steps counts all that was sent in them, also the first tries', async () => {
	const { lesson, shown, entries, steps } = await stepsIn('slow-is-fast', async (client) => {
		const token = (await client.signIn()).field('access_token');
		await client.read(token, 25);
		for (const count of [24, 20, 20]) {
			await client.advance(11);
			await client.read(token, count);
		}
	});
	expect(lesson.prediction.comparison?.rows(shownRun(entries, shown, steps))).toEqual([
		['Requests', 25, 64],
		['Accepted', 20, 60],
		['Over the limit', 5, 4]
	]);
});
