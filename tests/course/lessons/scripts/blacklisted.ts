import { orNoResponse, type ScriptedClient } from '#course/lessons/scripted-client.ts';

export const limit = 20;
export const abuse = 30;

/** Signs in, and sends calls. Returns the access token. */
export async function sendCalls(client: ScriptedClient, count: number): Promise<string> {
	const token = (await client.signIn()).field('access_token');
	for (let call = 0; call < count; call++) await orNoResponse(client.character(token));
	return token;
}

export const untilBlacklisted = (client: ScriptedClient) => sendCalls(client, limit + abuse + 1);

export function fileTicket({ control }: ScriptedClient) {
	return control.request('POST /control/tickets', {
		body: {
			reason: 'A test loop did not stop at the limit.',
			resolution: 'The loop now waits for the reset.'
		}
	});
}
