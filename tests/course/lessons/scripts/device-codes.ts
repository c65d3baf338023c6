import type { Reply, ScriptedClient } from '#course/lessons/scripted-client.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';

/** Asks for codes, as a device of the companion. */
export function askForCodes(client: ScriptedClient, scope = 'character_read'): Promise<Reply> {
	const body = new URLSearchParams({ client_id: client.companion.client_id, scope });
	return client.send(`${client.baseUrl}/ws/oauth2/device_authorization`, { method: 'POST', body });
}

/** Polls once with the codes. */
export const poll = (client: ScriptedClient, codes: Reply): Promise<Reply> =>
	client.token({ grant_type, device_code: codes.field('device_code'), client_id: client.companion.client_id });

/** Signs a user in on the page for the code, and decides there. */
export async function decide(
	client: ScriptedClient,
	codes: Reply,
	decision: 'approve' | 'deny',
	username = 'player-one'
): Promise<void> {
	const user_code = codes.field('user_code');
	const url = `${client.baseUrl}/ws/oauth2/device`;
	const submit = async (fields: Readonly<Record<string, string>>) => {
		const page = await client.send(`${url}?user_code=${user_code}`, { headers: { accept: 'text/html' } });
		const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
		const body = new URLSearchParams({ csrf_token, user_code, ...fields });
		await client.send(url, { method: 'POST', body, headers: { accept: 'text/html' } });
	};
	// The browser may have a session of another user, which ends here.
	await submit({ username, password: 'demo' });
	await submit({ decision });
}

/** Polls twice, the second time too early. */
export async function pollTwice(client: ScriptedClient): Promise<Reply> {
	const codes = await askForCodes(client);
	await poll(client, codes);
	await poll(client, codes);
	return codes;
}
