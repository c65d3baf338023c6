import { base64url } from '../recordings/recording.ts';
import { type MadeEntry } from '../make-har.ts';
import {
	allowed,
	asked,
	authorize,
	begin,
	callback,
	cookie,
	exchange,
	fromPage,
	query,
	redirect_uri,
	secretCode,
	setCookie,
	signedIn,
	signInPage,
	state,
	type Form
} from './form.ts';

const shell = '<!doctype html><div id="root"></div><script src="/main.js"></script>';
const posted = (more: Partial<MadeEntry> = {}): MadeEntry => ({
	at: 10,
	url: redirect_uri,
	form: { code: secretCode, state },
	headers: { origin: 'https://id.meridian.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
	...more
});
const formPost = authorize({
	status: 200,
	location: '',
	html: `<form method="post" action="${redirect_uri}"><input type="hidden" name="code" value="${secretCode}"><input type="hidden" name="state" value="${state}"></form>`
});
const tokenOfPage = (more: Partial<MadeEntry> = {}) => exchange({ headers: fromPage, ...more });
/** Mistakes of clients, and sign-ins that work, in the forms of recorders. */
export const callbackForms: readonly Form[] = [
	{
		name: 'the CSRF check of SvelteKit rejects the form of Apple',
		recorder: 'Firefox',
		entries: [
			begin(),
			formPost,
			posted({
				headers: { ...cookie, origin: 'https://id.meridian.example' },
				status: 403,
				body: 'Cross-site POST form submissions are forbidden',
				responseHeaders: { 'content-type': 'text/plain' }
			})
		],
		first: 'cause.csrf',
		says: /Cross-site POST form submissions are forbidden/
	},
	{
		name: 'a provider that returns an error without the state',
		recorder: 'mitmproxy',
		entries: [
			begin(),
			authorize({ location: `${redirect_uri}?error=access_denied` }),
			callback({ url: `${redirect_uri}?error=access_denied` })
		],
		first: 'cause.denied'
	},
	{
		name: 'Authlib does not know the state',
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize(),
			callback({
				status: 400,
				location: '',
				body: { detail: 'mismatching_state: CSRF Warning! State not equal in request and response.' }
			})
		],
		first: 'cause.state_unknown',
		says: /mismatching_state/
	},
	{
		name: 'NextAuth redirects to its error page',
		recorder: 'Chrome with sensitive data',
		entries: [begin(), authorize(), callback({ location: '/api/auth/error?error=OAuthCallback' })],
		first: 'cause.callback_rejected',
		says: /OAuthCallback/
	},
	{
		name: 'better-auth, the same callback twice',
		recorder: 'Chrome with sensitive data',
		entries: [
			begin(),
			authorize(),
			callback({ responseHeaders: setCookie }),
			callback({ at: 10.3, location: '/api/auth/error?error=state_mismatch' })
		],
		first: 'cause.callback_twice',
		says: /state_mismatch/
	},
	{
		name: 'a form posts the callback, as Chrome saves it by default',
		recorder: 'Chrome',
		entries: [begin(), formPost, posted({ status: 500, html: '<h1>Error</h1>' })],
		first: 'cause.cookie',
		says: /SameSite=None/,
		never: /has no Cookie header, so/
	},
	{
		name: 'a form posts the callback, in a private window of Firefox',
		recorder: 'Firefox',
		entries: [begin(), { ...formPost, headers: {} }, posted({ status: 500, html: '<h1>Error</h1>' })],
		first: 'cause.cookie',
		says: /no Cookie header/,
		never: /left out cookies|leaves them out/
	},
	{
		name: 'a sign-in that works, of a server with a browser',
		recorder: 'Firefox',
		entries: [begin(), signInPage(), signedIn(), callback({ responseHeaders: setCookie })],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'a sign-in that works, of a page',
		recorder: 'Safari',
		entries: [
			signInPage(),
			signedIn(),
			callback({ status: 200, location: '', html: shell }),
			tokenOfPage({ responseHeaders: allowed })
		],
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'a sign-in page, and nothing after it',
		recorder: 'Chrome',
		entries: [begin(), signInPage()],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'a page gets the code, and nothing after it',
		recorder: 'Chrome',
		entries: [signInPage(), authorize({ at: 9 }), callback({ status: 200, location: '', html: shell })],
		first: undefined,
		outcome: 'not_shown'
	},
	{
		name: 'MSAL, whose state is JSON',
		recorder: 'Firefox',
		entries: (() => {
			const own = base64url({ id: '0192b3c4-5d6e-7f80-8a9b-0c1d2e3f4a5b', meta: { interactionType: 'redirect' } });
			return [
				authorize(
					{ location: `${redirect_uri}#${query({ code: secretCode, state: own })}` },
					`https://id.meridian.example/oauth2/authorize?${asked({ state: own })}`
				),
				{ at: 10, url: `${redirect_uri}#${query({ code: secretCode, state: own })}`, html: shell },
				tokenOfPage({ responseHeaders: allowed })
			];
		})(),
		first: undefined,
		outcome: 'shown'
	},
	{
		name: 'an application without state or session, where one host is 127.0.0.1',
		recorder: 'Firefox',
		entries: [
			{ ...begin(), url: 'http://127.0.0.1:5000/login' },
			authorize(
				{ location: `http://localhost:5000/callback?${query({ code: secretCode, state })}` },
				`https://id.meridian.example/oauth2/authorize?${asked({ redirect_uri: 'http://localhost:5000/callback' })}`
			),
			callback({
				url: `http://localhost:5000/callback?${query({ code: secretCode, state })}`,
				headers: {},
				status: 400,
				location: '',
				body: { detail: 'mismatching_state: CSRF Warning! State not equal in request and response.' }
			})
		],
		first: 'cause.other_host'
	},
	...(
		[
			['Django', 403, '<h1>Forbidden <span>(403)</span></h1><p>CSRF verification failed. Request aborted.</p>'],
			['Rails', 422, "<h1>Can't verify CSRF token authenticity.</h1>"],
			['Laravel', 419, '<p>CSRF token mismatch.</p>']
		] as const
	).map(([framework, status, html]): Form => ({
		name: `${framework} rejects a posted callback, in an HTML page`,
		recorder: 'Firefox',
		entries: [
			begin(),
			authorize(),
			callback({ url: redirect_uri, form: { code: secretCode, state }, status, location: '', html })
		],
		first: 'cause.csrf'
	}))
];
