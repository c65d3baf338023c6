import { defenses } from '../defenses.ts';
import { attackerOrigin } from '../../engine/attacker-site.ts';
import type { Lab } from '../../engine/lab.ts';
import type { LabRun } from '../../engine/lab-run.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import {
	ask,
	linkToOwn,
	linkToSignIn,
	openAsAttacker,
	openAsVictim,
	ownRequest,
	sendForm,
	tools,
	valueIn
} from '../actions.ts';

const arrived = (log: readonly Message[], from: string) =>
	log.findLast((message) => message.from === from && message.url.startsWith(`${attackerOrigin}/callback`));
/** The message that brought a field of a form of Tollgate. */
const bodyAt = (log: readonly Message[], from: string, field: string) => {
	const message = arrived(log, from);
	return message !== undefined && parameterOf(message, field) !== undefined ? message : undefined;
};

const ownClient = ({ secrets }: LabRun) => ({
	client_id: 'guild-board',
	client_secret: secrets.get('guild-board') ?? ''
});

export const lab: Lab = {
	briefing:
		'You run **Guild board**, an application that the victim has allowed before. Tollgate redirects with 307 after the sign-in. Get the victim’s **password**.',
	code: {
		file: 'sign-in.ts of Tollgate',
		line: 22,
		wrong: 'return redirect(307, redirectUri);',
		marked: '307',
		right: 'return redirect(303, redirectUri);'
	},
	tools: [{ kind: 'server', text: 'An application at Tollgate, and its log' }, tools.page],
	parties: [
		{ party: 'attacker', name: 'You' },
		{ party: 'victim', name: 'Victim' },
		{ party: 'attacker_site', name: 'Guild board' },
		{ party: 'service', name: 'Tollgate' }
	],
	world: {
		weaknesses: ['redirect_307'],
		applications: [{ client_id: 'guild-board', name: 'Guild board', redirect_uri: `${attackerOrigin}/callback` }],
		async before({ service }) {
			await service.api.request('POST /control/authorizations', {
				body: { username: 'player-one', query: ownRequest('guild-board') }
			});
		}
	},
	steps: [
		{
			...linkToOwn(),
			isDone: ({ link }) => link !== undefined && !link.includes('inventory_read'),
			text: 'Your application uses Tollgate like any other. The link starts a sign-in with your `client_id`.'
		},
		{
			text: 'The victim types user name and password at Tollgate. Access was allowed before, so the redirect to you follows at once. It is 307: the browser repeats the request, with its body.',
			...openAsVictim,
			isDone: ({ log }) => bodyAt(log, 'victim', 'password') !== undefined
		}
	],
	detours: [
		openAsAttacker,
		{
			id: 'password_grant',
			label: 'Ask for a token with a guessed password',
			isPossible: () => true,
			act: (run) =>
				sendForm(run, 'token/', {
					grant_type: 'password',
					username: 'player-one',
					password: 'guess',
					...ownClient(run)
				})
		},
		{
			id: 'as_application',
			label: 'Ask for a token as Guild board',
			isPossible: () => true,
			act: (run) => sendForm(run, 'token/', { grant_type: 'client_credentials', ...ownClient(run) })
		},
		{
			id: 'own_post',
			label: 'Post a form to Guild board yourself',
			isPossible: () => true,
			act: async (run) =>
				void (await run.sendAsAttacker({
					method: 'POST',
					url: `${attackerOrigin}/callback`,
					form: { username: 'player-one', password: 'guess' }
				}))
		},
		{
			id: 'link_to_more',
			label: 'Ask for one more permission',
			isPossible: () => true,
			act: (run) => linkToSignIn(run, 'guild-board', 'character_read location_read inventory_read')
		},
		{
			id: 'tomorrow',
			label: 'Wait until tomorrow',
			place: 'victim',
			opens: 'open_as_victim',
			isPossible: () => true,
			// The victim has closed the browser in the evening.
			act({ clock, browsers }) {
				clock.advance(24 * 60 * 60_000);
				browsers.victim.restart();
			}
		}
	],
	nearMisses: {
		own_password: {
			happened: (sent) => arrived(sent, 'attacker'),
			text: (message) =>
				`Your own browser was redirected: the row has ${message.method}, and what arrived is of player-three.`,
			look: 'the browser of this row.'
		},
		consent: {
			happened: (sent) => bodyAt(sent, 'victim', 'decision'),
			text: (message) =>
				`The body that arrived has \`decision\` ${valueIn(message, 'decision')}: it is the form of the consent page.`,
			look: 'the last form that the victim sent before the redirect.'
		},
		signed_in: {
			happened: (sent) => sent.find((message) => message === arrived(sent, 'victim') && message.method === 'GET'),
			text: (message) =>
				`A ${message.method} with the code ${valueIn(message, 'code')} arrived, without a body: the victim was signed in, and sent no form.`,
			look: 'how long the victim’s browser stays signed in at Tollgate.'
		}
	},
	goal: {
		text: 'The password of **player-one** arrives at Guild board',
		find: (log) => bodyAt(log, 'victim', 'password')
	},
	happened: {
		title: 'The browser typed it again',
		paragraphs: [
			'A redirect with 307 keeps the method and the **body**. The body of the last request was the sign-in form.',
			'So the victim’s browser posted user name and password to your server, right after Tollgate had checked them.'
		],
		why: [
			{ isRight: false, text: '307 repeats a POST with its body' },
			{ isRight: false, text: 'The redirect follows the form with the password' },
			{ isRight: true, text: 'The form was that of Tollgate' }
		]
	},
	defense: {
		title: 'Redirect with 303',
		text: 'Now the browser sends a GET without a body, whatever it sent before.',
		others: [
			'A page between sign-in and redirect',
			'302, which browsers treat like 303. The standard does not require it'
		],
		world: { weaknesses: [] }
	},
	wrongDefenses: {
		tooStrict: defenses.pushedOnly,
		noEffect: defenses.shortCodes,
		otherAttack: {
			...defenses.requirePkce,
			text: 'PKCE protects the code. Here the body of a form leaks, and Guild board uses PKCE already.'
		}
	},
	rejected: {
		id: 'client.no_body',
		title: 'A redirect with 303, without a body',
		text: 'Done by the authorization server. The client gets the code in the URL, and nothing else.',
		place: 'authorization server',
		section: 'RFC 9700 §4.12',
		find(log) {
			const message = arrived(log, 'victim');
			return message?.method === 'GET' && message.form === '' ? message : undefined;
		}
	},
	defended: {
		title: 'A GET, and no body',
		text: 'Your application still works: it gets its code. The password stays between the victim and Tollgate.'
	},
	remains: [{ text: 'A client whose name the attacker chose', lab: 'consent-phishing' }],
	ownClient: [
		'If you run a service with a sign-in form, respond to it with 303, and test it with a client that records bodies.',
		'A client reads its redirect URI by GET only. Reject a POST that you did not ask for.'
	],
	hints: [
		'What does a browser do with its form when it is redirected with 307?',
		'Look at the redirect URI of your application. Its server sees whole requests.',
		'Your page can carry a sign-in with your application. Which form comes right before the redirect?'
	],
	questions: [
		ask(
			'Which status is right after a form?',
			['303', 'It always leads to a GET (RFC 9110, section 15.4.4).'],
			['308', 'It repeats the body, like 307, and is kept by the browser.'],
			['200 with a script', 'It works, but needs a script.']
		)
	],
	notes: ['Show the same with the developer tools of a browser: a form, and a server that responds with 307.']
};
