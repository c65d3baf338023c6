import { attacker, attackersCode, openLink, attack } from '../scripts/uninvited-code.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the attacker signs in, without a link',
		missing: 'link_opened',
		run: async (client) => {
			const tokens = await client.exchange(await attackersCode(client));
			await client.character(tokens.field('access_token'));
			await client.signIn();
		}
	},
	{
		name: 'the link has a code that the service never issued',
		missing: 'link_opened',
		run: async (client) => {
			await attackersCode(client);
			await client.openLink('x'.repeat(43));
			await client.signIn();
		}
	},
	{
		name: 'the application rejects the first link',
		missing: 'uninvited_exchanged',
		run: async (client) => {
			await openLink(client);
			await client.signIn();
		}
	},
	{
		name: 'the code was exchanged before the link was opened',
		missing: 'uninvited_exchanged',
		run: async (client) => {
			const code = await attackersCode(client);
			await client.exchange(code);
			await client.openLink(code);
		}
	},
	{
		name: 'the character is read with the victim’s own token',
		missing: 'attacker_read',
		run: async (client) => {
			await client.exchange(await openLink(client));
			await client.character((await client.signIn()).field('access_token'));
		}
	},
	{
		name: 'the same link is opened again',
		missing: 'second_link_rejected',
		run: async (client) => {
			const code = await openLink(client);
			await client.character((await client.exchange(code)).field('access_token'));
			await client.openLink(code);
			await client.signIn();
		}
	},
	{
		name: 'the second code is never sent as a link',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await attackersCode(client);
			await client.signIn();
		}
	},
	{
		name: 'the second link is opened, and nothing follows',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await openLink(client);
		}
	},
	{
		name: 'the attacker creates a third link',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await openLink(client);
			await attackersCode(client);
		}
	},
	{
		name: 'the second code is exchanged too',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await client.exchange(await openLink(client));
			await client.signIn();
		}
	},
	{
		name: 'the application sends the second code with a wrong secret',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await client.exchange(await openLink(client), client.viewer, { client_secret: 'wrong' });
			await client.signIn();
		}
	},
	{
		name: 'the application rejects everything, so that no user signs in',
		missing: 'code_left_alone',
		run: async (client) => {
			await attack(client);
			await openLink(client);
			await client.code();
		}
	},
	{
		name: 'the sign-in after the second link is another application’s',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await openLink(client);
			await client.signIn({}, client.companion);
		}
	},
	{
		name: 'the sign-in after the second link is the attacker’s',
		missing: 'second_link_rejected',
		run: async (client) => {
			await attack(client);
			await openLink(client);
			await client.signIn({}, client.viewer, attacker);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.turn('Check state', false);
	await learner.press('Create link');
	await learner.next();
	const attacked = await learner.pressForTab('Open the link as the victim');
	await learner.next();
	await attacked.close();
	await learner.press('Look up');
	await learner.next();
	await learner.turn('Check state', true);
	await learner.press('Create new link');
	const protectedTab = await learner.pressForTab('Open the link as the victim');
	await protectedTab.see('Back to sign-in');
	await protectedTab.close();
	await learner.next();
	await learner.press('Pause at redirect back');
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one', { isHeld: true });
	await learner.next();
};
