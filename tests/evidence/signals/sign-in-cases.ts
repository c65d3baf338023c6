import { authorize, exchangeWith, times, type SignalCase } from './traces.ts';

const wrongUri = (uri: string) => ({ redirect_uri: uri });

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
			{ run: (student) => authorize(student, { client_id: '' }) }
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
			{ run: (student) => authorize(student, { scope: 'everything' }) }
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
			}
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
			}
		]
	}
];
