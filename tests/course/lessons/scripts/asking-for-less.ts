import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

export const renew = { renew_previously_granted: 'yes' };

/** The same request twice, and then one for another permission. */
export async function getSmallerToken(client: ScriptedClient): Promise<void> {
	await client.signIn();
	await client.signIn();
	await client.signIn({ scope: 'location_read' });
}
