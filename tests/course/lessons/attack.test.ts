import { afterEach, expect, it, vi } from 'vitest';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { evaluate } from '#course/lessons/evaluation/evaluate.ts';
import { isLinkRejected, rejectedCodes, rejectedField } from '#course/lessons/evaluation/rejected-codes.ts';
import { goesThrough, stepsOf } from '#course/lessons/evaluation/step.ts';
import { diagramRows, rowText } from '#course/lessons/stage/diagram-rows.ts';
import { attack as runAttack, openLink } from './scripts/uninvited-code.ts';
import { Attack } from '#course/lessons/stage/attack.svelte.ts';
import { openLesson } from './lesson-sandbox.ts';

function tabStorage() {
	const stored = new Map<string, string>();
	return {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, value: string) => void stored.set(key, value),
		removeItem: (key: string) => void stored.delete(key)
	};
}

afterEach(() => vi.unstubAllGlobals());

it('makes a link that redirects the victim to the client with a code of the attacker', async () => {
	const { client, evidence } = await openLesson({});
	const attack = new Attack(client.control, tabStorage());
	await attack.createLink();
	expect(attack.creation.error).toBeUndefined();
	const opened = await client.send(attack.link ?? '');
	expect(opened.headers.get('location')).toMatch(`${client.viewer.redirect_uri}?code=`);
	const { entries } = await evidence();
	expect(entries.at(-1)).toMatchObject({ endpoint: 'control', flow: entries.at(-2)?.flow });
	expect(entries.at(-2)?.username).toBe('player-three');
});

it('keeps the link over a reload, until the sandbox is reset', async () => {
	const { client } = await openLesson({});
	const storage = tabStorage();
	const attack = new Attack(client.control, storage);
	await attack.createLink();
	expect(new Attack(client.control, storage).link).toBe(attack.link);
	attack.forget();
	expect(new Attack(client.control, storage).link).toBeUndefined();
});

it('creates a new code for each link', async () => {
	const { client } = await openLesson({});
	const attack = new Attack(client.control, tabStorage());
	await attack.createLink();
	const first = attack.link;
	await attack.createLink();
	expect(attack.link).not.toBe(first);
});

it('shows that the client or its redirect URI is unknown', async () => {
	const { client } = await openLesson({});
	const attack = new Attack(client.control, tabStorage());
	attack.redirectUri = 'https://other.example/callback';
	await attack.createLink();
	expect(attack.link).toBeUndefined();
	expect(attack.creation.error?.message).toContain('The service issued no code.');
});

it('the step with the state check is shown by what the client rejected, never by the opened link', async () => {
	const lesson = await loadLesson('uninvited-code');
	if (lesson === undefined) throw new Error('There is no such lesson.');
	const { client, evidence } = await openLesson(lesson);
	await runAttack(client);
	await openLink(client);
	const opened = await evidence();
	expect(evaluate(lesson, opened).missing?.id).toBe('second_link_rejected');
	const link = opened.entries.at(-1);
	const reported = (reason: string, preview = '') =>
		rejectedCodes([
			{
				...{ seq: 1, at: 0, kind: 'event', type: 'callback_rejected', message: 'Sign-in failed', source: 'viewer' },
				previews: [preview],
				fields: [['reason', reason]]
			}
		]).map((value) => ({ field: rejectedField, value, after: link?.seq ?? 0 }));
	const preview = link?.values[0]?.preview;
	expect(reported('invalid_grant: expired', preview)).toEqual([]);
	const other = reported('state_missing', opened.entries[0]?.values[0]?.preview);
	expect(evaluate(lesson, { ...opened, entered: other }).missing?.id).toBe('second_link_rejected');
	const entered = reported('state_missing', preview);
	const { shown, missing } = evaluate(lesson, { ...opened, entered });
	expect([missing?.id, shown['second_link_rejected']]).toEqual(['code_left_alone', [link?.id]]);
	const conditions = lesson.conditions.map(({ id }) => id);
	const { entries } = opened;
	const steps = stepsOf({ steps: lesson.stage.steps, conditions, shown, entries });
	const drawn = { steps, entries, most: 100, keep: 0 };
	const last = diagramRows({ ...drawn, isLinkRejected: (entry) => isLinkRejected(entry, entered) })
		.filter((row) => row.kind === 'arrow' && row.exchange === link?.id)
		.map(rowText);
	expect(last).toEqual([
		'Application to Authorization server: GET link · code 2',
		'Authorization server to Application: 303 code',
		'Browser to Application: callback rejected'
	]);
});

it('a step with a pause sends nothing before its message waits', async () => {
	for (const id of ['uninvited-code', 'once-too-often', 'one-letter-off']) {
		const lesson = await loadLesson(id);
		const conditions = lesson?.conditions.map((condition) => condition.id) ?? [];
		const steps = stepsOf({ steps: lesson?.stage.steps ?? [], conditions, shown: {}, entries: [] });
		const held = steps.filter((step) => goesThrough(step, false));
		expect([held.length, held.some((step) => goesThrough(step, true))], id).toEqual([1, false]);
	}
});
