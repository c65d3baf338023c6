import type { LessonTraces } from '../engine/lesson.ts';
import type { ScriptedClient } from '../engine/scripted-client.ts';

/** The window of this lesson, in seconds. */
const window = 10;

async function read(client: ScriptedClient, token: string, count: number): Promise<void> {
	for (let call = 0; call < count; call++) await client.character(token);
}

const nextWindow = (client: ScriptedClient) =>
	client.control.request('POST /control/clock', { body: { advance: window + 1 } });

/** Signs in, and meets the limit. Returns the access token. */
async function exceedLimit(client: ScriptedClient, count = 25): Promise<string> {
	const token = (await client.signIn()).field('access_token');
	await read(client, token, count);
	return token;
}

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			const token = await exceedLimit(client);
			await nextWindow(client);
			await read(client, token, 20);
			await nextWindow(client);
			await read(client, token, 20);
		}
	},
	nearMisses: [
		{
			name: 'the client stops at the limit',
			missing: 'limit_met',
			run: async (client) => {
				const token = await exceedLimit(client, 20);
				await nextWindow(client);
				await read(client, token, 20);
			}
		},
		{
			name: 'calls are rejected for their token, not for the limit',
			missing: 'limit_met',
			run: async (client) => {
				await read(client, 'A'.repeat(43), 19);
			}
		},
		{
			name: 'the client exceeds the limit in every window',
			missing: 'forty_characters',
			run: async (client) => {
				const token = await exceedLimit(client);
				for (let run = 0; run < 3; run++) {
					await nextWindow(client);
					await read(client, token, 24);
				}
			}
		},
		{
			name: 'the first window counts as part of the run',
			missing: 'forty_characters',
			run: async (client) => {
				const token = await exceedLimit(client, 21);
				await nextWindow(client);
				await read(client, token, 20);
			}
		},
		{
			name: 'the limit is raised',
			missing: 'forty_characters',
			run: async (client) => {
				const token = await exceedLimit(client);
				await client.control.request('PATCH /control/settings', { body: { limits: { character: 600 } } });
				await nextWindow(client);
				await read(client, token, 30);
				await nextWindow(client);
				await read(client, token, 30);
			}
		},
		{
			name: 'the second half comes from another address',
			missing: 'forty_characters',
			run: async (client) => {
				const token = await exceedLimit(client);
				await nextWindow(client);
				await read(client, token, 20);
				const headers = { authorization: `OAuth ${token}`, 'x-tollgate-address': '203.0.113.7' };
				for (let call = 0; call < 20; call++)
					await client.send(`${client.baseUrl}/ws/v2.0/character/Mara%20Vell`, { headers });
			}
		},
		{
			name: 'the client signs in again after a rejected call',
			missing: 'forty_characters',
			run: async (client) => {
				let token = await exceedLimit(client);
				await nextWindow(client);
				await read(client, token, 21);
				token = (await client.signIn()).field('access_token');
				await nextWindow(client);
				await read(client, token, 20);
			}
		}
	]
};
