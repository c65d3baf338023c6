import type { Reply, Script, ScriptedClient } from '../scripted-client.ts';

/** The name that is found slowly, and counts as many requests. */
export const slowName = 'Test Slow';

export const search = (client: ScriptedClient, token: string): Promise<Reply> => client.character(token, slowName);

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const token = (await client.signIn()).field('access_token');
	await client.character(token);
	await search(client, token);
	await search(client, token);
	await client.character(token);
};
