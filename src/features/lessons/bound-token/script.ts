import { characterPath } from '#client/service-urls.ts';
import { createProof } from '../../request-builder/dpop-proof.ts';
import type { Reply, Script, ScriptedClient } from '../scripted-client.ts';

/** A new proof for one request, by the clock of the sandbox. */
async function prove(client: ScriptedClient, method: string, url: string, accessToken?: string): Promise<string> {
	const { now } = await client.control.request('GET /control/clock');
	return createProof({ method, url, iat: Math.floor(now / 1000), accessToken, nonce: undefined });
}

/** Gets an access token of the viewer for itself, bound to a key. Returns it. */
export async function boundToken(client: ScriptedClient): Promise<string> {
	const url = `${client.baseUrl}/ws/oauth2/token/`;
	const { client_id, client_secret } = client.viewer;
	const fields = { grant_type: 'client_credentials', client_id, client_secret, scope: 'character_read' };
	const headers = { DPoP: await prove(client, 'POST', url) };
	return (await client.send(url, { method: 'POST', body: new URLSearchParams(fields), headers })).field('access_token');
}

/** Reads a character with a bound token. Without a proof, none is sent. */
export const readBound = (client: ScriptedClient, token: string, proof?: string): Promise<Reply> =>
	client.send(client.baseUrl + characterPath('Mara Vell'), {
		headers: { authorization: `DPoP ${token}`, ...(proof !== undefined && { DPoP: proof }) }
	});

/** A new proof for reading the character. */
export const proofFor = (client: ScriptedClient, token: string): Promise<string> =>
	prove(client, 'GET', client.baseUrl + characterPath('Mara Vell'), token);

/** Gets a bound token and uses it. Returns it with the proof that was used. */
export async function useBound(client: ScriptedClient): Promise<{ readonly token: string; readonly proof: string }> {
	const token = await boundToken(client);
	const proof = await proofFor(client, token);
	await readBound(client, token, proof);
	return { token, proof };
}

/** Meets every condition of the lesson. */
export const script: Script = async (client) => {
	const { token, proof } = await useBound(client);
	await readBound(client, token, proof);
	await readBound(client, token);
};
