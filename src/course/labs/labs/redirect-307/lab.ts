import { attackerOrigin } from '../../engine/attacker-site.ts';
import type { Lab } from '../../engine/lab.ts';
import { parameterOf, type Message } from '../../engine/message.ts';
import { ask, linkToOwn, linkToSignIn, openAsAttacker, openAsVictim, tools } from '../actions.ts';

const arrived = (log: readonly Message[], from: string) =>
	log.find((message) => message.from === from && message.url.startsWith(`${attackerOrigin}/callback`));
/** The message that brought a field of a form of Tollgate. */
const bodyAt = (log: readonly Message[], from: string, field: string) => {
	const message = arrived(log, from);
	return message !== undefined && parameterOf(message, field) !== undefined ? message : undefined;
};

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
		{ party: 'victim', name: 'Victim' },
		{ party: 'attacker_site', name: 'Guild board' },
		{ party: 'service', name: 'Tollgate' }
	],
	world: {
		weaknesses: ['redirect_307'],
		applications: [{ client_id: 'guild-board', name: 'Guild board', redirect_uri: `${attackerOrigin}/callback` }],
		async before({ service }) {
			const query = new URLSearchParams({
				response_type: 'code',
				client_id: 'guild-board',
				redirect_uri: `${attackerOrigin}/callback`,
				scope: 'character_read location_read'
			});
			await service.api.request('POST /control/authorizations', {
				body: { username: 'player-one', query: query.toString() }
			});
		}
	},
	steps: [
		{
			...linkToOwn(),
			text: 'Your application uses Tollgate like any other. The link starts a sign-in with your `client_id`.'
		},
		{
			text: 'The victim types user name and password at Tollgate. Access was allowed before, so the redirect to you follows at once. It is 307: the browser repeats the request, with its body.',
			...openAsVictim,
			isDone: ({ log }) => arrived(log, 'victim') !== undefined
		}
	],
	detours: [
		openAsAttacker,
		{
			id: 'link_to_more',
			label: 'Ask for one more permission',
			isPossible: ({ link }) => link === undefined,
			act: (run) => linkToSignIn(run, 'guild-board', 'character_read location_read inventory_read')
		}
	],
	nearMisses: {
		own_password: {
			happened: ({ log }) => arrived(log, 'attacker'),
			text: 'You signed in yourself: what arrived is yours. The victim must open the link.'
		},
		consent: {
			happened: ({ log }) => bodyAt(log, 'victim', 'decision'),
			text: 'The body has the decision of the consent page, not the password. Ask only for what the victim has allowed before: then the sign-in is the last form.'
		}
	},
	goal: {
		text: 'The log shows the password of **player-one** at Guild board',
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
		description: 'The browser continues with GET',
		text: 'Now the browser sends a GET without a body, whatever it sent before.',
		others: [
			'A page between sign-in and redirect',
			'302, which browsers treat like 303. The standard does not require it'
		],
		world: { weaknesses: [] }
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
		'Your application has a redirect URI. Its server sees whole requests.',
		'Put a sign-in on your page, open it as the victim, and look what arrives at your server.'
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
