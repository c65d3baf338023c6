import type { Fields, ScriptedClient } from '#course/lessons/scripted-client.ts';
import { exchangeWith, times, type SignalCase, type Student } from './traces.ts';

const post = ({ client }: Student, init: RequestInit) =>
	client.send(`${client.baseUrl}/ws/oauth2/token/`, { method: 'POST', ...init });

/** The signals of the token endpoint. */
export const tokenCases: readonly SignalCase[] = [
	{
		id: 'wrong_secret',
		raises: { run: (student) => times(2, () => exchangeWith(student, { client_secret: 'wrong' })) },
		quiet: [
			{ run: (student) => exchangeWith(student, { client_secret: 'wrong' }) },
			{
				run: async (student) => {
					await times(2, () => exchangeWith(student, { client_secret: undefined }));
					await student.client.signIn();
				}
			},
			{ run: (student) => times(2, () => exchangeWith(student, { client_secret: undefined })) }
		]
	},
	{
		id: 'missing_secret',
		text: 'The secret is missing.',
		raises: {
			run: async (student) => {
				await exchangeWith(student, { client_secret: undefined });
				student.wait(61_000);
			}
		},
		quiet: [
			{ run: (student) => exchangeWith(student, { client_secret: undefined }) },
			{ run: (student) => times(2, () => exchangeWith(student, { client_secret: 'wrong' })) },
			// An installed application has none.
			{
				run: async ({ client }) => {
					const code = await client.code({}, client.companion);
					await client.exchange(code, client.companion);
				}
			}
		]
	},
	{
		id: 'header_credentials',
		raises: {
			run: (student) =>
				post(student, {
					headers: { authorization: `Basic ${btoa('character-viewer:viewer-secret')}` },
					body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x' })
				})
		},
		quiet: [
			{
				run: (student) => post(student, { body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x' }) })
			},
			{
				run: async (student) => {
					const headers = { authorization: `Basic ${btoa('character-viewer:viewer-secret')}` };
					await post(student, { headers, body: new URLSearchParams({ grant_type: 'refresh_token' }) });
					await student.client.signIn();
				}
			}
		]
	},
	{
		id: 'not_a_form',
		raises: {
			run: (student) => post(student, { headers: { 'content-type': 'application/json' }, body: '{"code":"x"}' })
		},
		quiet: [
			{ run: (student) => post(student, { body: new URLSearchParams({ code: 'x' }) }) },
			{
				run: (student) =>
					post(student, {
						headers: { 'content-type': 'application/x-www-form-urlencoded; charset=latin1' },
						body: 'code=x'
					})
			}
		]
	},
	{
		id: 'code_used_twice',
		raises: {
			run: async ({ client }) => {
				const code = await client.code();
				await client.exchange(code);
				await client.exchange(code);
			}
		},
		quiet: [
			{ run: ({ client }) => client.exchange('A'.repeat(43)) },
			{
				run: async ({ client }) => {
					const code = await client.code();
					await client.exchange(code);
					await client.exchange(code);
					await client.signIn();
				}
			}
		]
	},
	{
		id: 'code_expired',
		raises: {
			run: async (student) => {
				const code = await student.client.code();
				student.wait(700_000);
				await student.client.exchange(code);
			}
		},
		quiet: [
			{
				run: async (student) => {
					const code = await student.client.code();
					student.wait(5000);
					await student.client.exchange(code);
				}
			},
			{ run: ({ client }) => client.exchange('A'.repeat(43)) }
		]
	},
	{
		id: 'verifier',
		text: 'The code verifier is missing.',
		raises: {
			run: async ({ client }) => {
				const { code_challenge } = await client.pkce();
				await client.exchange(await client.code({ code_challenge, code_challenge_method: 'S256' }));
			}
		},
		quiet: [
			{
				run: async ({ client }) => {
					const { code_challenge, code_verifier } = await client.pkce();
					const code = await client.code({ code_challenge, code_challenge_method: 'S256' });
					await client.exchange(code, client.viewer, { code_verifier });
				}
			},
			{ run: ({ client }) => client.authorize({ code_challenge: 'short', code_challenge_method: 'S256' }) }
		]
	},
	{
		id: 'no_refresh_token',
		raises: {
			run: ({ client }) => client.token({ grant_type: 'refresh_token', ...credentials(client) })
		},
		quiet: [
			{ run: ({ client }) => client.refresh('A'.repeat(43)) },
			{ run: ({ client }) => client.token({ grant_type: 'authorization_code', ...credentials(client) }) }
		]
	}
];

function credentials({ viewer: { client_id, client_secret } }: ScriptedClient): Fields {
	return { client_id, client_secret };
}
