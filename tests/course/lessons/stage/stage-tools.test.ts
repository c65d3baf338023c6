import { expect, test } from 'vitest';
import { challengeOf } from '#client/oauth/authorization-request.ts';
import { usernamesOf } from '#course/lessons/stage/stage-tools.svelte.ts';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { openLesson } from '../lesson-sandbox.ts';

const lesson = await loadLesson('online-and-offline');
if (lesson === undefined) throw new Error('There is no such lesson.');

test('the users of the viewer have the usernames of their sign-ins, also of one by mistake and after a refresh', async () => {
	const { client, evidence } = await openLesson(lesson);
	const list: { id: string; access_token: string; refresh_token: string | null }[] = [];
	const signIn = async (username: string, access_type?: string) => {
		const tokens = await client.signIn({ access_type }, client.viewer, { username });
		const refresh_token = access_type === undefined ? null : tokens.field('refresh_token');
		list.push({ id: `user ${list.length}`, access_token: tokens.field('access_token'), refresh_token });
		return refresh_token ?? '';
	};
	await signIn('player-two');
	const refreshToken = await signIn('player-one', 'offline');
	await signIn('player-three');
	const refreshed = await client.refresh(refreshToken);
	list.push({ id: 'refreshed', access_token: refreshed.field('access_token'), refresh_token: null });
	list.push({ id: 'unknown', access_token: 'A'.repeat(43), refresh_token: null });
	const { entries } = await evidence();
	expect([...(await usernamesOf(list, entries))]).toEqual([
		['user 0', 'player-two'],
		['user 1', 'player-one'],
		['user 2', 'player-three'],
		['refreshed', 'player-one']
	]);
	expect(await challengeOf('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
});
