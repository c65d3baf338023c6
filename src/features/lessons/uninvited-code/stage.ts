import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'The callback page of an application takes a code from its URL and signs you in with it. But any attacker can send you a link to that page, with a code of their own. This attack is called login CSRF.',
		'The state stops it: a random value that your browser keeps, and that comes back with the code. In this lesson you are the attacker first, and then you turn the check on.'
	],
	terms: ['callback page', 'CSRF', 'state'],
	able: [
		'say whose account an uninvited code leads to',
		'explain why only the application can notice it',
		'write the comparison that stops the attack'
	],
	known: [
		{ from: 'browser', to: 'application', label: 'GET callback · your code, your state' },
		{ from: 'application', to: 'authorization', label: 'POST token · your code', reply: '200 your tokens' },
		{ from: 'browser', to: 'application', label: 'GET callback · a code of the attacker' }
	],
	predictionTitle: 'The link of an attacker',
	steps: [
		{
			title: 'Create the link of the attacker',
			text: 'Turn **Check state** off, so that the application takes any code. Then select **Create link**.',
			tools: [{ kind: 'attack', shows: 'create', checkState: false }],
			condition: 'link_created',
			expected: [{ from: 'user', to: 'authorization', label: 'consent of player-three' }],
			folds: 'Sign-in of player-three'
		},
		{
			title: 'Open it as the victim',
			text: 'Select **Open the link as the victim**. A new tab is the browser of the victim. Then come back to this tab.',
			tools: [{ kind: 'attack', shows: 'open', checkState: false }],
			condition: 'uninvited_exchanged',
			expected: [
				{ from: 'browser', to: 'application', label: 'GET callback · code' },
				{ from: 'application', to: 'authorization', label: 'POST token · code' }
			]
		},
		{
			title: 'See whose account it is',
			text: 'You are the victim now. Select **Look up**, and read the location: only its owner sees it.',
			tools: [{ kind: 'look-up', name: '100% Orc' }],
			condition: 'attacker_read',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/100% Orc' }]
		},
		{
			title: 'Try it with the state check',
			text: 'Turn **Check state** on, create a second link, and open it as the victim.',
			tools: [{ kind: 'attack', shows: 'both', checkState: true }],
			condition: 'second_link_opened',
			expected: [{ from: 'browser', to: 'application', label: 'GET callback · second code' }]
		},
		{
			title: 'Sign in as player-one',
			text: 'The check must not lock out your own users. Select **Pause at redirect back**, then **Sign in with {brand}** as `player-one`. Find the `state` in the message that waits, and select **Release unchanged**.',
			tools: [
				{
					kind: 'pause',
					point: 'authorization_response',
					text: 'The `state` that waits is the one that the application saved. The link of the attacker had none.'
				},
				{ kind: 'sign-in', access: 'online', isOther: true }
			],
			condition: 'code_left_alone',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code of player-one' }]
		}
	],
	result: 'The account of the attacker',
	question: {
		title: 'Where should it have stopped?',
		text: 'Select the message that an application with a state check does not send for the first link.',
		solution: { condition: 'uninvited_exchanged', part: 'request' },
		right: 'Without a matching state the application leaves the code alone. The service cannot notice the attack.',
		wrong: 'This message is sent anyway. What the application decides is whether it exchanges the code.'
	},
	learnt: {
		title: 'Compare the state before the code',
		text: 'A code says nothing about the browser it arrives in. The application compares the state with the one of this browser, once, before it touches the code.',
		code: "const expected = session.state;\ndelete session.state;\nif (url.searchParams.get('state') !== expected) return reject();"
	}
};
