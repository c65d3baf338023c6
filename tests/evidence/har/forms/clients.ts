import { challengeOf, jwt, seconds } from '../recordings/recording.ts';
import { start, type MadeEntry } from '../make-har.ts';
import {
	allowed,
	asked,
	authorize,
	callback,
	exchange,
	fromPage,
	rejected,
	secretCode,
	signInPage,
	state,
	token,
	type Form
} from './form.ts';

const shell = '<!doctype html><div id="root"></div><script src="/main.js"></script>';
const dated = (entry: MadeEntry, ahead: number): MadeEntry => ({
	...entry,
	responseHeaders: { date: new Date(start + (entry.at + ahead) * 1000).toUTCString(), ...entry.responseHeaders }
});
const toOwnServer = (at: number, status: number, body: object): MadeEntry => ({
	at,
	url: 'https://app.fabrikam.example/api/oauth/github',
	json: { code: secretCode, state },
	headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
	status,
	body
});
const tokenOfPage = (more: Partial<MadeEntry> = {}) => exchange({ headers: fromPage, ...more });
const otherChallenge = challengeOf('of another sign-in');
const other = (name: string) => `canaryOther${name}9xQ2mN7sL4`;

/** Mistakes of clients, and sign-ins that work, in the forms of recorders. */
export const clientForms: readonly Form[] = [
	{
		name: 'a page posts the code to its own server twice',
		recorder: 'Chrome',
		entries: [
			signInPage(),
			authorize({ at: 9 }),
			callback({ status: 200, location: '', html: shell }),
			toOwnServer(10.4, 200, { user: { name: 'Canary' } }),
			toOwnServer(10.5, 400, { error: 'bad_verification_code' })
		],
		first: 'cause.code_used',
		says: /app\.fabrikam\.example/
	},
	{
		name: 'the server redeems a code twice, seen by a proxy',
		recorder: 'mitmproxy',
		entries: [
			authorize(),
			callback(),
			exchange(),
			rejected(200, { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' })
		],
		first: 'cause.code_used'
	},
	{
		name: 'CORS in Firefox, which records the response',
		recorder: 'Firefox',
		entries: [authorize(), callback({ status: 200, location: '', html: shell }), tokenOfPage()],
		first: 'cause.cors',
		says: /Access-Control-Allow-Origin/
	},
	{
		name: 'CORS in Playwright',
		recorder: 'Playwright',
		entries: [authorize(), callback({ status: 200, location: '', html: shell }), tokenOfPage({ status: 0, body: '' })],
		first: 'cause.cors'
	},
	{
		name: 'CORS seen by a proxy',
		recorder: 'Charles',
		entries: [
			authorize(),
			callback({ status: 200, location: '', html: shell }),
			tokenOfPage({ responseHeaders: { 'access-control-allow-origin': 'https://other.fabrikam.example' } })
		],
		first: 'cause.cors'
	},
	{
		name: 'no refresh token at Google, and an expired token',
		recorder: 'Charles',
		entries: [
			authorize(),
			callback(),
			exchange({ body: { access_token: token, token_type: 'Bearer', expires_in: 60 } }),
			{
				at: 100,
				url: 'https://api.meridian.example/calendar',
				headers: { authorization: `Bearer ${token}`, 'user-agent': 'node' },
				status: 401,
				body: { error: { code: 401, message: 'Invalid Credentials' } }
			}
		],
		first: 'cause.no_refresh_token',
		says: /access_type=offline/,
		never: /Renew the token 10 s/
	},
	{
		name: 'silent renewal without a session, by a message to the page',
		recorder: 'Chrome with sensitive data',
		entries: [
			authorize(),
			callback({ status: 200, location: '', html: shell }),
			tokenOfPage({ responseHeaders: allowed }),
			{
				...authorize(
					{
						at: 3000,
						status: 200,
						location: '',
						html: `<script>window.parent.postMessage({"type":"authorization_response","response":{"error":"login_required","error_description":"The client specified not to prompt, but the user is not logged in.","state":"${other('State')}"}}, "https://app.fabrikam.example")</script>`
					},
					`https://id.meridian.example/oauth2/authorize?${asked({ state: other('State'), code_challenge: otherChallenge, prompt: 'none', response_mode: 'web_message' })}`
				)
			}
		],
		first: 'cause.session',
		says: /login_required/,
		never: /The application never learns it|a sign-in that ends/
	},
	{
		name: 'the clock of the browser is 600 s behind',
		recorder: 'Chrome with sensitive data',
		entries: [
			dated(authorize(), 600),
			dated(callback({ status: 200, location: '', html: shell }), 600),
			dated(
				tokenOfPage({
					responseHeaders: allowed,
					body: {
						access_token: token,
						token_type: 'Bearer',
						expires_in: 3600,
						id_token: jwt({
							iss: 'https://id.meridian.example',
							aud: 'shop-client',
							iat: seconds + 610,
							exp: seconds + 4210
						})
					}
				}),
				600
			),
			dated(
				authorize(
					{ at: 11, status: 200, location: '', html: '<form><input type="password"></form>' },
					`https://id.meridian.example/oauth2/authorize?${asked({ state: other('State'), code_challenge: otherChallenge })}`
				),
				600
			)
		],
		first: 'cause.clock',
		says: /600 s behind/
	},
	{
		name: 'two sign-ins with one nonce, the first was left open',
		recorder: 'Playwright',
		entries: [
			signInPage(
				`https://id.meridian.example/oauth2/authorize?${asked({ state: other('State'), nonce: 'canaryFixedNonce1234' })}`
			),
			authorize(
				{ at: 5 },
				`https://id.meridian.example/oauth2/authorize?${asked({ nonce: 'canaryFixedNonce1234', code_challenge: otherChallenge })}`
			),
			callback(),
			exchange({}, { code_verifier: undefined })
		],
		first: 'file.nonce_fresh',
		never: /another state|another sign-in/
	},
	{
		name: 'two sign-ins with one state, the first was left open',
		recorder: 'mitmproxy',
		entries: [
			signInPage(`https://id.meridian.example/oauth2/authorize?${asked({ code_challenge: otherChallenge })}`),
			authorize({ at: 5 }),
			callback(),
			exchange()
		],
		first: 'file.state_fresh',
		never: /PKCE fails/
	},
	{
		name: 'a client that sends undefined as its refresh token',
		recorder: 'mitmproxy',
		entries: [
			rejected(
				400,
				{ error: 'invalid_grant' },
				{},
				{ grant_type: 'refresh_token', refresh_token: 'undefined', code: undefined, code_verifier: undefined }
			)
		],
		first: 'cause.literal_value',
		says: /refresh_token is the word undefined/,
		never: /was used before/
	},
	{
		name: 'a code that came late',
		recorder: 'Fiddler',
		entries: [authorize(), callback(), rejected(400, { error: 'invalid_grant' }, { at: 200 })],
		first: 'cause.code_expired'
	}
];
