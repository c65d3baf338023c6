import { exchangeTwice, github, google, signInTwice, speakLike } from '../scripts/same-client.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the sandbox still speaks the standard',
		missing: 'github_code',
		run: async (client) => {
			await client.signIn();
		}
	},
	{
		name: 'the code of GitHub is exchanged once',
		missing: 'github_error',
		run: async (client) => {
			await speakLike(client, 'github');
			await client.signIn(github);
		}
	},
	{
		name: 'the code is sent again in the dialect of the standard',
		missing: 'github_error',
		run: async (client) => {
			await speakLike(client, 'github');
			const code = await client.code(github);
			await client.exchange(code);
			await speakLike(client, 'standard');
			await client.exchange(code);
		}
	},
	{
		name: 'the sign-in at Google asks for no offline access',
		missing: 'google_first',
		run: async (client) => {
			await exchangeTwice(client);
			await speakLike(client, 'google');
			await client.signIn({ scope: 'openid email' });
		}
	},
	{
		name: 'the second sign-in shows the consent page',
		missing: 'google_again',
		run: async (client) => {
			await exchangeTwice(client);
			await speakLike(client, 'google');
			await client.signIn(google);
			await client.signIn({ ...google, prompt: 'consent' });
		}
	},
	{
		name: 'the last code goes to GitHub',
		missing: 'slack_error',
		run: async (client) => {
			await exchangeTwice(client);
			const code = await signInTwice(client);
			await speakLike(client, 'github');
			await client.exchange(code);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Speak like GitHub OAuth apps');
	await learner.see('It speaks like GitHub OAuth apps.');
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Speak like Google');
	await learner.see('It speaks like Google.');
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Open request');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Speak like Slack');
	await learner.see('It speaks like Slack.');
	await learner.press('Send request');
	await learner.next();
};
