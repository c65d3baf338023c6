import {
	authorize,
	begin,
	callback,
	cookie,
	query,
	redirect_uri,
	secretCode,
	setCookie,
	signInPage,
	state,
	type Form
} from './form.ts';

const response = query({ code: secretCode, state });
const shell = '<!doctype html><div id="root"></div><script src="/main.js"></script>';
const byScript = { ...cookie, 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };
const callbackPage = callback({ status: 200, location: '', html: shell });
const api = (body: object) => ({
	at: 10.4,
	url: `https://app.fabrikam.example/api/session?${response}`,
	headers: byScript,
	body
});

/** Sign-ins that work, or whose end is not in the file, and what looks like a failure and is none. */
export const outcomeForms: readonly Form[] = [
	{
		name: 'a page sends the code to its own server in a URL',
		recorder: 'Chrome',
		entries: [signInPage(), authorize({ at: 9 }), callbackPage, api({ user: 'canary' })],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'the server of a page says with status 200 that it failed',
		recorder: 'Firefox',
		entries: [signInPage(), authorize({ at: 9 }), callbackPage, api({ ok: false, message: 'canary' })],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'a script loads parts of the callback page from its address',
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize(),
			callback({ status: 200, location: '', html: shell, responseHeaders: setCookie }),
			{ at: 10.4, url: `${redirect_uri}?${response}&_rsc=1x2y`, headers: byScript, body: 'canary', status: 200 }
		],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'a callback page that deletes a cookie',
		recorder: 'Firefox',
		entries: [begin(), authorize(), { ...callbackPage, responseHeaders: { 'set-cookie': 'sid=; Path=/; Max-Age=0' } }],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'an application whose first page is /login/success',
		recorder: 'Safari',
		entries: [signInPage(), callback({ location: '/login/success' })],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'a sign-in that is left open after one that worked',
		recorder: 'Playwright',
		entries: [
			begin(),
			authorize(),
			callback(),
			{
				...signInPage(
					`https://id.meridian.example/oauth2/authorize?response_type=code&client_id=shop-client&state=canaryLater123456&scope=more`
				),
				at: 60
			}
		],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'a wrong password before the right one',
		recorder: 'mitmproxy',
		entries: [
			begin(),
			signInPage(),
			{
				at: 5,
				url: 'https://id.meridian.example/login',
				form: { username: 'canary' },
				status: 401,
				html: '<p>Invalid client or password</p>'
			},
			authorize({ at: 9 }),
			callback()
		],
		first: undefined,
		outcome: 'shown'
	}
];
