import { defenses } from '../defenses.ts';
import type { Lab, LabAction } from '../../engine/lab.ts';
import { fieldsOf } from '../../engine/character-viewer.ts';
import { findGoodUser, signInGoodUser } from '../../engine/run-lab.ts';
import type { Message } from '../../engine/message.ts';
import { ask, openAsAttacker, openAsVictim, rejectedBy, sendForm, signInParties, tools, valueIn } from '../actions.ts';

/** What the page of the defense says, and the victim of this lab reads. */
const warning = 'if you did not start this';

const isToken = (username: string) => (message: Message) =>
	message.from === 'attacker' &&
	message.entry?.endpoint === 'token' &&
	message.status === 200 &&
	message.entry.username === username;

/** In milliseconds. */
const pollInterval = 6000;

const isDecided = ({ from, form }: Message) => from === 'victim' && form.includes('decision=');

const poll: LabAction = {
	id: 'poll',
	label: 'Poll as the device',
	isPossible: ({ copied }) => copied.has('device_code'),
	act: (run) => {
		// As each device does, it waits between two polls.
		run.clock.advance(pollInterval);
		return sendForm(
			run,
			'token/',
			{
				client_id: 'viewer',
				grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
				device_code: run.copied.get('device_code') ?? ''
			},
			['access_token']
		);
	}
};

export const lab: Lab = {
	briefing:
		'Character Viewer has an app for televisions: it shows a short code, and the user enters it on a page of Tollgate. You have a device, and no account. Get a token of the victim **for your device**.',
	code: {
		file: 'device-page.ts of Tollgate',
		line: 31,
		wrong: '<h1>{name} wants access to your account</h1>\n<!-- no code, no warning -->',
		marked: '<!-- no code, no warning -->',
		right:
			'<h1>{name} wants access to your account</h1>\n<p>Your device must show {userCode}. Deny if you did not start this.</p>'
	},
	tools: [{ kind: 'request', text: 'A device that asks for codes' }, tools.page],
	parties: signInParties.filter(({ party }) => party !== 'client'),
	subject: {
		name: 'Device',
		cards: ({ copied, log }) => [
			{
				title: 'Your device',
				note: 'A screen, and no browser',
				isOfAttacker: true,
				facts: [
					{
						label: 'Code on the screen',
						value: copied.get('user_code'),
						note: copied.has('user_code') ? '' : 'None yet'
					},
					{
						label: 'Access token',
						value: copied.get('access_token'),
						note: copied.has('access_token') ? '' : 'None yet'
					},
					...log
						.filter(({ from, entry }) => from === 'attacker' && entry?.endpoint === 'token')
						.map(({ outcome, tone }) => ({ label: 'Poll', note: outcome, tone }))
				]
			}
		]
	},
	world: {
		weaknesses: ['device_code_hidden'],
		settings: { dialect: 'standard' },
		isPublic: true,
		// The victim reads the page, and started no sign-in on a device.
		async before({ browsers }) {
			browsers.victim.allows = (text) => !text.includes(warning);
		}
	},
	steps: [
		{
			title: 'Ask for codes',
			text: 'Your device asks Tollgate for a device code and a user code. It needs no secret, because no television can keep one.',
			id: 'ask',
			label: 'Ask for codes',
			isPossible: () => true,
			act: (run) =>
				sendForm(run, 'device_authorization', { client_id: 'viewer', scope: 'character_read location_read' }, [
					'device_code',
					'user_code',
					'verification_uri_complete'
				]),
			isDone: ({ copied }) => copied.has('device_code')
		},
		{
			title: 'Put the address with your code on your page',
			text: 'The address is that of the real Tollgate, and has your user code in it. The victim does not even type it.',
			id: 'link',
			label: 'Put the link on my page',
			isPossible: ({ copied }) => copied.has('verification_uri_complete'),
			act: (run) => run.setLink(run.copied.get('verification_uri_complete') ?? ''),
			isDone: ({ link, copied }) => link !== undefined && link === copied.get('verification_uri_complete')
		},
		{
			text: 'The victim signs in at Tollgate, and sees the name of Character Viewer. The victim of this lab allows what is known, and reads warnings.',
			...openAsVictim,
			isDone: ({ log }) => log.some((message) => isDecided(message))
		},
		{
			title: 'Poll as the device',
			text: 'Send the device code to the token endpoint, as each device does.',
			...poll,
			isDone: ({ log }) => log.some(isToken('player-one'))
		}
	],
	detours: [
		{ ...openAsAttacker, place: undefined },
		{
			id: 'wait',
			label: 'Wait 11 minutes',
			isPossible: () => true,
			act: ({ clock }) => clock.advance(11 * 60_000)
		}
	],
	nearMisses: {
		own_account: {
			happened: (sent) => sent.find(isToken('player-three')),
			text: ({ entry }) => `The token is of ${entry?.username ?? ''}: you allowed your device yourself.`,
			look: 'the browser in which the code was allowed.'
		},
		expired: {
			happened: rejectedBy('token.device_code_valid'),
			text: (message) =>
				`The device code ${valueIn(message, 'device_code')} had expired, or it was used before. Codes live for 10 minutes.`,
			look: 'the row in which your device got this code.'
		},
		too_early: {
			happened: rejectedBy('token.device_user_decided'),
			text: (message) => `For the device code ${valueIn(message, 'device_code')} no user has decided yet.`,
			look: 'the rows with a decision.'
		}
	},
	goal: {
		text: 'A token of **player-one** is issued to your device',
		find: (log) => log.find(isToken('player-one'))
	},
	happened: {
		title: 'The code of another device',
		paragraphs: [
			'The page, the address and the name of the application were real. The device was **yours**: the device that asks for the codes gets the tokens.',
			'No redirect returns to a browser, so neither `state` nor PKCE binds the two ends together. Only the user can compare the codes.'
		],
		why: [
			{ isRight: false, text: 'The page does not say that a device asks' },
			{ isRight: false, text: 'It does not show the code to compare' },
			{ isRight: true, text: 'The victim checked the address of the page' }
		]
	},
	defense: {
		title: 'Show the code, and warn',
		text: 'Now the user learns that a device asks, and can compare the code with the one in the same room. The victim of this lab has no such device.',
		others: [
			'A shorter life of the codes',
			'The place of the device on the page',
			'No device flow for powerful permissions'
		],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: {
			...defenses.secretRequired,
			text: 'A television cannot keep a secret, so no device of Character Viewer can sign in any user.'
		},
		noEffect: defenses.shortTokens,
		otherAttack: defenses.signedTokens
	},
	rejected: {
		id: 'user.device_started',
		title: 'The user started this on an own device',
		text: 'Decision of the user. A user who does not read the page allows it: this defense is as strong as its reader.',
		place: 'user',
		section: 'RFC 8628 §5.4',
		find: (log) => log.find(({ from, form }) => from === 'victim' && form.includes('decision=deny'))
	},
	defended: {
		title: 'No such device, denied',
		text: 'The link was the same. The victim read that a device must show the code, had none, and denied access. Your device got `access_denied`.'
	},
	async goodUser(run) {
		await signInGoodUser(run);
		const { browsers, service } = run;
		const send = (path: string, form: Readonly<Record<string, string>>) =>
			run.sendAs('good_user', { method: 'POST', url: `${service.baseUrl}/ws/oauth2/${path}`, form });
		const asked = await send('device_authorization', { client_id: 'viewer', scope: 'character_read location_read' });
		const { device_code, verification_uri_complete } = fieldsOf(asked?.body);
		if (typeof device_code !== 'string' || typeof verification_uri_complete !== 'string') return;
		await browsers.good_user.open(verification_uri_complete);
		run.clock.advance(pollInterval);
		await send('token/', {
			client_id: 'viewer',
			grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
			device_code
		});
	},
	findGoodUser: (log) =>
		findGoodUser(log) &&
		log.find(({ from, entry, status }) => from === 'good_user' && entry?.endpoint === 'token' && status === 200),
	remains: [
		{ text: 'Users who do not read the page: allow the device flow only where it is needed' },
		{ text: 'A known name is trusted', lab: 'consent-phishing' },
		{ text: 'Devices stop polling at the end', rule: 'device.end' }
	],
	ownClient: [
		'Offer the device flow only for devices without a browser, and only for the permissions that they need.',
		'Tell users to enter a code only if their own device shows it in front of them.'
	],
	hints: [
		'Who gets the tokens of a device code?',
		'Look at which part of the flow happens in the victim’s browser, and which does not.',
		'Your device gets an address with its code in it. Your page can carry any address.'
	],
	questions: [
		ask(
			'Why does PKCE not help here?',
			['No authorization response returns to the victim’s browser', 'The device polls for the tokens itself.'],
			['The device has no secret', 'PKCE is made for clients without one.'],
			['The code is too short', 'The attacker does not guess it.']
		)
	],
	notes: [
		'This attack was used against organizations with multi-factor sign-in. Discuss who needs the device flow, and who could switch it off.'
	]
};
