import { limit, otherUser, readElsewhere, useUp } from '../scripts/shared-key.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

const signInOther = async (client: ScriptedClient) =>
	(await client.signIn({}, client.viewer, otherUser)).field('access_token');

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'one request is left',
		missing: 'used_up',
		run: async (client) => {
			await useUp(client, limit - 1);
			await readElsewhere(client, await signInOther(client));
		}
	},
	{
		name: 'the same user signs in again',
		missing: 'other_signed_in',
		run: async (client) => {
			await useUp(client);
			const token = (await client.signIn()).field('access_token');
			await client.character(token);
			await readElsewhere(client, token);
		}
	},
	{
		name: 'the window has ended',
		missing: 'innocent_rejected',
		run: async (client) => {
			await useUp(client);
			const token = await signInOther(client);
			await client.advance(3601);
			await client.character(token);
		}
	},
	{
		name: 'the other user comes from another address at once',
		missing: 'innocent_rejected',
		run: async (client) => {
			await useUp(client);
			await readElsewhere(client, await signInOther(client));
		}
	},
	{
		name: 'the token changes with the address',
		missing: 'other_address',
		run: async (client) => {
			await useUp(client);
			await client.character(await signInOther(client));
			await readElsewhere(client, await signInOther(client));
		}
	},
	{
		name: 'the window ends instead of a change of the address',
		missing: 'other_address',
		run: async (client) => {
			await useUp(client);
			const token = await signInOther(client);
			await client.character(token);
			await client.advance(3601);
			await client.character(token);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Load 20 at once');
	await learner.next();
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-two');
	await learner.next();
	await learner.press('Send one request');
	await learner.next();
	await learner.press('Send one request');
	await learner.next();
};
