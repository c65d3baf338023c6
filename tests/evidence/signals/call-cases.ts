import { authorize, call, ofThisSite, times, token, type SignalCase } from './traces.ts';

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
			{ run: (student) => times(2, () => call(student, `OAuth ${'A'.repeat(43)}`)) },
			// The client has refreshed, and is about to send the requests again.
			{
				run: async (student) => {
					const tokens = await student.client.signIn({ access_type: 'offline' });
					student.wait(4_000_000);
					await times(5, () => student.client.character(tokens.field('access_token')));
					await student.client.refresh(tokens.field('refresh_token'));
				}
			}
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
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, 'Nemo') },
			// Right encodings of names that do not exist, and no name at all.
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, '100%25%20Elf') },
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, 'A%2BB') },
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, 'A'.repeat(201)) },
			{ run: async (student) => call(student, `OAuth ${await token(student)}`, '') }
		]
	},
	// An older mistake that is still open does not hide what goes wrong now.
	{
		id: 'same_again',
		raises: {
			run: async (student) => {
				await times(2, () => authorize(student, { redirect_uri: 'http://localhost:3001/' }));
				student.wait(480_000);
				await times(3, () => call(student, 'OAuth wrong'));
			}
		},
		quiet: [
			{
				run: async (student) => {
					await times(2, () => authorize(student, { redirect_uri: 'http://localhost:3001/' }));
					student.wait(30_000);
					await times(3, () => call(student, 'OAuth wrong'));
				}
			},
			{ run: (student) => times(2, () => call(student, 'OAuth wrong')) }
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
			},
			// A loop of 401 and refresh that ended in 200.
			{
				run: async (student) => {
					const refresh = (await student.client.signIn({ access_type: 'offline' })).field('refresh_token');
					await times(4, async () => {
						student.wait(1000);
						await call(student, 'OAuth wrong');
						await student.client.refresh(refresh);
					});
					student.wait(40_000);
				}
			},
			// The load test of the viewer, after it reached the limit.
			{
				run: async (student) => {
					const body = { limits: { character: 2, blacklist_after_refused: 50 } };
					await student.client.control.request('PATCH /control/settings', { body });
					const access = await token(student);
					await times(8, () => call(student, `OAuth ${access}`, undefined, ofThisSite));
					student.wait(20_000);
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
			},
			// A program or the browser that it opens asks for a code, with a wrong redirect URI or an unknown client_id.
			{
				seat: { client: 'own', inStep: 180_000 },
				run: (student) => authorize(student, { redirect_uri: 'http://localhost:3001/' }, {})
			},
			{
				seat: { client: 'own', inStep: 180_000, isOwn: (id) => id === 'character-viewer' },
				run: (student) => authorize(student)
			},
			{
				seat: { client: 'own', inStep: 180_000 },
				run: (student) => authorize(student, { client_id: 'character-viewer-x' })
			}
		]
	},
	{
		id: 'near_miss',
		text: 'Near miss: a JSON body.',
		raises: { seat: { miss: 'a_JSON_body', inStep: 120_000 }, run: async () => undefined },
		quiet: [
			{ seat: { miss: 'a_JSON_body', inStep: 60_000 }, run: async () => undefined },
			{ seat: { miss: 'a_JSON_body', inStep: 120_000, isDone: true }, run: async () => undefined }
		]
	},
	{
		id: 'new_near_miss',
		raises: { seat: { miss: 'a_JSON_body' }, run: async () => undefined },
		quiet: [
			{ seat: { miss: 'a_JSON_body', inStep: 120_000 }, run: async () => undefined },
			{ seat: {}, run: async () => undefined }
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
