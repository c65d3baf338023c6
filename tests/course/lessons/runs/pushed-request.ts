import { allow, open, push, pushAndWiden } from '../scripts/pushed-request.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the request is not pushed',
		missing: 'pushed',
		run: async (client) => {
			const { code_challenge } = await client.pkce();
			await client.authorize({ code_challenge, code_challenge_method: 'S256' });
		}
	},
	{
		name: 'the address is not changed',
		missing: 'change_rejected',
		run: async (client) => {
			const pushed = await push(client);
			await allow(client, pushed);
			await open(client, pushed);
		}
	},
	{
		name: 'something else than the scope is added',
		missing: 'change_rejected',
		run: async (client) => {
			await open(client, await push(client), { state: 'other' });
		}
	},
	{
		name: 'the reference has expired',
		missing: 'code_issued',
		run: async (client) => {
			const pushed = await pushAndWiden(client);
			await client.control.request('POST /control/clock', { body: { advance: 100 } });
			await allow(client, pushed).catch(() => undefined);
			await open(client, pushed);
		}
	},
	{
		name: 'the user allows a request that was not pushed',
		missing: 'code_issued',
		run: async (client) => {
			await pushAndWiden(client);
			const { code_challenge } = await client.pkce();
			await client.authorize({ code_challenge, code_challenge_method: 'S256' });
		}
	},
	{
		name: 'the second reference is a new one',
		missing: 'reuse_rejected',
		run: async (client) => {
			await allow(client, await pushAndWiden(client));
			await open(client, await push(client));
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Send request');
	await learner.next();
	const changed = await learner.pressForTab('Open request');
	await changed.see('request_uri');
	await changed.close();
	await learner.next();
	await learner.press('Open request');
	// A decision uses the reference up, so each further try needs a new one.
	await learner.signIn('player-one', {
		again: async () => {
			await learner.move(-2);
			await learner.press('Send request');
			await learner.see('To this request, 0 s ago');
			await learner.move(2);
			await learner.press('Open request');
		}
	});
	await learner.next();
	const stolen = await learner.pressForTab('Open request');
	await stolen.see('request_uri');
	await stolen.close();
	await learner.next();
};
