import { pocketCompanion } from '#client/demo-clients.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import type { ScriptedClient } from '#course/lessons/scripted-client.ts';

/** Opens the authorization endpoint with a redirect URI. */
export async function open(
	client: ScriptedClient,
	redirect_uri: string,
	application?: ClientRegistration
): Promise<void> {
	const { client_id } = application ?? client.viewer;
	const query = new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri,
		scope: 'character_read',
		state: 's'
	});
	await client.send(`${client.baseUrl}/ws/oauth2/auth/?${query.toString()}`);
}

/** Opens it with ports of the installed application. */
export async function openPorts(client: ScriptedClient, ...uris: readonly string[]): Promise<void> {
	for (const uri of uris) await open(client, uri, pocketCompanion(uri));
}

export const withSlash = ({ viewer }: ScriptedClient) => `${viewer.redirect_uri}/`;
export const withCapital = ({ viewer }: ScriptedClient) => viewer.redirect_uri.replace('callback', 'Callback');

export const withScheme = ({ viewer: { redirect_uri } }: ScriptedClient) =>
	redirect_uri.startsWith('https:') ? redirect_uri.replace('https:', 'http:') : redirect_uri.replace('http:', 'https:');
