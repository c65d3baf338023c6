import { afterEach, expect, test, vi } from 'vitest';
import { loadLesson, loadScript } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { stepsOf } from '#course/lessons/evaluation/step.ts';
import { diagramRows } from '#course/lessons/stage/diagram-rows.ts';
import type { Script } from '#course/lessons/scripted-client.ts';
import { record } from '../recorded-history.ts';

afterEach(() => vi.unstubAllGlobals());

/** The labels of the requests that are drawn. */
async function drawn(id: string, run?: Script): Promise<readonly string[]> {
	const [lesson, script] = [await loadLesson(id), run ?? (await loadScript(id))];
	if (lesson === undefined || script === undefined) throw new Error(`There is no lesson ${id}`);
	const history = await record(lesson, script);
	const { shown } = evaluate(lesson, history);
	const { isThief } = lesson.stage;
	const { entries } = history;
	const conditions = lesson.conditions.map((condition) => condition.id);
	const steps = stepsOf({ steps: lesson.stage.steps, conditions, shown, entries });
	const options = { steps, entries, most: 100, keep: 0 };
	return diagramRows({ ...options, ...(isThief === undefined ? {} : { isThief }) }).flatMap((row) =>
		row.kind === 'arrow' && row.part === 'request' ? [`${row.from}: ${row.label}`] : []
	);
}

test('the arrow of a token exchange names the token that was sent, also where it was rejected', async () => {
	const labels = (await drawn('token-exchange')).filter((label) => label.includes('POST token'));
	// The first one is that of the application itself.
	expect(labels.slice(2)).toEqual([
		'application: POST token · access token 2',
		'application: POST token · access token 3',
		'application: POST token · access token 4'
	]);
});

test('the arrow of a token request with a proof says so', async () => {
	expect((await drawn('bound-token')).slice(0, 3)).toEqual([
		'application: POST token · proof',
		'application: GET character/Mara Vell · proof',
		'thief: GET character/Mara Vell · proof'
	]);
});

test('one arrow never adds up two senders, users, tokens or codes', async () => {
	const labels = await drawn('token-in-a-url', async (client) => {
		const [one, two] = [await client.signIn(), await client.signIn({}, client.viewer, { username: 'player-two' })];
		const [token, other] = [one.field('access_token'), two.field('access_token')];
		await client.character(token, 'Half/Life');
		await client.send(`${client.baseUrl}/ws/v2.0/character/Half%2FLife?access_token=${token}`);
		await client.character(token);
		await client.character(other);
		await client.exchange('A'.repeat(43));
		await client.exchange('B'.repeat(43));
	});
	expect(labels.filter((label) => label.includes('×'))).toEqual([]);
});
