import type { LessonTraces } from '../engine/lesson.ts';
import type { ScriptedClient } from '../engine/scripted-client.ts';

const calls = 20;

/** Signs in with a refresh token. */
async function start(client: ScriptedClient): Promise<{ access: string; refresh: string }> {
	const tokens = await client.signIn({ access_type: 'offline' });
	return { access: tokens.field('access_token'), refresh: tokens.field('refresh_token') };
}

/** Ends all live access tokens of the sandbox. */
async function endAccessTokens({ control }: ScriptedClient): Promise<void> {
	const { grants } = await control.request('GET /control/credentials');
	for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
		await control.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
}

async function read(client: ScriptedClient, token: string, count = calls): Promise<void> {
	await Promise.all(Array.from({ length: count }, () => client.character(token)));
}

async function refresh(client: ScriptedClient, token: string): Promise<string> {
	return (await client.refresh(token)).field('access_token');
}

/** Every call meets the ended token, and refreshes on its own. */
async function refreshEach(
	client: ScriptedClient,
	tokens: { access: string; refresh: string },
	count = calls
): Promise<void> {
	const call = async () => {
		await client.character(tokens.access);
		await client.character(await refresh(client, tokens.refresh));
	};
	await Promise.all(Array.from({ length: count }, call));
}

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			const tokens = await start(client);
			await read(client, tokens.access);
			await endAccessTokens(client);
			await refreshEach(client, tokens, 4);
			const access = await refresh(client, tokens.refresh);
			await endAccessTokens(client);
			await read(client, access);
			await read(client, await refresh(client, tokens.refresh));
		}
	},
	nearMisses: [
		{
			name: 'the access is online, so there is no refresh token',
			missing: 'refresh_token_issued',
			run: async (client) => {
				await read(client, (await client.signIn()).field('access_token'));
			}
		},
		{
			name: 'the token is refreshed before a call meets its end',
			missing: 'calls_rejected',
			run: async (client) => {
				const tokens = await start(client);
				await endAccessTokens(client);
				await read(client, await refresh(client, tokens.refresh));
			}
		},
		{
			name: 'the calls come one after the other, a minute apart',
			missing: 'calls_rejected',
			run: async (client) => {
				const tokens = await start(client);
				await endAccessTokens(client);
				for (let call = 0; call < 4; call++) {
					await client.character(tokens.access);
					await client.control.request('POST /control/clock', { body: { advance: 60 } });
				}
				await read(client, await refresh(client, tokens.refresh));
			}
		},
		{
			name: 'each call is the first with its own token',
			missing: 'calls_rejected',
			run: async (client) => {
				const tokens = await start(client);
				let { access } = tokens;
				for (let call = 0; call < 5; call++) {
					await endAccessTokens(client);
					await client.character(access);
					access = await refresh(client, tokens.refresh);
					await client.character(access);
				}
			}
		},
		{
			name: 'only the first call is repeated',
			missing: 'calls_repeated',
			run: async (client) => {
				const tokens = await start(client);
				await endAccessTokens(client);
				await read(client, tokens.access);
				await read(client, await refresh(client, tokens.refresh), 1);
			}
		},
		{
			name: 'each call refreshes by itself',
			missing: 'one_refresh',
			run: async (client) => {
				const tokens = await start(client);
				await endAccessTokens(client);
				await refreshEach(client, tokens);
			}
		}
	]
};
