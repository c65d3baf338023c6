import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangedCode, checkOf, isTokenRequest, issuedCode, readCharacter } from '#evidence/exchanges.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import { attacker, learner } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';

/** The service redirected a browser to a client with a code. */
const openedLink = ({ endpoint, request, response }: TrafficEntry) =>
	endpoint === 'control' && /\/control\/authorization-response(\?|$)/.test(request.target) && response?.status === 303;

/** The exchange that issued the code of a link to the attacker. */
const issuingOf = (before: readonly TrafficEntry[], { flow }: TrafficEntry) =>
	before.find((entry) => issuedCode(entry) && entry.flow === flow && entry.username === attacker);

/** A browser opened a link with a code of the attacker. */
const isLink = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	entry.flow !== undefined && openedLink(entry) && issuingOf(before, entry) !== undefined;

/** The links that were opened, oldest first. */
const linksIn = (entries: readonly TrafficEntry[]) =>
	entries.filter((entry, at) => openedLink(entry) && isLink(entry, entries.slice(0, at)));

/** The application exchanged the code of a link that was opened. */
const isUninvited = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(entry) && linksIn(before).some(({ flow }) => flow === entry.flow);

/** The client sent the code of a link, and not only PKCE stopped it. */
const sentCode = (entry: TrafficEntry, { flow }: TrafficEntry) =>
	isTokenRequest(entry, 'authorization_code') &&
	entry.flow === flow &&
	checkOf(entry, 'token.code_verifier_matches')?.outcome !== 'failed';

/** The links that were opened after the attack, and whose code the application left alone. */
function linksLeftAlone({ before, shown }: Context): TrafficEntry[] {
	const [attack] = shown('uninvited_exchanged');
	return linksIn(before).filter(
		(link) =>
			attack !== undefined &&
			link.seq > attack.seq &&
			link.client_id === attack.client_id &&
			!before.some((entry) => sentCode(entry, link))
	);
}

export const lesson: Lesson = {
	stage: {
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
	},
	prediction: {
		question:
			'The state is not checked, and you open the attacker’s link in your browser. Whose account does the application use then?',
		shownBy: 'attacker_read',
		shows: 'body',
		comparison: {
			columns: ['State check off', 'State check on'],
			rows: ({ entries, shown }) => {
				const exchangeOf = (link: TrafficEntry | undefined) => {
					const exchange = link && entries.find((entry) => exchangedCode(entry) && entry.flow === link.flow);
					return link && (resultOf(exchange) ?? 'not exchanged');
				};
				return [
					[
						'Code of the attacker',
						exchangeOf(shown('uninvited_exchanged').at(-1)),
						exchangeOf(shown('code_left_alone')[0])
					]
				];
			}
		},
		options: [
			{
				text: 'Mine: my browser has my session',
				implies: ['200 OK', '{"name":"100% Orc"} without its location'],
				feedback: 'Your session is at the service, and the link never goes to its sign-in page. Only the code counts.'
			},
			{
				text: 'The attacker’s',
				implies: ['200 OK', '{"name":"100% Orc","location":…}'],
				feedback: 'The code was issued to player-three, so the tokens are for player-three, in every browser.',
				isRight: true
			},
			{
				text: 'No account: the code was not issued to my browser',
				implies: ['401 Unauthorized', '{"error":"invalid_token",…}'],
				feedback: 'A code is bound to a client and a redirect URI. It is not bound to a browser.'
			},
			{
				text: 'No account: the service sees another browser and rejects it',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback:
					'The application sends the exchange, not the browser. The service sees the same application as always.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'link_created',
			label: 'The attacker got a code',
			unmet: 'The attacker has no code yet. Turn the state check off, and create a link.',
			user: attacker,
			shows: issuedCode
		},
		{
			id: 'link_opened',
			label: 'The victim opened the link of the attacker',
			unmet: 'No browser has opened a link with the attacker’s code. Create one, then open it as the victim.',
			shows: (entry, { before }) => isLink(entry, before)
		},
		{
			id: 'uninvited_exchanged',
			label: 'The application exchanged the uninvited code',
			unmet:
				'The link was opened. The application did not exchange its code. Turn the state check off, then open a new link.',
			shows: (entry, { before }) => isUninvited(entry, before)
		},
		{
			id: 'attacker_read',
			label: 'The application showed a character with the attacker’s token',
			unmet: 'The application has a token of the attacker. It has not read a character with it.',
			shows: (entry, { before }) =>
				readCharacter(entry) &&
				before.some((one, at) => one.flow === entry.flow && isUninvited(one, before.slice(0, at)))
		},
		{
			id: 'second_link_opened',
			label: 'The victim opened a second link',
			unmet: 'The attack worked. Turn the state check on, and open a link with a new code in the same application.',
			shows: (entry, { before, shown }) =>
				isLink(entry, before) &&
				entry.client_id === shown('uninvited_exchanged')[0]?.client_id &&
				!before.some((one) => exchangedCode(one) && one.flow === entry.flow)
		},
		{
			id: 'code_left_alone',
			label: 'The application left that code alone, and its own users can sign in',
			unmet:
				'A second link was opened. Now sign in as player-one in the same application. The code of that link must stay unused.',
			user: learner,
			shows: (entry, context) => {
				if (!exchangedCode(entry)) return false;
				const issuing = context.before.find((one) => issuedCode(one) && one.flow === entry.flow);
				const link = linksLeftAlone(context).find(
					(one) => issuing !== undefined && one.seq < issuing.seq && one.client_id === entry.client_id
				);
				return link !== undefined && [link];
			}
		}
	],
	explanation:
		'The service cannot tell in which browser a code arrives. Only the application can. It makes a random state for each sign-in, keeps it in the session of that browser, and compares it before it uses the code. Without that, a victim stores private data in the account of an attacker.',
	sections: ['2.1', '2.2', 'RFC 6749 §10.12', 'RFC 9700 §4.7'],
	help: {
		hint: 'Two links are needed: one while the state check is off, one while it is on. Each needs a new code.',
		call: '{curl} -i "{base_url}/control/authorization-response?client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&code=$CODE"'
	},
	ownClient: {
		steps: [
			'Turn off the state check and PKCE in your program. Enter its client ID and redirect URI in the attack panel.',
			'Open the link. Let your program read a character with the token that it got.',
			'Turn the check on again. Open a second link, then sign in as player-one.'
		],
		code: `// At the callback, before anything else:
const expected = session.state;
delete session.state;
if (expected === undefined || url.searchParams.get('state') !== expected) return reject();
// Only now: exchange url.searchParams.get('code') at {base_url}/ws/oauth2/token/`
	},
	notes: {
		discuss: 8,
		watch:
			'Make clear who is who before the link is opened: the window of the victim looks like any other. Two volunteers with one screen each work well.',
		mistakes: [
			{
				belief: 'My session at the service protects me.',
				reply: 'The link never visits the service. It goes straight to the callback page of the application.'
			},
			{
				belief: 'The service notices the other browser.',
				reply: 'It sees one request from one application. Only the application knows which browser began the sign-in.'
			}
		],
		questions: [
			{
				question: 'What harm is done if the victim only saves data?',
				listenFor: 'The data is in the account of the attacker, for example an address, a card or a search history.'
			},
			{
				question: 'Where must the second copy of the state be kept?',
				listenFor:
					'In the session of the browser that began: a cookie or its storage, never in a list that all browsers share.'
			}
		]
	}
};
