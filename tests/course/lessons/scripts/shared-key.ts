import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

export const limit = 20;
export const otherUser = { username: 'player-two' } as const;
export const otherAddress = '192.0.2.200';

export async function useUp(client: ScriptedClient, count = limit): Promise<string> {
	const token = (await client.signIn()).field('access_token');
	await client.read(token, count);
	return token;
}

/** Reads a character from another address. */
export const readElsewhere = (client: ScriptedClient, token: string): Promise<Reply> =>
	client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`, {
		headers: { authorization: `OAuth ${token}`, 'x-tollgate-address': otherAddress }
	});
