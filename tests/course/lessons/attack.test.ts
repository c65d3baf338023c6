import { afterEach, expect, it, vi } from 'vitest';
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
