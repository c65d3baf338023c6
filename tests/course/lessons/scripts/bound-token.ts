import { characterPath } from '#client/service-urls.ts';
import { Signer } from '#features/request-builder/signer.ts';
import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Gets an access token of the viewer for itself, bound to a key. Returns it. */
export async function boundToken(client: ScriptedClient): Promise<string> {
	const url = `${client.baseUrl}/ws/oauth2/token/`;
	const { client_id, client_secret } = client.viewer;
	const fields = { grant_type: 'client_credentials', client_id, client_secret, scope: 'character_read' };
	const headers = { DPoP: await new Signer(client.control).proof({ method: 'POST', url }) };
	return (await client.send(url, { method: 'POST', body: new URLSearchParams(fields), headers })).field('access_token');
}

/** Reads a character with a bound token. Without a proof, none is sent. */
export const readBound = (client: ScriptedClient, token: string, proof?: string): Promise<Reply> =>
	client.send(client.baseUrl + characterPath('Mara Vell'), {
		headers: { authorization: `DPoP ${token}`, ...(proof !== undefined && { DPoP: proof }) }
	});

/** A new proof for reading the character. */
export const proofFor = (client: ScriptedClient, accessToken: string): Promise<string> =>
	new Signer(client.control).proof({
		method: 'GET',
		url: client.baseUrl + characterPath('Mara Vell'),
		accessToken
	});

/** Gets a bound token and uses it. Returns it with the proof that was used. */
export async function useBound(client: ScriptedClient): Promise<{ readonly token: string; readonly proof: string }> {
	const token = await boundToken(client);
	const proof = await proofFor(client, token);
	await readBound(client, token, proof);
	return { token, proof };
}
