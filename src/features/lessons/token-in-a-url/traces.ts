import { characterPath } from '#client/service-urls.ts';
import type { LessonTraces } from '../engine/lesson.ts';
import type { Reply, ScriptedClient } from '../engine/scripted-client.ts';

/** Reads a character with the token in the query. */
function characterByQuery(client: ScriptedClient, access_token: string): Promise<Reply> {
	return client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`);
}

async function signIn(client: ScriptedClient, username = 'player-one') {
	const tokens = await client.signIn({ access_type: 'offline' }, client.viewer, { username });
	return { access_token: tokens.field('access_token'), refresh_token: tokens.field('refresh_token') };
}

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			const { access_token, refresh_token } = await signIn(client);
			await characterByQuery(client, access_token);
			await client.character(access_token);
			await client.revoke(refresh_token);
			await characterByQuery(client, access_token);
		}
	},
	nearMisses: [
		{
			name: 'the token in the query is unknown',
			missing: 'token_in_query',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await characterByQuery(client, 'A'.repeat(43));
				await client.character(access_token);
			}
		},
		{
			name: 'the token is sent in query and header at once',
			missing: 'token_in_query',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await client.send(`${client.baseUrl}${characterPath('Mara Vell')}?access_token=${access_token}`, {
					headers: { authorization: `OAuth ${access_token}` }
				});
			}
		},
		{
			name: 'the header has the scheme Bearer',
			missing: 'token_in_header',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await characterByQuery(client, access_token);
				await client.send(client.baseUrl + characterPath('Mara Vell'), {
					headers: { authorization: `Bearer ${access_token}` }
				});
			}
		},
		{
			name: 'the token in the header is that of another user',
			missing: 'token_in_header',
			run: async (client) => {
				const { access_token } = await signIn(client);
				const other = await signIn(client, 'player-two');
				await characterByQuery(client, access_token);
				await client.character(other.access_token);
			}
		},
		{
			name: 'the header was used before the query only',
			missing: 'token_in_header',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await client.character(access_token);
				await characterByQuery(client, access_token);
			}
		},
		{
			name: 'another token is rejected',
			missing: 'leaked_token_rejected',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await characterByQuery(client, access_token);
				await client.character(access_token);
				await characterByQuery(client, 'A'.repeat(43));
			}
		},
		{
			name: 'access of another user is revoked',
			missing: 'leaked_token_rejected',
			run: async (client) => {
				const { access_token } = await signIn(client);
				const other = await signIn(client, 'player-two');
				await characterByQuery(client, access_token);
				await client.character(access_token);
				await client.revoke(other.refresh_token);
				await characterByQuery(client, other.access_token);
				await characterByQuery(client, access_token);
			}
		},
		{
			name: 'the token is refreshed, which leaves the leaked one valid',
			missing: 'leaked_token_rejected',
			run: async (client) => {
				const { access_token, refresh_token } = await signIn(client);
				await characterByQuery(client, access_token);
				const next = await client.refresh(refresh_token);
				await client.character(next.field('access_token'));
				await characterByQuery(client, access_token);
			}
		},
		{
			name: 'the leaked token is rejected for its scheme, and still works',
			missing: 'leaked_token_rejected',
			run: async (client) => {
				const { access_token } = await signIn(client);
				await characterByQuery(client, access_token);
				await client.character(access_token);
				await client.send(client.baseUrl + characterPath('Mara Vell'), {
					headers: { authorization: `Bearer ${access_token}` }
				});
			}
		}
	]
};
