import type { Lesson, ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import { isTokenRequest, issued, readCharacter, refreshed, used } from '#evidence/exchanges.ts';

/** How many requests have to meet the ended token. */
const minRequests = 4;
/** Within how many milliseconds. */
const maxSpan = 10_000;

/** Character requests with one access token that were rejected at the same time, in the order of the log. */
type Burst = readonly TrafficEntry[];

const isUnauthorized = (entry: TrafficEntry) => entry.endpoint === 'character' && entry.response?.status === 401;

/** The requests that met the end of each access token at the same time, oldest first. */
function burstsIn(entries: readonly TrafficEntry[]): readonly Burst[] {
	const rejected = entries.filter(isUnauthorized);
	if (rejected.length < minRequests) return [];
	const tokens = entries.flatMap((entry) => issued(entry, 'access_token')?.id ?? []);
	return tokens.flatMap((token) => {
		const own = rejected.filter((entry) => entry.values.some(({ id }) => id === token));
		for (const [index, first] of own.entries()) {
			const together = own.slice(index).filter(({ at }) => at - first.at <= maxSpan);
			if (together.length >= minRequests) return [together];
		}
		return [];
	});
}

/** The requests that repeat each rejected one with a newer token; undefined where one is missing. */
function repeatsOf(entries: readonly TrafficEntry[], burst: Burst): readonly TrafficEntry[] | undefined {
	const [first] = burst;
	const from = first === undefined ? 0 : entries.indexOf(first);
	const newer = new Set(entries.slice(from).flatMap((entry) => issued(entry, 'access_token')?.id ?? []));
	const left = entries
		.slice(from)
		.filter((entry) => readCharacter(entry) && newer.has(used(entry, 'access_token') ?? ''));
	const repeats: TrafficEntry[] = [];
	for (const { request } of burst) {
		const at = left.findIndex((entry) => pathOf(entry.request.target) === pathOf(request.target));
		const [repeat] = at < 0 ? [] : left.splice(at, 1);
		if (repeat === undefined) return undefined;
		repeats.push(repeat);
	}
	return repeats;
}

/** A burst whose last request is repeated by the last exchange, with the repeats and the refreshes between them. */
type Repeated = { readonly burst: Burst; readonly repeats: Burst; readonly refreshes: Burst };

function repeatedBy(entries: readonly TrafficEntry[]): Repeated | undefined {
	const last = entries.at(-1);
	if (last === undefined || !readCharacter(last)) return undefined;
	for (const burst of burstsIn(entries)) {
		const repeats = repeatsOf(entries, burst);
		if (repeats?.includes(last) !== true) continue;
		const start = entries.findIndex((entry) => burst.includes(entry));
		return { burst, repeats, refreshes: entries.slice(start).filter((one) => isTokenRequest(one, 'refresh_token')) };
	}
	return undefined;
}

function pathOf(target: string): string {
	return target.replace(/\?.*$/s, '');
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'An access token can end at any time. The next request gets 401, and the application uses its refresh token to get a new one. So far, so simple.',
			'But pages send many requests at once. Twenty of them get 401 at the same moment, and each could refresh on its own. With offline access that works here. At other services it signs the user out.'
		],
		terms: ['access token', 'refresh token', 'offline access'],
		able: [
			'see how many refreshes a burst of 401 causes',
			'explain why many refreshes can sign a user out',
			'write a refresh that all requests share'
		],
		known: [
			{ from: 'application', to: 'resource', label: '20 × GET character', reply: '20 × 401' },
			{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
		],
		predictionTitle: 'Twenty times 401',
		steps: [
			{
				title: 'Sign in with offline access',
				text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'offline' }],
				condition: 'refresh_token_issued',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Let each request refresh',
				text: 'Turn **Share one refresh** off. Select **Revoke access token**, then **Load 20 at once**. The application does not know that its token has ended.',
				tools: [
					{ kind: 'end-tokens' },
					{ kind: 'load', mode: 'atOnce', setting: 'shareRefresh', isOn: false, hidesGauges: true }
				],
				condition: 'calls_repeated',
				expected: [
					{ from: 'application', to: 'resource', label: '20 × GET character' },
					{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
				]
			},
			{
				title: 'Let them share one',
				text: 'Turn **Share one refresh** on. Revoke the token and load again, and compare.',
				tools: [
					{ kind: 'end-tokens' },
					{ kind: 'load', mode: 'atOnce', setting: 'shareRefresh', isOn: true, hidesGauges: true }
				],
				condition: 'one_refresh',
				expected: [
					{ from: 'application', to: 'resource', label: '20 × GET character' },
					{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
				]
			}
		],
		result: 'Every refresh got a token',
		question: {
			title: 'Who got the new token?',
			text: 'In step 3, all requests waited for one message. Select it.',
			solution: {
				condition: 'one_refresh',
				part: 'response',
				accepts: (entry, isShown) => isShown && refreshed(entry)
			},
			right: 'One request started the refresh. The others waited for this response, and then repeated once.',
			wrong: 'Look in step 3 for the one response that brings a new access token.'
		},
		learnt: {
			title: 'One refresh, shared by all',
			text: 'The first 401 starts the refresh. All others wait for it, and repeat once. Services that rotate refresh tokens take a second refresh for theft.',
			code: 'refreshing ??= refresh().finally(() => (refreshing = undefined));\nawait refreshing;'
		}
	},
	prediction: {
		question:
			'Twenty requests get 401 at the same moment, and each of them refreshes. What does the token endpoint do?',
		shownBy: 'separate_refreshes',
		shows: 'body',
		comparison: {
			columns: ['Each request refreshes', 'They share one refresh'],
			rows: ({ entries, shown }) => {
				const loads = ['calls_repeated', 'one_refresh'].map((condition) => {
					const last = shown(condition).at(-1);
					return last && repeatedBy(entries.slice(0, entries.indexOf(last) + 1));
				});
				const row = (label: string, count: (load: Repeated) => number): ComparedRow => {
					const [each, shared] = loads.map((load) => load && count(load));
					return [label, each, shared];
				};
				return [
					row('Requests that got 401', ({ burst }) => burst.length),
					row('Refresh requests', ({ refreshes }) => refreshes.length),
					row('Repeated requests that got 200', ({ repeats }) => repeats.length)
				];
			}
		},
		options: [
			{
				text: 'It accepts the first refresh, and rejects the others',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'Services that rotate refresh tokens do that, and end the session. This one does not rotate them.'
			},
			{
				text: 'It returns the same access token to all of them',
				implies: ['200 OK', '{"access_token":"the same",…}'],
				feedback: 'Each refresh issues another access token.'
			},
			{
				text: 'It accepts each refresh, with a new access token',
				implies: ['200 OK', '{"access_token":"new",…}'],
				feedback: 'It works here. At services that rotate refresh tokens, the second one signs the user out.',
				isRight: true
			},
			{
				text: 'Nothing, because the application signs in again',
				implies: ['303 See Other', 'Location: /ws/oauth2/auth/'],
				feedback: 'The refresh token gets a new access token without the user.'
			}
		]
	},
	attempts: 'flow',
	conditions: [
		{
			id: 'refresh_token_issued',
			label: 'The application got a refresh token',
			unmet: 'No application has a refresh token yet. Sign in with offline access.',
			user: learner,
			shows: (entry) => issued(entry, 'refresh_token') !== undefined
		},
		{
			id: 'calls_rejected',
			label: 'Four or more requests got 401 for the ended access token at the same time',
			unmet: 'No requests got 401 at the same time. Revoke the access token under Tokens, then select Load 20 at once.',
			shows: (entry, { before }) => {
				const burst = isUnauthorized(entry) && burstsIn([...before, entry]).find((one) => one.includes(entry));
				return burst !== undefined && burst !== false && burst.slice(0, -1);
			}
		},
		{
			id: 'separate_refreshes',
			label: 'The application refreshed more than once for them',
			unmet: 'Requests got 401. Let each of them refresh separately: turn Share one refresh off.',
			shows: (entry, { since }) => {
				if (!refreshed(entry)) return false;
				const start = since.findIndex(isUnauthorized);
				const earlier = since.slice(Math.max(0, start)).filter(refreshed);
				return earlier.length > 0 && earlier;
			},
			why: (entry, { before }) =>
				repeatedBy([...before, entry])?.refreshes.length === 1
					? 'All requests shared one refresh. Turn Share one refresh off, revoke the token, and load again.'
					: undefined
		},
		{
			id: 'calls_repeated',
			label: 'Every rejected request was repeated and got its character',
			unmet: 'Requests got 401. Some of them were not repeated with a new access token.',
			shows: (entry, { before }) => repeatedBy([...before, entry])?.repeats.slice(0, -1) ?? false
		},
		{
			id: 'one_refresh',
			label: 'Then all requests of a second load shared one refresh',
			unmet:
				'No second load has shared one refresh yet. Turn Share one refresh on, revoke the access token, and load again.',
			shows: (entry, { before, since }) => {
				const repeated = repeatedBy([...before, entry]);
				if (repeated === undefined || repeated.refreshes.length !== 1) return false;
				return repeated.burst.every((one) => since.includes(one)) && repeated.refreshes;
			},
			why: (entry, { before }) => {
				const { length } = repeatedBy([...before, entry])?.refreshes ?? [];
				return length > 1
					? `The application sent ${length} refresh requests. Turn Share one refresh on, revoke the token, and load again.`
					: undefined;
			}
		}
	],
	explanation:
		'One request starts the refresh. All others that got 401 wait for its result, and then repeat once with the new token. This service accepts every refresh, but many others replace the refresh token each time. There, the second refresh with the old one ends the session of your user.',
	sections: ['3.1', '5.4', 'RFC 6749 §6', 'RFC 9700 §4.14'],
	help: {
		hint: 'Use offline access, because an online sign-in has no refresh token. Revoke the access token again before each load.',
		call: 'for i in $(seq 20); do {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" & done; wait'
	},
	ownClient: {
		steps: [
			'Sign in with `access_type=offline`, and revoke the access token under Tokens.',
			'Send at least four requests at once. Refresh for each of them, and repeat it.',
			'Revoke the token again. Send the requests at once, refresh once, and repeat each of them.'
		],
		code: `let refreshing;
async function get(url) {
	const send = () => fetch(url, { headers: { authorization: \`OAuth \${tokens.access_token}\` } });
	const response = await send();
	if (response.status !== 401) return response;
	refreshing ??= refresh().finally(() => (refreshing = undefined));
	await refreshing;
	return send();
}
await Promise.all(Array.from({ length: 20 }, () => get('{base_url}/ws/v2.0/character/Mara%20Vell')));`
	},
	notes: {
		discuss: 7,
		watch:
			'Expired and revoked are different: the viewer knows when a token expires, and refreshes it in time. Revoke the token, so that the requests fail.',
		mistakes: [
			{
				belief: 'Twenty refreshes do no harm.',
				reply:
					'Each one can fail alone, and the token endpoint gets twenty requests instead of one. With rotation, the second one signs the user out.'
			},
			{
				belief: 'A refresh token works once, like a code.',
				reply: 'Not here. Ask which services do that, and what a client then has to store.'
			}
		],
		questions: [
			{
				question: 'How do several servers share one refresh?',
				listenFor: 'A lock or a single owner of the token. One process is the easy case.'
			},
			{
				question: 'A request gets 401 right after the refresh. What now?',
				listenFor: 'Stop. A second refresh cannot help. Show the error, and ask for a sign-in.'
			}
		]
	}
};
