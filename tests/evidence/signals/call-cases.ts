import { call, times, token, type SignalCase } from './traces.ts';

/** The signals of calls, and those that are about progress. */
export const callCases: readonly SignalCase[] = [
	{
		id: 'bearer',
		raises: { run: async (student) => call(student, `Bearer ${await token(student)}`) },
		quiet: [
			{ run: async (student) => call(student, `Token ${await token(student)}`) },
			{
				run: async (student) => {
					const access = await token(student);
					await call(student, `Bearer ${access}`);
					await call(student, `OAuth ${access}`);
				}
			}
		]
	},
	{
		id: 'token_dead',
		text: 'The token expired.',
		raises: {
			run: async (student) => {
				const access = await token(student);
				student.wait(4_000_000);
				await times(2, () => student.client.character(access));
			}
		},
		quiet: [
			{
				run: async (student) => {
					const access = await token(student);
					student.wait(4_000_000);
					await student.client.character(access);
				}
			},
			{ run: (student) => times(2, () => call(student, `OAuth ${'A'.repeat(43)}`)) }
		]
	},
	{
		id: 'token_dead',
		text: 'The token was revoked.',
		raises: {
			run: async ({ client }) => {
				const reply = await client.signIn({ access_type: 'offline' });
				await client.revoke(reply.field('refresh_token'));
				await times(2, () => client.character(reply.field('access_token')));
			}
		},
		quiet: [
			{
				run: async ({ client }) => {
					const reply = await client.signIn({ access_type: 'offline' });
					await client.revoke(reply.field('refresh_token'));
				}
			},
			{
				run: async (student) => {
					const access = await token(student);
					student.wait(4_000_000);
					await times(2, () => student.client.character(access));
					await student.client.character(await token(student));
				}
			}
		]
	},
	{
		id: 'permission',
		raises: { run: async (student) => student.client.character(await token(student, { scope: 'character_write' })) },
		quiet: [
			{ run: async (student) => student.client.character(await token(student, { scope: 'character_read' })) },
			{ run: async (student) => student.client.rateLimits(await token(student, { scope: 'character_write' })) }
		]
	},
	{
		id: 'name',
		raises: { run: async (student) => call(student, `OAuth ${await token(student)}`, 'Mara+Vell') },
		quiet: [
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, 'Mara%20Vell') },
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, 'Nemo') }
		]
	},
	{
		id: 'same_again',
		raises: { run: (student) => times(3, () => student.client.exchange('A'.repeat(43))) },
		quiet: [
			{ run: (student) => times(2, () => student.client.exchange('A'.repeat(43))) },
			{
				run: async (student) => {
					await times(2, () => student.client.exchange('A'.repeat(43)));
					await student.client.refresh('A'.repeat(43));
				}
			}
		]
	},
	{
		id: 'own_client_silent',
		raises: { seat: { client: 'own', inStep: 180_000 }, run: async () => undefined },
		quiet: [
			{ seat: { client: 'own', inStep: 179_000 }, run: async () => undefined },
			{
				seat: { client: 'own', inStep: 180_000 },
				run: async (student) => student.client.character(await token(student))
			}
		]
	},
	{
		id: 'one_missing',
		raises: { seat: { shown: 4, of: 5, inStep: 120_000 }, run: async () => undefined },
		quiet: [
			{ seat: { shown: 3, of: 5, inStep: 120_000 }, run: async () => undefined },
			{ seat: { shown: 4, of: 5, inStep: 60_000 }, run: async () => undefined }
		]
	},
	{
		id: 'away',
		raises: { seat: { presence: 'away' }, run: async () => undefined },
		quiet: [
			{ seat: { presence: 'quiet' }, run: async () => undefined },
			{ seat: { presence: 'away', isDone: true }, run: async () => undefined }
		]
	}
];
