/** A lesson file without mistakes, with what it must have and references between its parts. */
export const valid = {
	format: 'tollgate-lesson',
	version: 1,
	id: 'call-our-api',
	title: 'Call our API',
	goal: 'Read ten characters without a rejection.',
	minutes: 10,
	text: ['Your program signs in and reads ten characters. See [Errors](/docs/errors).', '- It never waits for `429`.'],
	steps: [
		{
			title: 'Sign in',
			text: 'Start your program, and sign in as `player-one`.',
			conditions: [
				{
					id: 'signed_in',
					label: 'The application got a token',
					unmet: 'No application has a token yet.',
					user: 'player-one',
					shows: { kind: 'code_exchanged', pkce: true },
					near: [{ shows: { kind: 'consent_denied' }, text: 'You denied access. Sign in again.' }]
				}
			]
		},
		{
			title: 'Read ten characters',
			text: 'Let it read **ten** characters.',
			tools: [{ kind: 'own-client' }],
			conditions: [
				{
					id: 'ten_read',
					label: 'Ten characters were read',
					unmet: 'Fewer than ten characters were read in a row.',
					shows: { kind: 'requests_accepted', count: 10, same: { grant: 'signed_in' } }
				}
			]
		}
	],
	prediction: {
		title: 'The first response',
		question: 'What comes back?',
		shownBy: 'signed_in',
		shows: 'body',
		options: [
			{ text: 'A token', implies: ['200 OK'], feedback: 'The code is exchanged for it.', isRight: true },
			{ text: 'A cookie', implies: ['200 OK'], feedback: 'Applications get no cookie.' }
		]
	},
	learnt: { title: 'Slow is fast', text: 'Read the headers.', code: 'await sleep(untilReset);' },
	notes: { discuss: 5, watch: 'Groups start at once.' }
};

export const text = (content: unknown) => JSON.stringify(content, undefined, '\t');
