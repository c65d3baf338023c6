import { Signer } from '#features/request-builder/signer.ts';
import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

const grant_type = 'client_credentials';
const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** A token request of the viewer with an assertion. */
export const sendAssertion = (client: ScriptedClient, client_assertion: string): Promise<Reply> =>
	client.token({ grant_type, client_id: client.viewer.client_id, client_assertion_type, client_assertion });

/** A token request of the viewer with its secret. */
export function sendSecret(client: ScriptedClient): Promise<Reply> {
	const { client_id, client_secret } = client.viewer;
	return client.token({ grant_type, client_id, client_secret });
}

/** Registers a key of the viewer and gets a token. Returns what signs, and the assertion that was sent. */
export async function signIn(client: ScriptedClient): Promise<{ readonly signer: Signer; readonly sent: string }> {
	const signer = new Signer(client.control);
	await signer.registerKey(client.viewer.client_id);
	const sent = await signer.assertion(client.viewer.client_id);
	await sendAssertion(client, sent);
	return { signer, sent };
}

/** The same, and what a thief sends before the key is replaced. */
export async function signInAndSteal(client: ScriptedClient): Promise<Signer> {
	const { signer, sent } = await signIn(client);
	await sendSecret(client);
	await sendAssertion(client, sent);
	await sendAssertion(client, await signer.assertion(client.viewer.client_id, 'wrong aud'));
	return signer;
}
