import { authorize, exchangeWith, times, type SignalCase, type Student } from './traces.ts';

const wrongUri = (uri: string) => ({ redirect_uri: uri });
const noState = (student: Student, more = {}) => authorize(student, { state: undefined, ...more });

/** The signals of the authorization endpoint. */
export const signInCases: readonly SignalCase[] = [
	{
		id: 'unknown_client',
		raises: { run: (student) => authorize(student, { client_id: 'mine' }) },
		quiet: [
			{
				run: async (student) => {
					await authorize(student, { client_id: 'mine' });
					await authorize(student);
				}
			},
			{ run: (student) => authorize(student, { client_id: '' }) },
			// The secret is wrong, the client_id is known.
			{ run: (student) => times(2, () => exchangeWith(student, { client_secret: 'wrong' })) }
		]
	},
	{
		id: 'redirect_differs',
		text: 'The redirect URI differs: one slash at the end.',
		raises: {
			run: async (student) => {
				const uri = `${student.client.viewer.redirect_uri}/`;
				await times(2, () => authorize(student, wrongUri(uri)));
			}
		},
		quiet: [
			{ run: (student) => authorize(student, wrongUri('http://localhost:3001/')) },
			{
				run: async (student) => {
					await authorize(student, wrongUri('http://localhost:3001/'));
					student.wait(200_000);
					await authorize(student, wrongUri('http://localhost:3002/'));
				}
			}
		]
	},
	{
		id: 'redirect_differs',
		text: 'The redirect URI differs: port 3001, not 3000.',
		raises: {
			seat: { client: 'own', inStep: 180_000 },
			run: async (student) => {
				const redirect_uris = ['http://localhost:3000/callback'];
				const body = { name: 'Mine', kind: 'web', redirect_uris } as const;
				const { client_id } = await student.client.control.request('POST /control/applications', { body });
				await authorize(student, { client_id, redirect_uri: 'http://localhost:3001/callback' }, {});
				student.wait(61_000);
			}
		},
		quiet: [
			{
				run: async (student) => {
					await authorize(student, wrongUri('http://localhost:3001/'));
					student.wait(30_000);
				}
			},
			{
				run: async (student) => {
					await authorize(student, wrongUri('http://localhost:3001/'));
					await authorize(student);
					student.wait(61_000);
				}
			}
		]
	},
	{
		id: 'redirect_differs',
		text: 'The redirect URI differs: port 5555, not 5173, and path /cb, not /callback.',
		raises: {
			run: async (student) => {
				const redirect_uris = ['http://localhost:5173/callback'];
				const body = { name: 'Mine', kind: 'web', redirect_uris } as const;
				const { client_id } = await student.client.control.request('POST /control/applications', { body });
				await times(2, () => authorize(student, { client_id, redirect_uri: 'http://localhost:5555/cb' }, {}));
			}
		},
		quiet: [
			{ run: (student) => authorize(student, wrongUri('http://localhost:5555/cb')) },
			{ run: (student) => authorize(student) }
		]
	},
	{
		id: 'wrong_scope',
		raises: { run: (student) => authorize(student, { scope: 'everything' }) },
		quiet: [
			{ run: (student) => authorize(student, { scope: 'character_read' }) },
			{
				run: async (student) => {
					await authorize(student, { scope: 'everything' });
					await authorize(student);
				}
			}
		]
	},
	{
		id: 'denied',
		raises: { run: ({ client }) => client.authorize({}, client.viewer, { decision: 'deny' }) },
		quiet: [
			{
				run: async ({ client }) => {
					await client.authorize({}, client.viewer, { decision: 'deny' });
					await client.authorize();
				}
			},
			{ run: (student) => authorize(student, { scope: 'everything' }) },
			// Only the state of the client has these words.
			{ run: ({ client }) => client.authorize({ state: 'x?error=access_denied' }) }
		]
	},
	{
		id: 'code_unused',
		raises: {
			run: async (student) => {
				await student.client.code();
				student.wait(61_000);
			}
		},
		quiet: [
			{
				run: async (student) => {
					await student.client.code();
					student.wait(30_000);
				}
			},
			{
				run: async (student) => {
					await exchangeWith(student, { client_secret: 'wrong' });
					student.wait(61_000);
				}
			},
			// The lesson about it asks for a code that another browser uses.
			{
				seat: { lesson: 'uninvited-code' },
				run: async (student) => {
					await student.client.code();
					student.wait(61_000);
				}
			}
		]
	},
	{
		id: 'no_state',
		raises: { run: noState },
		quiet: [
			{ run: (student) => authorize(student) },
			{ run: (student) => noState(student, { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' }) },
			{
				run: async (student) => {
					await noState(student);
					await authorize(student);
				}
			},
			{ run: (student) => noState(student, { scope: 'everything' }) }
		]
	},
	{
		id: 'on_sign_in_page',
		raises: {
			run: async (student) => {
				await authorize(student);
				student.wait(61_000);
			}
		},
		quiet: [
			{
				run: async (student) => {
					await authorize(student);
					student.wait(30_000);
				}
			},
			{
				run: async (student) => {
					await authorize(student);
					await student.client.signIn();
					student.wait(61_000);
				}
			},
			// A program reads the page, and no user sees it.
			{
				run: async (student) => {
					await authorize(student, {}, { accept: '*/*' });
					student.wait(61_000);
				}
			}
		]
	}
];
