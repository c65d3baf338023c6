import { pocketCompanion } from '#client/demo-clients.ts';
import type { LessonTraces } from '../engine/lesson.ts';
import type { ScriptedClient } from '../engine/scripted-client.ts';

/** The companion, listening on a port. */
const onPort = pocketCompanion('http://localhost:50123');

/** A code with a challenge, and its verifier. */
async function codeOnPort(client: ScriptedClient): Promise<{ code: string; code_verifier: string }> {
	const { code_verifier, code_challenge } = await client.pkce();
	const code = await client.code({ code_challenge, code_challenge_method: 'S256' }, onPort);
	return { code, code_verifier };
}

async function signInOnPort(client: ScriptedClient): Promise<void> {
	const { code, code_verifier } = await codeOnPort(client);
	await client.exchange(code, onPort, { code_verifier });
}

export const traces: LessonTraces = {
	passing: {
		run: async (client) => {
			await client.signIn({}, client.companion);
			await signInOnPort(client);
			await client.exchange((await codeOnPort(client)).code, onPort);
		}
	},
	nearMisses: [
		{
			name: 'the copied code is not exchanged',
			missing: 'code_copied',
			run: async (client) => {
				await client.code({}, client.companion);
				await signInOnPort(client);
				await client.exchange((await codeOnPort(client)).code, onPort);
			}
		},
		{
			name: 'a web application signs in with PKCE',
			missing: 'code_copied',
			run: async (client) => {
				const { code_verifier, code_challenge } = await client.pkce();
				const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
				await client.exchange(code, client.viewer, { code_verifier });
			}
		},
		{
			name: 'the code comes to a port, without PKCE',
			missing: 'verifier_sent',
			run: async (client) => {
				await client.signIn({}, client.companion);
				await client.signIn({}, onPort);
			}
		},
		{
			name: 'the code with the verifier is a copied one',
			missing: 'verifier_sent',
			run: async (client) => {
				const { code_verifier, code_challenge } = await client.pkce();
				const asked = { code_challenge, code_challenge_method: 'S256' };
				const code = await client.code(asked, client.companion);
				await client.exchange(code, client.companion, { code_verifier });
			}
		},
		{
			name: 'the thief has the wrong secret',
			missing: 'thief_rejected',
			run: async (client) => {
				await client.signIn({}, client.companion);
				await signInOnPort(client);
				await client.exchange((await codeOnPort(client)).code, onPort, { client_secret: 'guessed' });
			}
		},
		{
			name: 'the code of the thief had no challenge',
			missing: 'thief_rejected',
			run: async (client) => {
				await client.signIn({}, client.companion);
				await signInOnPort(client);
				const { code_verifier } = await client.pkce();
				await client.exchange(await client.code({}, onPort), onPort, { code_verifier });
			}
		},
		{
			name: 'the thief is too late: the code was used',
			missing: 'thief_rejected',
			run: async (client) => {
				await client.signIn({}, client.companion);
				const { code, code_verifier } = await codeOnPort(client);
				await client.exchange(code, onPort, { code_verifier });
				await client.exchange(code, onPort);
			}
		}
	]
};
