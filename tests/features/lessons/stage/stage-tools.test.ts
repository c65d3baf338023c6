import { expect, test } from 'vitest';
import { challengeOf } from '#client/oauth/authorization-request.ts';
import { usersOf } from '#features/lessons/stage/stage-tools.svelte.ts';
import { lesson } from '#features/lessons/online-and-offline/lesson.ts';
import { openLesson } from '../lesson-sandbox.ts';

test('a tool acts for the user of the lesson, not for one who signed in by mistake before', async () => {
	const { client, evidence } = await openLesson(lesson);
	const list: { id: string; refresh_token: string }[] = [];
	for (const username of ['player-two', 'player-one']) {
		const tokens = await client.signIn({ access_type: 'offline' }, client.viewer, { username });
		list.push({ id: `user of ${username}`, refresh_token: tokens.field('refresh_token') });
	}
	const { entries } = await evidence();
	const found = async (username: string) => (await usersOf(list, entries, username)).map(({ id }) => id);
	expect([await found('player-one'), await found('player-two')]).toEqual([
		['user of player-one'],
		['user of player-two']
	]);
	expect(await challengeOf('')).toBe('47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
});
