import { pocketCompanion } from '#client/demo-clients.ts';
import type { ClientRegistration } from '#client/oauth/client-registration.ts';
import type { LessonTraces } from '../engine/lesson.ts';
import type { ScriptedClient } from '../engine/scripted-client.ts';

/** Opens the authorization endpoint with a redirect URI. */
async function open(client: ScriptedClient, redirect_uri: string, application?: ClientRegistration): Promise<void> {
	const { client_id } = application ?? client.viewer;
	const query = new URLSearchParams({
		...{ response_type: 'code', client_id, redirect_uri },
		...{ scope: 'character_read', state: 's' }
	});
	await client.send(`${client.baseUrl}/ws/oauth2/auth/?${query.toString()}`);
}

/** Opens it with ports of the installed application. */
async function openPorts(client: ScriptedClient, ...uris: readonly string[]): Promise<void> {
	for (const uri of uris) await open(client, uri, pocketCompanion(uri));
}

const withSlash = ({ viewer }: ScriptedClient) => `${viewer.redirect_uri}/`;
const withCapital = ({ viewer }: ScriptedClient) => viewer.redirect_uri.replace('callback', 'Callback');
const withScheme = ({ viewer: { redirect_uri } }: ScriptedClient) =>
	redirect_uri.startsWith('https:') ? redirect_uri.replace('https:', 'http:') : redirect_uri.replace('http:', 'https:');

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			await open(client, withSlash(client));
			await open(client, withCapital(client));
			await open(client, withScheme(client));
			await openPorts(client, 'http://localhost:4180', 'http://localhost:4181');
		}
	},
	nearMisses: [
		{
			name: 'one request has two differences',
			missing: 'slash_rejected',
			run: async (client) => {
				await open(client, `${withScheme(client)}/`);
				await open(client, withCapital(client));
				await openPorts(client, 'http://localhost:4180', 'http://localhost:4181');
			}
		},
		{
			name: 'the client_id is unknown, so that the redirect URI is not compared',
			missing: 'slash_rejected',
			run: async (client) => {
				await open(client, withSlash(client), { ...client.viewer, client_id: 'character-viewers' });
			}
		},
		{
			name: 'the redirect URI is wrong in the exchange only',
			missing: 'slash_rejected',
			run: async (client) => {
				await client.exchange(await client.code(), client.viewer, { redirect_uri: withSlash(client) });
			}
		},
		{
			name: 'another path instead of another letter case',
			missing: 'letter_case_rejected',
			run: async (client) => {
				await open(client, withSlash(client));
				await open(client, client.viewer.redirect_uri.replace('callback', 'return'));
			}
		},
		{
			name: 'the scheme is left out, or the port changed with it',
			missing: 'scheme_rejected',
			run: async (client) => {
				await open(client, withSlash(client));
				await open(client, withCapital(client));
				await open(client, client.viewer.redirect_uri.replace(/^https?:\/\//, ''));
				await open(client, withScheme(client).replace(/^(https?:\/\/[^/:]+)(:\d+)?/, '$1:9'));
			}
		},
		{
			name: 'the same port, written in two ways',
			missing: 'port_accepted',
			run: async (client) => {
				await open(client, withSlash(client));
				await open(client, withCapital(client));
				await open(client, withScheme(client));
				await openPorts(client, 'http://localhost', 'http://localhost:80', 'http://localhost/');
			}
		},
		{
			name: 'the second port does not exist',
			missing: 'port_accepted',
			run: async (client) => {
				await open(client, withSlash(client));
				await open(client, withCapital(client));
				await open(client, withScheme(client));
				await openPorts(client, 'http://localhost:4180', 'http://localhost:70000');
			}
		}
	]
};
