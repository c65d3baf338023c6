import type { LessonTraces } from '../engine/lesson.ts';
import type { ScriptedClient } from '../engine/scripted-client.ts';

const twoHours = { advance: 7200 };

async function signInOffline(client: ScriptedClient) {
	const tokens = await client.signIn({ access_type: 'offline' });
	return { access_token: tokens.field('access_token'), refresh_token: tokens.field('refresh_token') };
}

/** Refreshes with a copied token after hours. */
async function useCopy(client: ScriptedClient) {
	const tokens = await signInOffline(client);
	await client.control.request('POST /control/clock', { body: twoHours });
	await client.refresh(tokens.refresh_token);
	return tokens;
}

/** Shows that a copied token works until the application revokes its access. */
async function revokeByApplication(client: ScriptedClient): Promise<void> {
	const { refresh_token } = await useCopy(client);
	await client.revoke(refresh_token);
	await client.refresh(refresh_token);
}

/** Does something on the account page as player-one, who signs in before and out afterwards. */
async function changeAccount(client: ScriptedClient, change: Readonly<Record<string, string>>): Promise<void> {
	const url = `${client.baseUrl}/account`;
	const player = { action: 'sign-in', username: 'player-one', password: 'demo' };
	for (const fields of [player, change, { action: 'sign-out' }]) {
		const page = await client.send(url);
		const csrf_token = /"csrf_token":"([^"]*)"/.exec(page.text)?.[1] ?? '';
		await client.send(url, { method: 'POST', body: new URLSearchParams({ ...fields, csrf_token }) });
	}
}

const revokeByUser = (client: ScriptedClient) =>
	changeAccount(client, { action: 'revoke', client_id: client.viewer.client_id });

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			await revokeByApplication(client);
			const { access_token } = await signInOffline(client);
			await revokeByUser(client);
			await client.character(access_token);
		}
	},
	nearMisses: [
		{
			name: 'the refresh comes before the access token has expired',
			missing: 'copy_refreshed',
			run: async (client) => {
				const { refresh_token } = await signInOffline(client);
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
				const { access_token, refresh_token } = await signInOffline(client);
				await client.revoke(refresh_token);
				await client.character(access_token);
			}
		},
		{
			name: 'the user signs out of the account and revokes nothing',
			missing: 'revoked_by_user',
			run: async (client) => {
				await revokeByApplication(client);
				await signInOffline(client);
				await changeAccount(client, { action: 'sign-out' });
			}
		},
		{
			name: 'the access token has expired when it is rejected',
			missing: 'application_rejected',
			run: async (client) => {
				await revokeByApplication(client);
				const { access_token } = await signInOffline(client);
				await revokeByUser(client);
				await client.control.request('POST /control/clock', { body: twoHours });
				await client.character(access_token);
			}
		},
		{
			name: 'the rejected token belongs to the access that the application revoked',
			missing: 'application_rejected',
			run: async (client) => {
				const { refresh_token } = await useCopy(client);
				await client.revoke(refresh_token);
				await signInOffline(client);
				await revokeByUser(client);
				await client.refresh(refresh_token);
			}
		}
	]
};
