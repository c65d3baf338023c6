import { renew, getSmallerToken } from '../scripts/asking-for-less.ts';
import type { NearMiss, Walk } from '../runs.ts';

const playerTwo = { username: 'player-two' };

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the user denies access',
		missing: 'user_asked',
		run: async (client) => {
			await client.authorize({}, client.viewer, { decision: 'deny' });
		}
	},
	{
		name: 'another user is asked the second time',
		missing: 'not_asked_again',
		run: async (client) => {
			await client.signIn();
			await client.signIn({}, client.viewer, playerTwo);
		}
	},
	{
		name: 'an installed application always asks',
		missing: 'not_asked_again',
		run: async (client) => {
			await client.signIn({}, client.companion);
			await client.signIn({}, client.companion);
		}
	},
	{
		name: 'the second request contains the first permission too',
		missing: 'other_scope_allowed',
		run: async (client) => {
			await client.signIn();
			await client.signIn();
			await client.signIn({ scope: 'character_read location_read' });
		}
	},
	{
		name: 'the other permission is granted by another user',
		missing: 'other_scope_allowed',
		run: async (client) => {
			await client.signIn();
			await client.signIn();
			await client.signIn({ scope: 'location_read' }, client.viewer, playerTwo);
		}
	},
	{
		name: 'the code was issued before the grant became larger',
		missing: 'other_scope_allowed',
		run: async (client) => {
			await client.signIn();
			const early = await client.code();
			await client.signIn({ scope: 'character_read location_read' });
			await client.exchange(early);
		}
	},
	{
		name: 'the code for the other permission is not exchanged',
		missing: 'smaller_token',
		run: async (client) => {
			await client.signIn();
			await client.signIn();
			await client.code({ scope: 'location_read' });
		}
	},
	{
		name: 'the request with renewal names all permissions itself',
		missing: 'renewal_asked',
		run: async (client) => {
			await getSmallerToken(client);
			await client.signIn({ scope: 'character_read location_read', ...renew });
		}
	},
	{
		name: 'renewal is requested with another value than yes',
		missing: 'renewal_asked',
		run: async (client) => {
			await getSmallerToken(client);
			await client.signIn({ scope: 'location_read', renew_previously_granted: 'true' });
		}
	},
	{
		name: 'renewal by a user who has granted one permission only',
		missing: 'renewal_asked',
		run: async (client) => {
			await getSmallerToken(client);
			await client.signIn({ scope: 'location_read', ...renew }, client.viewer, playerTwo);
		}
	},
	{
		name: 'the code for all permissions is not exchanged',
		missing: 'renewed',
		run: async (client) => {
			await getSmallerToken(client);
			await client.code({ scope: 'location_read', ...renew });
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Open request');
	await learner.next();
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Open request');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
};
