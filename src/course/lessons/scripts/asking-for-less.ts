import type { ScriptedClient, Script } from '../scripted-client.ts';

export const renew = { renew_previously_granted: 'yes' };

/** The same request twice, and then one for another permission. */
export async function getSmallerToken(client: ScriptedClient): Promise<void> {
	await client.signIn();
	await client.signIn();
	await client.signIn({ scope: 'location_read' });
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	await getSmallerToken(client);
	await client.signIn({ scope: 'location_read', ...renew });
};
