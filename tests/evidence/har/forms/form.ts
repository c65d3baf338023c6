import type { MadeEntry } from '../make-har.ts';
import type { Recorder } from '../recorders.ts';
import { challengeOf } from '../recordings/recording.ts';

/** A file of a real form, and what must be said first. All values are invented. */
export type Form = {
	readonly name: string;
	readonly recorder: Recorder;
	readonly entries: readonly MadeEntry[];
	/** The id of the first failed finding. Undefined: nothing failed. */
	readonly first: string | undefined;
	/** What its text, cause and fix have, together. */
	readonly says?: RegExp;
	/** What the whole report must not have. */
	readonly never?: RegExp;
	/** Ids that must have failed, too. */
	readonly also?: readonly string[];
	/** Whether the file shows that the sign-in worked. Where something failed, it is left out. */
	readonly outcome?: 'shown' | 'not_shown';
};

export const query = (record: Record<string, string>) => new URLSearchParams(record).toString();
export const secretCode = 'canaryC0de4fG7xkR0mZ8tYw5bQ2';
export const state = 'canaryState8sK2mNq3VGJ1x';
export const verifier = 'canary-verifier-dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1g';
export const challenge = challengeOf(verifier);
export const token = 'canaryT0ken2YotnFZFEjr1zCsicMWpAA';
export const redirect_uri = 'https://app.fabrikam.example/callback';

/** The parameters of an authorization request. A text replaces one, and undefined removes it. */
export function asked(more: Record<string, string | undefined> = {}): string {
	const all: Record<string, string | undefined> = {
		response_type: 'code',
		client_id: 'shop-client',
		redirect_uri,
		scope: 'openid',
		state,
		code_challenge: challenge,
		code_challenge_method: 'S256',
		...more
	};
	return query(defined(all));
}

const defined = (record: Record<string, string | undefined>): Record<string, string> =>
	Object.fromEntries(Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

const authorizeUrl = 'https://id.meridian.example/oauth2/authorize';
export const cookie = { cookie: 'sid=canaryValue81' };
export const setCookie = { 'set-cookie': 'sid=canaryValue81; Path=/; Secure; HttpOnly; SameSite=Lax' };

export const begin = (to = `${authorizeUrl}?${asked()}`): MadeEntry => ({
	at: 0,
	url: 'https://app.fabrikam.example/login',
	status: 302,
	location: to,
	responseHeaders: setCookie
});
/** The authorization request. With a response in its redirect, unless `more` has another. */
export const authorize = (more: Partial<MadeEntry> = {}, url = `${authorizeUrl}?${asked()}`): MadeEntry => ({
	at: 0.4,
	url,
	status: 302,
	location: `${redirect_uri}?${query({ code: secretCode, state })}`,
	headers: { cookie: 'provider=canaryValue82' },
	...more
});
export const signInPage = (url = `${authorizeUrl}?${asked()}`): MadeEntry =>
	authorize(
		{
			status: 200,
			location: '',
			html: '<title>Sign in</title><form method="post"><input name="username"><input type="password" name="password"></form>'
		},
		url
	);
export const signedIn = (location = `${redirect_uri}?${query({ code: secretCode, state })}`): MadeEntry => ({
	at: 9,
	url: 'https://id.meridian.example/login',
	form: { username: 'canary', password: 'canary horse' },
	status: 302,
	location,
	headers: { cookie: 'provider=canaryValue82' }
});
export const callback = (more: Partial<MadeEntry> = {}): MadeEntry => ({
	at: 10,
	url: `${redirect_uri}?${query({ code: secretCode, state })}`,
	status: 302,
	location: '/',
	headers: cookie,
	...more
});
/** A token request of a server. @param form other parameters. Undefined removes one */
export const exchange = (more: Partial<MadeEntry> = {}, form: Record<string, string | undefined> = {}): MadeEntry => ({
	at: 10.5,
	url: 'https://id.meridian.example/oauth2/token',
	form: defined({
		grant_type: 'authorization_code',
		client_id: 'shop-client',
		code: secretCode,
		redirect_uri,
		code_verifier: verifier,
		...form
	}),
	headers: { 'user-agent': 'node' },
	body: { access_token: token, token_type: 'Bearer', expires_in: 3600 },
	...more
});
export const rejected = (
	status: number,
	body: object | string,
	more: Partial<MadeEntry> = {},
	form: Record<string, string | undefined> = {}
): MadeEntry => exchange({ status, body, ...more }, form);
/** How a page of the application sends a request to another site. */
export const fromPage = {
	origin: 'https://app.fabrikam.example',
	'sec-fetch-mode': 'cors',
	'sec-fetch-site': 'cross-site',
	'sec-fetch-dest': 'empty'
};
export const allowed = { 'access-control-allow-origin': 'https://app.fabrikam.example' };
