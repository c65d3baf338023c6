import type { TrafficEntry } from '#api/control/traffic.ts';
import { authorizationRequestOf, issued, parameter, exchangedCode, issuedCode, passed } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { learner } from '../evaluation/common-conditions.ts';

const scopesOf = (entry: TrafficEntry) => issued(entry, 'code')?.scopes ?? [];
const isDecided = (entry: TrafficEntry) => passed(entry, 'interaction.decided_by_prompted_user');

/** Whether the first list lacks something of the second. */
const isLess = (scopes: readonly string[], than: readonly string[]) => than.some((scope) => !scopes.includes(scope));

/** The codes that were issued before under the grant of this one. */
function codesBefore(entry: TrafficEntry, before: readonly TrafficEntry[]): TrafficEntry[] {
	const grant = issued(entry, 'code')?.grant;
	return before.filter((one) => one.seq < entry.seq && issuedCode(one) && issued(one, 'code')?.grant === grant);
}

/** A code that covers less than was granted before. */
const isSmaller = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	issuedCode(entry) && isLess(scopesOf(entry), codesBefore(entry, before).flatMap(scopesOf));

/** A code that covers more than its request names. */
function isRenewal(entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	if (!issuedCode(entry)) return false;
	const request = authorizationRequestOf([...before, entry], entry);
	return request !== undefined && isLess((parameter(request, 'scope') ?? '').split(' '), scopesOf(entry));
}

/** The code that an exchange sent. */
const codeOf = (exchange: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(exchange)
		? before.find((one) => issued(one, 'code')?.id === issued(exchange, 'access_token')?.from)
		: undefined;

export const lesson: Lesson = {
	stage: {
		intro: [
			'An application names the permissions that it needs, the scope, in each sign-in. What you allow is added to a grant that the service keeps for this application.',
			'The next sign-in may ask for less, or for something else. Does it ask you again? And what may the new access token do: all that you have ever allowed, or what was asked for this time? In this lesson you sign in four times.'
		],
		terms: ['scope', 'grant', 'access token'],
		able: [
			'say when the service shows the consent page again',
			'tell what a grant contains from what a token may do',
			'ask for one permission when a feature needs it'
		],
		known: [
			{ from: 'browser', to: 'authorization', label: 'GET auth · character_read', reply: 'consent page' },
			{ from: 'browser', to: 'authorization', label: 'GET auth · location_read' }
		],
		predictionTitle: 'One permission, then another',
		steps: [
			{
				title: 'Ask for character_read',
				text: 'Select **Open request**, sign in as `player-one`, and allow access.',
				tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'character_read' }, marks: 'scope' }],
				condition: 'user_asked',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · character_read' }]
			},
			{
				title: 'Ask for the same again',
				text: 'Select **Open request** once more. Watch whether the service asks you.',
				tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'character_read' }, marks: 'scope' }],
				condition: 'not_asked_again',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · character_read' }]
			},
			{
				title: 'Ask for location_read only',
				text: 'Select **Open request**, and allow access.',
				tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'location_read' }, marks: 'scope' }],
				condition: 'other_scope_allowed',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · location_read' }],
				folds: 'Sign-in for location_read'
			},
			{
				title: 'Exchange the code',
				text: 'Select **Send request**, and read the scope of the token.',
				tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
				condition: 'smaller_token',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
			},
			{
				title: 'Ask for all that was granted',
				text: 'Select **Open request**. It now contains `renew_previously_granted`.',
				tools: [
					{
						kind: 'request',
						request: 'authorization',
						sets: { scope: 'location_read', renew_previously_granted: 'yes' },
						marks: 'renew_previously_granted'
					}
				],
				condition: 'renewal_asked',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · renew' }],
				folds: 'Sign-in with renewal'
			},
			{
				title: 'Exchange this code too',
				text: 'Select **Send request**, and compare the scope with the one of step 4.',
				tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
				condition: 'renewed',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
			}
		],
		result: 'The token covers its own request',
		question: {
			title: 'Which token may do more?',
			text: 'Both tokens came from requests for location_read. Select the response with the token that also reads characters.',
			solution: { condition: 'renewed', part: 'response' },
			right: 'Its request said renew_previously_granted=yes, so the token covers the whole grant.',
			wrong: 'Look for the last token response: its request asked for everything that was granted before.'
		},
		learnt: {
			title: 'Ask for little, when it is needed',
			text: 'The grant collects what a user has ever allowed. A token covers one request. Small requests are easier to accept, and a stolen small token does less harm.',
			code: "authorize({ scope: 'location_read' });\n// only when the map is opened"
		}
	},
	prediction: {
		question:
			'You have granted `character_read`. The next request asks for `location_read` only. What may its token do?',
		shownBy: 'smaller_token',
		shows: 'body scope',
		comparison: {
			columns: ['Step 4', 'Step 6'],
			rows: ({ entries, shown }) => {
				const exchanges = [shown('smaller_token').at(-1), shown('renewed').at(-1)] as const;
				const asked = (name: string, exchange: TrafficEntry | undefined) =>
					exchange && (parameter(authorizationRequestOf(entries, exchange) ?? exchange, name) ?? 'none');
				const scopes = (exchange: TrafficEntry | undefined) =>
					exchange && issued(exchange, 'access_token')?.scopes.join(' ');
				return [
					['Requested scope', asked('scope', exchanges[0]), asked('scope', exchanges[1])],
					['Renewal', asked('renew_previously_granted', exchanges[0]), asked('renew_previously_granted', exchanges[1])],
					['Scope of the token', scopes(exchanges[0]), scopes(exchanges[1])]
				];
			}
		},
		options: [
			{
				text: 'Both, because permissions add up',
				implies: ['200 OK', '{"scope":"character_read location_read",…}'],
				feedback: 'They add up in the grant. The token covers its own request.'
			},
			{
				text: 'Read locations only',
				implies: ['200 OK', '{"scope":"location_read",…}'],
				feedback: 'The grant now lists both. The token lists what was requested this time.',
				isRight: true
			},
			{
				text: 'Nothing, until `character_read` is requested too',
				implies: ['400 Bad Request', '{"error":"invalid_scope",…}'],
				feedback: 'A request does not have to repeat what was granted before.'
			},
			{
				text: 'Both, as long as you are signed in',
				implies: ['200 OK', '{"scope":"character_read location_read",…}'],
				feedback: 'Your session decides whether you see the sign-in page. It gives no permission to a token.'
			}
		]
	},
	attempts: 'application',
	conditions: [
		{
			id: 'user_asked',
			label: 'The user was asked and allowed access',
			unmet: 'No user has decided on the consent page yet. Sign in with one permission and allow it.',
			user: learner,
			shows: (entry) => issuedCode(entry) && isDecided(entry)
		},
		{
			id: 'not_asked_again',
			label: 'The same request later got a code without a question',
			unmet: 'The user was asked once. Send the same request again for the same user, who is still signed in.',
			user: learner,
			shows: (entry, { before }) => issuedCode(entry) && !isDecided(entry) && codesBefore(entry, before).some(isDecided)
		},
		{
			id: 'other_scope_allowed',
			label: 'A code was issued for less than the user has granted',
			unmet: 'The same request got a code without a question. Now request another permission without the first one.',
			shows: (entry, { before }) => isSmaller(entry, before)
		},
		{
			id: 'smaller_token',
			label: 'A token covers less than the user has granted',
			unmet: 'No token covers less than the grant. Exchange the code of the request for the other permission.',
			shows: (entry, { before }) => {
				const code = codeOf(entry, before);
				return code !== undefined && isSmaller(code, before) && [code];
			}
		},
		{
			id: 'renewal_asked',
			label: 'A code was issued for all that was granted',
			unmet: 'One token is smaller than the grant. Request one permission with renew_previously_granted=yes.',
			shows: (entry, { before }) => isRenewal(entry, before) && codesBefore(entry, before).length > 0
		},
		{
			id: 'renewed',
			label: 'A token covers permissions that its request does not name',
			unmet: 'A code covers the whole grant. Exchange it.',
			shows: (entry, { before }) => {
				const code = codeOf(entry, before);
				return code !== undefined && isRenewal(code, before) && [code];
			}
		}
	],
	explanation:
		'The grant collects what a user has ever allowed. A token covers one request. Small requests are easier to accept, and a stolen small token does less harm. A request within the grant shows no consent page. To get a token for the whole grant, send renew_previously_granted=yes.',
	sections: ['2.1', '3.1', 'RFC 6749 §3.3'],
	help: {
		hint: 'The consent page appears when a request contains something new. Stay signed in as the same user.',
		call: `{curl} -c cookies '{base_url}/account' -d action=sign-in -d username=player-one -d password=demo
{curl} -b cookies -i -H 'Accept: text/html' '{base_url}/ws/oauth2/auth/?response_type=code&client_id=character-viewer&redirect_uri={base_url}/viewer/callback&scope=character_read&state=s'`
	},
	ownClient: {
		steps: [
			'Request one permission, and send the same request again for the same user.',
			'When a feature needs another permission, request that one alone, and exchange the code.',
			'Send that request once more with `renew_previously_granted=yes`, and exchange the code.'
		],
		code: `for query in scope=character_read scope=character_read scope=location_read \\
  'scope=location_read&renew_previously_granted=yes'; do
  open "{base_url}/ws/oauth2/auth/?response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&state=$STATE&$query"
  read -r -p 'Code: ' code
  {curl} '{base_url}/ws/oauth2/token/' -d grant_type=authorization_code -d code="$code" -d client_id="$CLIENT_ID" \\
    -d client_secret="$CLIENT_SECRET" --data-urlencode "redirect_uri=$REDIRECT_URI"
done`
	},
	notes: {
		discuss: 5,
		watch:
			'The order matters: the narrow token only appears after the wide grant. If the second sign-in shows a consent page, the learner used another account.',
		mistakes: [
			{
				belief: 'Permissions add up in the token.',
				reply: 'They add up in the grant. Compare the scopes of the two token responses.'
			},
			{
				belief: 'A new request replaces what was granted before.',
				reply: 'Nothing is taken away. Only a revocation does that.'
			}
		],
		questions: [
			{
				question: 'When should an application ask for a second permission?',
				listenFor: 'When the feature that needs it is used, so that the user sees why.'
			},
			{
				question: 'What does a stolen token with one scope allow, and for how long?',
				listenFor: 'That scope, for one hour, and no refresh without the refresh token.'
			}
		]
	}
};
