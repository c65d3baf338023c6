import { pocketCompanion } from '#client/demo-clients.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

/** The companion, listening on a port. */
export const onPort = pocketCompanion('http://localhost:50123');

/** A code with a challenge, and its verifier. */
export async function codeOnPort(client: ScriptedClient): Promise<{ code: string; code_verifier: string }> {
	const { code_verifier, code_challenge } = await client.pkce();
	const code = await client.code({ code_challenge, code_challenge_method: 'S256' }, onPort);
	return { code, code_verifier };
}

/** The thief exchanges a code of a request without PKCE. */
export const stealCode = (client: ScriptedClient) => client.signIn({}, onPort);

export async function signInOnPort(client: ScriptedClient): Promise<void> {
	const { code, code_verifier } = await codeOnPort(client);
	await client.exchange(code, onPort, { code_verifier });
}
