import { expect, it } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { earlierRequest, hasSignIn, whyNoCall, whyNoSignIn } from '#exam/observe.ts';
import { failedAt, timelineEntry } from '../features/inspector/timeline-entry.ts';

const asked = timelineEntry(1, { endpoint: 'auth' });
const code: TrafficEntry['credentials'][number] = { type: 'issued', kind: 'code', id: 'c', grant: 'g', scopes: [] };
const exchange = timelineEntry(3, {
	endpoint: 'token',
	trace: failedAt('token.secret'),
	request: { method: 'POST', target: '/ws/oauth2/token/', headers: [], body: 'grant_type=authorization_code' }
});

it('says how far a sign-in came that did not work', () => {
	expect(whyNoSignIn([])).toContain('no authorization request');
	expect(whyNoSignIn([asked])).toContain('led to no code.');
	const issued = timelineEntry(2, { endpoint: 'auth', credentials: [code] });
	expect(whyNoSignIn([asked, issued])).toContain('sent no token request');
	expect(whyNoSignIn([asked, issued, exchange])).toContain(
		'rejected the code exchange: check token.secret, “token.secret”, failed.'
	);
});

it('names the check of a token request that is no form', () => {
	const issued = timelineEntry(2, { endpoint: 'auth', credentials: [code] });
	const json = { ...exchange, request: { ...exchange.request, body: '{}' }, trace: failedAt('token.form_is_valid') };
	expect(whyNoSignIn([asked, issued, json])).toContain('check token.form_is_valid');
});

it('counts the tokens of a device as a sign-in, and its rejected poll as no code exchange', () => {
	const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
	const request = { ...exchange.request, body: new URLSearchParams({ grant_type, device_code: 'd' }).toString() };
	const poll = timelineEntry(3, { endpoint: 'token', request, trace: failedAt('token.device_user_decided') });
	const token: TrafficEntry['credentials'][number] = { ...code, kind: 'access_token' };
	const got = timelineEntry(4, { endpoint: 'token', request, credentials: [token] });
	expect(hasSignIn([poll, got], 0)).toBe(true);
	expect(hasSignIn([poll, got], 4)).toBe(false);
	expect(hasSignIn([poll], 0)).toBe(false);
	expect(whyNoSignIn([poll])).toContain('rejected the token request: check token.device_user_decided');
});

it.each([
	['http://127.0.0.1:51234/callback', '--callback http://127.0.0.1/callback, with any port.'],
	['http://[::1]:99/cb?a=b', '--callback http://[::1]/cb?a=b, with any port.'],
	['http://localhost/cb', '--callback http://localhost/cb.'],
	['https://client.test:8080/cb', '--callback https://client.test:8080/cb.']
])('says how to register %s', (redirect_uri, option) => {
	const target = `/ws/oauth2/auth/?${new URLSearchParams({ redirect_uri }).toString()}`;
	const request = { method: 'GET', target, headers: [], body: '' };
	const trace = failedAt('auth.redirect_uri_registered');
	expect(whyNoSignIn([timelineEntry(1, { endpoint: 'auth', request, trace })])).toContain(` Register it: ${option}`);
	expect(whyNoSignIn([timelineEntry(1, { endpoint: 'auth', request })])).not.toContain('Register it');
});

it('says that the exam registers no key', () => {
	const body = 'grant_type=authorization_code&client_assertion=a';
	const signed = { ...exchange, request: { ...exchange.request, body } };
	expect(whyNoSignIn([asked, signed])).toMatch(/failed\. The application of an exam has no registered keys\. Let/);
});

it('says why no call worked', () => {
	const call = (status: number) =>
		timelineEntry(4, {
			endpoint: 'character',
			trace: status < 400 ? [] : failedAt('access_token.sent_once'),
			response: { status, headers: [], body: '' }
		});
	expect(whyNoCall([asked], undefined)).toBeUndefined();
	expect(whyNoCall([asked], 404)).toContain(
		'sent no request for a resource. The page that uses it responded with status 404.'
	);
	expect(whyNoCall([asked], 200)).toContain('for a resource. Check the URL or command');
	expect(whyNoCall([call(401), call(200)], 200)).toBeUndefined();
	expect(whyNoCall([call(401)], 200)).toBe(
		'The client signs in, but none of its calls worked: check access_token.sent_once, “access_token.sent_once”, failed.'
	);
});

it('gives an attacker the parameters of the first sign-in, whose state it does not need', () => {
	const request = (seq: number, query: Record<string, string>) =>
		timelineEntry(seq, {
			endpoint: 'auth',
			request: {
				method: 'GET',
				target: `/ws/oauth2/auth/?${new URLSearchParams({ client_id: 'client', ...query }).toString()}`,
				headers: [],
				body: ''
			}
		});
	const pushed = timelineEntry(1, {
		endpoint: 'par',
		request: {
			method: 'POST',
			target: '/ws/oauth2/par',
			headers: [],
			body: 'client_id=client&code_challenge=p&resource=a&resource=b&client_secret=secret&redirect_uri=http%3A%2F%2Fa'
		},
		response: { status: 201, headers: [], body: '' }
	});
	const first = request(1, {
		redirect_uri: 'http://localhost:1/',
		nonce: 'first',
		code_challenge: 'c',
		prompt: 'login'
	});
	const last = request(2, { redirect_uri: 'http://localhost:2/', nonce: 'second', state: 's' });
	const known = (one: TrafficEntry) => earlierRequest([one, last], 'client')?.toString();
	expect(known(first)).toBe('client_id=client&redirect_uri=http%3A%2F%2Flocalhost%3A2%2F&nonce=first&code_challenge=c');
	expect(known(pushed)).toBe(
		'client_id=client&code_challenge=p&resource=a&resource=b&redirect_uri=http%3A%2F%2Flocalhost%3A2%2F'
	);
	expect(earlierRequest([first], 'other')).toBeUndefined();
});
