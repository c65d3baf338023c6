import type { Fields, Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Lets the sandbox speak like a provider. */
export const speakLike = (client: ScriptedClient, dialect: string) =>
	client.control.request('PATCH /control/settings', { body: { dialect } });

export const github: Fields = { scope: 'read:user' };
export const google: Fields = { scope: 'openid email', access_type: 'offline' };

/** Signs a user in at GitHub, and sends the code twice. */
export async function exchangeTwice(client: ScriptedClient): Promise<Reply> {
	await speakLike(client, 'github');
	const code = await client.code(github);
	await client.exchange(code);
	return client.exchange(code);
}

/** Signs the same user in twice at Google. Returns the second code, which is used. */
export async function signInTwice(client: ScriptedClient): Promise<string> {
	await speakLike(client, 'google');
	await client.signIn({ ...google, prompt: 'consent' });
	const code = await client.code(google);
	await client.exchange(code);
	return code;
}
