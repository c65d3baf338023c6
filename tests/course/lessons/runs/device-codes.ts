import { askForCodes, decide, poll, pollTwice } from '../scripts/device-codes.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the codes are for an unknown permission',
		missing: 'codes_issued',
		run: async (client) => {
			await poll(client, await askForCodes(client, 'unknown'));
		}
	},
	{
		name: 'the user allows access before the first poll',
		missing: 'pending',
		run: async (client) => {
			const codes = await askForCodes(client);
			await decide(client, codes, 'approve');
			await poll(client, codes);
		}
	},
	{
		name: 'the second poll comes in time',
		missing: 'slowed_down',
		run: async (client) => {
			const codes = await askForCodes(client);
			await poll(client, codes);
			await client.control.request('POST /control/clock', { body: { advance: 6 } });
			await poll(client, codes);
		}
	},
	{
		name: 'the user denies access',
		missing: 'allowed',
		run: async (client) => {
			const codes = await pollTwice(client);
			await decide(client, codes, 'deny');
			await poll(client, codes);
		}
	},
	{
		name: 'the codes expire before the next poll',
		missing: 'tokens_issued',
		run: async (client) => {
			const codes = await pollTwice(client);
			await decide(client, codes, 'approve');
			await client.control.request('POST /control/clock', { body: { advance: 601 } });
			await poll(client, codes);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Send request');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	// The poll before may be more than five seconds ago. The next one is not.
	await learner.press('Send request');
	await learner.press('Send request');
	await learner.next();
	const page = await learner.pressForTab('Open device page');
	await page.signIn('player-one');
	await page.see('connected');
	await page.close();
	await learner.next();
	await learner.press('Send request');
	await learner.next();
};
