import { twoHours, useCopy, revokeByApplication, changeAccount, revokeByUser } from '../scripts/taking-it-back.ts';
import type { NearMiss, Walk } from '../runs.ts';

export const nearMisses: readonly NearMiss[] = [
	{
		name: 'the refresh comes before the access token has expired',
		missing: 'copy_refreshed',
		run: async (client) => {
			const { refresh_token } = await client.signInOffline();
			await client.refresh(refresh_token);
			await client.revoke(refresh_token);
			await client.refresh(refresh_token);
		}
	},
	{
		name: 'the access token is sent to the revocation endpoint',
		missing: 'revoked_by_application',
		run: async (client) => {
			const { access_token, refresh_token } = await useCopy(client);
			await client.revoke(access_token);
			await client.refresh(refresh_token);
		}
	},
	{
		name: 'another application tries to revoke the token',
		missing: 'revoked_by_application',
		run: async (client) => {
			const { refresh_token } = await useCopy(client);
			await client.revoke(refresh_token, client.companion);
			await client.refresh(refresh_token);
		}
	},
	{
		name: 'the user revokes the access to which the copy belongs',
		missing: 'revoked_by_application',
		run: async (client) => {
			const { refresh_token } = await useCopy(client);
			await revokeByUser(client);
			await client.refresh(refresh_token);
		}
	},
	{
		name: 'an unknown refresh token is rejected',
		missing: 'copy_rejected',
		run: async (client) => {
			const { refresh_token } = await useCopy(client);
			await client.revoke(refresh_token);
			await client.refresh('A'.repeat(43));
		}
	},
	{
		name: 'the refresh is rejected for its secret',
		missing: 'copy_rejected',
		run: async (client) => {
			const { refresh_token } = await useCopy(client);
			await client.revoke(refresh_token);
			await client.refresh(refresh_token, { ...client.viewer, client_secret: 'wrong' });
		}
	},
	{
		name: 'the application revokes its access twice',
		missing: 'revoked_by_user',
		run: async (client) => {
			await revokeByApplication(client);
			const { access_token, refresh_token } = await client.signInOffline();
			await client.revoke(refresh_token);
			await client.character(access_token);
		}
	},
	{
		name: 'the user signs out of the account and revokes nothing',
		missing: 'revoked_by_user',
		run: async (client) => {
			await revokeByApplication(client);
			await client.signInOffline();
			await changeAccount(client, { action: 'sign-out' });
		}
	},
	{
		name: 'the access token has expired when it is rejected',
		missing: 'application_rejected',
		run: async (client) => {
			await revokeByApplication(client);
			const { access_token } = await client.signInOffline();
			await revokeByUser(client);
			await client.advance(twoHours);
			await client.character(access_token);
		}
	},
	{
		name: 'the rejected token belongs to the access that the application revoked',
		missing: 'application_rejected',
		run: async (client) => {
			const { refresh_token } = await useCopy(client);
			await client.revoke(refresh_token);
			await client.refresh(refresh_token);
			await client.signInOffline();
			await revokeByUser(client);
			await client.refresh(refresh_token);
		}
	}
];

export const walk: Walk = async (learner) => {
	await learner.press('Open request');
	await learner.signIn('player-one');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Move 2 hours ahead');
	await learner.see('The sandbox is');
	await learner.press('Send request');
	await learner.next();
	await learner.press('Send request');
	await learner.next();
	await learner.press('Send request');
	await learner.see('The refresh token was issued here, and access was revoked since.');
	await learner.next();
	await learner.press('Sign in with Tollgate');
	await learner.signIn('player-one');
	const account = await learner.pressForTab('Open account');
	await account.press('Revoke access…');
	await account.press('Revoke access');
	await account.see('You revoked access');
	await account.close();
	await learner.next();
	await learner.press('Look up');
	await learner.next();
};
