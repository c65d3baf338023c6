import { notes } from './notes.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Evidence } from '../evaluation/condition.ts';
import { bestOf, contains, failedAt, inOrder, isResourceRequest, used, type Steps } from '../evaluation/exchanges.ts';
import type { Lesson } from '../lesson.ts';

const isInQuery = ({ request }: TrafficEntry) => /[?&]access_token=/.test(request.target);
const isServed = (entry: TrafficEntry) => isResourceRequest(entry) && entry.response?.status === 200;

/** What followed a request with its token in the query. */
function stepsOf(entries: readonly TrafficEntry[], leak: TrafficEntry): Steps {
	const token = used(leak, 'access_token') ?? '';
	const isLeak = (entry: TrafficEntry) => entry === leak;
	const inHeader = (entry: TrafficEntry) => isServed(entry) && !isInQuery(entry) && entry.grant === leak.grant;
	// An expired token is unknown, and a revoked one is known.
	const isRejected = (entry: TrafficEntry) =>
		isResourceRequest(entry) &&
		contains(entry, token) &&
		(failedAt(entry, 'access_token.known') || failedAt(entry, 'access_token.not_revoked'));
	return [[leak], inOrder(entries, isLeak, inHeader)?.slice(1), inOrder(entries, isLeak, isRejected)?.slice(1)];
}

const step =
	(index: number) =>
	({ entries }: Evidence) =>
		bestOf(
			entries.filter((entry) => isServed(entry) && isInQuery(entry)),
			(leak) => stepsOf(entries, leak)
		)[index];

export const lesson: Lesson = {
	panels: ['viewer', 'leak', 'timeline', 'request'],
	steps: [
		{ text: 'Choose **Offline** access, and sign in as `player-one`.', panel: 'viewer' },
		{ text: 'Press **Open character**. Find the URL in the history of your browser.', panel: 'leak' },
		{ text: 'Press **Open page with image**, and read what the server of the image received.', panel: 'leak' },
		{
			text: 'Find both requests in the timeline. This log hides the token. Many servers and proxies write the whole URL.',
			panel: 'timeline'
		},
		{ text: 'Look up `Half/Life`. The viewer sends the token in a header.', panel: 'viewer' },
		{ text: 'Press **Sign out**, which revokes access. Reload the tab with the character.', panel: 'viewer' }
	],
	prediction: {
		question: 'TLS encrypts the whole URL on its way. Who can still read a token in it?',
		shownBy: 'token_in_query',
		options: [
			{
				text: 'No one besides the client and the service',
				feedback: 'TLS protects the connection. The URL is stored at both ends of it, in plain text.'
			},
			{
				text: 'Others in the same Wi-Fi',
				feedback: 'They see encrypted data. The danger is where the URL is stored afterwards.'
			},
			{
				text: 'Anyone who reads the browser history, the server log or the Referer header',
				feedback: 'URLs are kept and passed on in many places. None of them treats a URL as a secret.',
				isRight: true
			},
			{
				text: 'No one: the service rejects such a request',
				feedback: 'It accepts the query as well, for callers that cannot set a header.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'token_in_query',
			label: 'A resource was read with the token in the query',
			unmet: 'Request a character with ?access_token= and a valid token.',
			shownBy: step(0)
		},
		{
			id: 'token_in_header',
			label: 'The same user’s data was read with the token in the header',
			unmet: 'The token was in a URL. Now send a token of the same user in the Authorization header.',
			shownBy: step(1)
		},
		{
			id: 'leaked_token_rejected',
			label: 'The service rejected the token from the URL',
			unmet: 'The token from the URL still works. Revoke access, then send that token once more.',
			shownBy: step(2)
		}
	],
	goal: [
		{ from: 'browser', to: 'resource', label: 'GET ?access_token=…', condition: 'token_in_query' },
		{ from: 'application', to: 'resource', label: 'Authorization: OAuth …', condition: 'token_in_header' },
		{ from: 'browser', to: 'resource', label: 'GET ?access_token=… again', condition: 'leaked_token_rejected' },
		{
			from: 'resource',
			to: 'browser',
			label: '401 invalid_token',
			isReply: true,
			isRejected: true,
			condition: 'leaked_token_rejected'
		}
	],
	explanation:
		'Browsers, servers and proxies store URLs, users share them, and the Referer header passes them to other sites. The query is for callers that cannot set headers. Everyone else sends Authorization: OAuth. You cannot collect the copies of a leaked token, but you can revoke access, so that they stop working.',
	sections: ['5.3', 'RFC 6750 §5.3', 'RFC 9700 §4.3'],
	help: {
		hint: 'Keep the tab with the token in its URL. After you revoke access, reload it, or open the URL from the history.',
		call: '{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"'
	},
	ownClient: {
		steps: [
			'Request a character with the token in the query.',
			'Let your client send the token in the `Authorization` header instead.',
			'Revoke access, and request the first URL again.'
		],
		code: `{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"
{curl} '{base_url}/ws/v2.0/character/Mara%20Vell' -H "Authorization: OAuth $ACCESS_TOKEN"
{curl} "{base_url}/ws/oauth2/revoke?token=$REFRESH_TOKEN&client_id=$CLIENT_ID"
{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"`
	},
	notes
};
