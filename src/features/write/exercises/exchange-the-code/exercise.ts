import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, exchangedCode, failedAt, issued, parameter, passed } from '#evidence/exchanges.ts';
import type { Evidence, Exercise } from '../../exercise.ts';
import { sentBy } from '../../model/judge.ts';
import solution from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const tokenRequests = ({ entries }: Evidence): readonly TrafficEntry[] =>
	entries.filter(({ endpoint, request }) => endpoint === 'token' && request.method !== 'OPTIONS');

/** The first token request. Later ones send a code that was used. */
const firstRequest = (evidence: Evidence): TrafficEntry | undefined => tokenRequests(evidence)[0];

const json = `  const response = await fetch(config.tokenUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      code, redirect_uri: config.redirectUri,
      client_id: config.id, client_secret: config.secret,
      code_verifier: verifier
    })
  });`;

/** The solution with the request replaced. */
const withRequest = (request: string) =>
	solution.replace(/ {2}const response = await fetch\(config\.tokenUrl[^]*?\n {2}\}\);/, () => request);

export const exercise: Exercise = {
	text: 'The user allowed access, and `callback` holds a code. Write `exchange()`: send the code to `config.tokenUrl` and return the tokens.',
	start,
	solution,
	writesAt: /^async function exchange/,
	use: async ({ call }) => {
		await call('signIn');
	},
	conditions: [
		{
			id: 'body_is_form',
			title: 'The token request is a form',
			judge: (evidence) => {
				const entry = firstRequest(evidence);
				if (entry === undefined) return 'open';
				if (passed(entry, 'token.form_is_valid')) return 'met';
				const { cause } = checkOf(entry, 'token.form_is_valid') ?? {};
				if (cause !== 'wrong_content_type')
					return {
						title: 'another request',
						text: 'The token endpoint expects a POST with a form in its body. It stopped before it read a field.',
						...sentBy(entry, evidence)
					};
				const isJson = entry.request.body.trimStart().startsWith('{');
				const lines = evidence.linesWith(/application\/json|JSON\.stringify/);
				return {
					title: isJson ? 'a JSON body' : 'a body of another kind',
					text: 'The values are there. The token endpoint reads forms only, so it found none of them.',
					...sentBy(entry, evidence),
					...(lines.length > 0 ? { lines } : {})
				};
			}
		},
		{
			id: 'redirect_uri_matches',
			title: 'It repeats the redirect URI',
			needs: 'body_is_form',
			judge: (evidence) => {
				const entry = firstRequest(evidence);
				if (entry === undefined) return 'open';
				if (passed(entry, 'token.redirect_uri_matches')) return 'met';
				if (!failedAt(entry, 'token.redirect_uri_matches')) return 'open';
				const isMissing = parameter(entry, 'redirect_uri') === undefined;
				return {
					title: isMissing ? 'no redirect URI' : 'another redirect URI',
					text: isMissing
						? 'The code was issued for a redirect URI. The service compares the two, and found none here.'
						: 'The code was issued for another redirect URI. The service compares the two character by character.',
					...sentBy(entry, evidence)
				};
			}
		},
		{
			id: 'verifier_matches',
			title: 'The code verifier matches',
			needs: 'redirect_uri_matches',
			judge: (evidence) => {
				const entry = firstRequest(evidence);
				if (entry === undefined) return 'open';
				if (passed(entry, 'token.code_verifier_matches')) return 'met';
				if (!failedAt(entry, 'token.code_verifier_matches')) return 'open';
				const isMissing = parameter(entry, 'code_verifier') === undefined;
				return {
					title: isMissing ? 'no code verifier' : 'another code verifier',
					text: isMissing
						? 'The authorization request had a code challenge. Without its verifier, the request could come from a client that stole the code.'
						: 'The digest of this verifier is not the code challenge of the authorization request.',
					...sentBy(entry, evidence)
				};
			}
		},
		{
			id: 'code_sent_once',
			title: 'The code is sent once',
			judge: (evidence) => {
				const requests = tokenRequests(evidence);
				const [first, second] = requests;
				if (first === undefined) return 'open';
				if (second === undefined) return evidence.isFinished ? 'met' : 'open';
				return {
					title: 'a second request',
					text: 'The code was sent again. A code works once, and a second use ends the tokens of the first.',
					...sentBy(second, evidence)
				};
			}
		},
		{
			id: 'token_issued',
			title: 'An access token is issued',
			needs: 'body_is_form',
			judge: (evidence) => {
				if (evidence.entries.some(exchangedCode)) return 'met';
				const entry = firstRequest(evidence);
				if (entry === undefined || issued(entry, 'access_token') !== undefined || !evidence.isFinished) return 'open';
				return {
					title: 'no token',
					text: 'The service rejected the token request.',
					...sentBy(entry, evidence)
				};
			}
		},
		{
			id: 'tokens_returned',
			title: '`signIn()` returns the tokens',
			needs: 'token_issued',
			judge: ({ calls, entries }) => {
				const [call] = calls;
				if (call?.returned === undefined || !entries.some(exchangedCode)) return 'open';
				const { value, text } = call.returned;
				if (typeof value === 'object' && value !== null && 'access_token' in value) return 'met';
				return { title: 'no tokens returned', text: `The service issued a token, and signIn() returned ${text}.` };
			}
		}
	],
	rules: [],
	nearMisses: [
		{ name: 'a JSON body', program: withRequest(json), condition: 'body_is_form' },
		{
			name: 'no redirect URI',
			program: solution.replace(
				/ {6}redirect_uri: config\.redirectUri,\n(?= {6}client_id: config\.id,\n {6}client_secret)/,
				''
			),
			condition: 'redirect_uri_matches'
		},
		{
			name: 'the challenge in place of the verifier',
			program: solution.replace('code_verifier: verifier', 'code_verifier: random()'),
			condition: 'verifier_matches'
		},
		{
			name: 'a second try with the same code',
			program: solution.replace(
				'return exchange(code, verifier);',
				'await exchange(code, verifier);\n  return exchange(code, verifier);'
			),
			condition: 'code_sent_once'
		},
		{
			name: 'the response in place of the tokens',
			program: solution.replace('return response.json();', 'return response.status;'),
			condition: 'tokens_returned'
		}
	],
	hints: [
		'A token request is a form, as a browser would send it: names and values, with `&` between them.',
		'`fetch` sends a form if `body` is a `URLSearchParams`. It sets the content type itself.',
		'The fields are `grant_type`, `code`, `redirect_uri`, `client_id`, `client_secret` and `code_verifier`.'
	]
};
