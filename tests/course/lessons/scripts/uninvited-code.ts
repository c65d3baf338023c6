import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

export const attacker = { username: 'player-three' };
export const attackersCode = (client: ScriptedClient) => client.code({}, client.viewer, attacker);

/** The victim opens a link. Returns its code. */
export async function openLink(client: ScriptedClient): Promise<string> {
	const code = await attackersCode(client);
	await client.openLink(code);
	return code;
}

/** The first half: the application exchanges the code of a link, and reads a character. */
export async function attack(client: ScriptedClient): Promise<void> {
	const tokens = await client.exchange(await openLink(client));
	await client.character(tokens.field('access_token'), '100% Orc');
}
