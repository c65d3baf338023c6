import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

export const twoHours = 7200;

/** Refreshes with a copied token after hours. */
export async function useCopy(client: ScriptedClient) {
	const tokens = await client.signInOffline();
	await client.advance(twoHours);
	await client.refresh(tokens.refresh_token);
	return tokens;
}

/** Shows that a copied token works until the application revokes its access. */
export async function revokeByApplication(client: ScriptedClient): Promise<void> {
	const { refresh_token } = await useCopy(client);
	await client.revoke(refresh_token);
	await client.refresh(refresh_token);
}

/** Does something on the account page as player-one, who signs in before and out afterwards. */
export async function changeAccount(client: ScriptedClient, change: Readonly<Record<string, string>>): Promise<void> {
	const url = `${client.baseUrl}/account`;
	const player = { action: 'sign-in', username: 'player-one', password: 'demo' };
	for (const fields of [player, change, { action: 'sign-out' }]) {
		const page = await client.send(url);
		const csrf_token = /"csrf_token":"([^"]*)"/.exec(page.text)?.[1] ?? '';
		await client.send(url, { method: 'POST', body: new URLSearchParams({ ...fields, csrf_token }) });
	}
}

export const revokeByUser = (client: ScriptedClient) =>
	changeAccount(client, { action: 'revoke', client_id: client.viewer.client_id });
