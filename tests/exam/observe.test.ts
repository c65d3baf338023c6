import { expect, it } from 'vitest';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { earlierRequest, whyNoCall, whyNoSignIn } from '#exam/observe.ts';
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
