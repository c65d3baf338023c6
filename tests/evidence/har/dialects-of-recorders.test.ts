import { expect, test } from 'vitest';
import { rateLimitIn } from '#evidence/har/findings/rate-limits.ts';
import { readHar } from '#evidence/har/read-har.ts';

const token = {
	url: 'https://auth.example/token',
	form: [
		{ name: 'grant_type', value: 'refresh_token' },
		{ name: 'refresh_token', value: 'tGzv3JOkF0XG5Qx2TlKWIA' },
		{ name: 'scope', value: 'a%20b' }
	],
	body: JSON.stringify({ access_token: '2YotnFZFEjr1zCsicMWpAA', token_type: 'Bearer', expires_in: 60 })
};

function read(log: object, prefix = '') {
	const reading = readHar(prefix + JSON.stringify({ log }));
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

test('Charles has the parameters of a form in place of its text', () => {
	const entry = {
		startedDateTime: '2026-11-24T10:12:04.120+01:00',
		time: 12,
		request: {
			method: 'POST',
			url: token.url,
			headers: [],
			postData: { mimeType: 'application/x-www-form-urlencoded', params: token.form }
		},
		response: {
			_charlesStatus: 'COMPLETE',
			status: 200,
			headers: [],
			content: { mimeType: 'application/json', text: Buffer.from(token.body).toString('base64'), encoding: 'base64' }
		}
	};
	const { exchanges, recorder, startedAt } = read({
		creator: { name: 'Charles Proxy', version: '5' },
		entries: [entry]
	});
	expect(recorder).toBe('Charles Proxy');
	expect(startedAt).toBe(Date.UTC(2026, 10, 24, 9, 12, 4, 120));
	expect(exchanges[0]).toMatchObject({ role: 'token', outcome: 'access_token' });
	expect(exchanges[0]?.entry.request.body).toBe('grant_type=refresh_token&refresh_token=[refresh token 1]&scope=a%20b');
});

test('Fiddler writes seven digits of a second, and a byte order mark', () => {
	const entry = {
		startedDateTime: '2026-11-24T09:12:04.1234567+00:00',
		time: 5,
		request: {
			method: 'POST',
			url: token.url,
			headers: [],
			postData: { text: 'grant_type=client_credentials', mimeType: 'application/x-www-form-urlencoded' }
		},
		response: { status: 200, headers: [], content: { text: token.body, mimeType: 'application/json; charset=utf-8' } }
	};
	expect(read({ creator: { name: 'Fiddler' }, entries: [entry] }, '\ufeff').startedAt).toBe(
		Date.UTC(2026, 10, 24, 9, 12, 4, 123)
	);
});

test('HTTP/2 has pseudo headers, other recorders an object of headers, and numbers as texts', () => {
	const entry = {
		startedDateTime: '2026-11-24T09:12:04Z',
		time: '5',
		request: {
			method: 'get',
			url: 'https://api.example/me',
			headers: { ':authority': 'api.example', Authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' }
		},
		response: { status: '200', headers: [{ name: ':status', value: '200' }], content: {} }
	};
	const [exchange] = read({ creator: { name: 'Firefox' }, browser: { name: 'Firefox' }, entries: [entry] }).exchanges;
	expect(exchange).toMatchObject({ role: 'resource', outcome: 'Status 200' });
	expect(exchange?.entry.request).toMatchObject({
		method: 'GET',
		headers: [['Authorization', 'Bearer [access token 1]']]
	});
});

const now = Date.UTC(2026, 10, 24, 9, 0, 0);
test.each([
	[
		{ 'X-RateLimit-Limit': '60', 'X-RateLimit-Remaining': '1', 'X-RateLimit-Reset': '30' },
		{ limit: 60, remaining: 1, resetAt: now + 30_000 }
	],
	[
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 9) },
		{ remaining: 0, resetAt: now + 9000 }
	],
	[
		{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now + 9000) },
		{ remaining: 0, resetAt: now + 9000 }
	],
	[
		{ 'RateLimit-Limit': '100, 100;w=60', 'RateLimit-Remaining': '50', 'RateLimit-Reset': '10' },
		{ limit: 100, remaining: 50, resetAt: now + 10_000 }
	],
	[
		{ RateLimit: '"default";r=8;t=20', 'RateLimit-Policy': '"default";q=40;w=60' },
		{ name: 'default', limit: 40, remaining: 8, resetAt: now + 20_000 }
	],
	[{ RateLimit: 'limit=100, remaining=50, reset=5' }, { limit: 100, remaining: 50, resetAt: now + 5000 }],
	[{ 'X-Shopify-Shop-Api-Call-Limit': '32/40' }, { limit: 40, remaining: 8 }],
	[{ 'Retry-After': '30' }, { retryAfter: 30, resetAt: now + 30_000 }],
	[{ 'Retry-After': new Date(now + 60_000).toUTCString() }, { retryAfter: 60 }]
])('reads the rate limit of %j', (headers: Record<string, string>, expected) => {
	expect(rateLimitIn({ at: now, response: { status: 200, headers: Object.entries(headers), body: '' } })).toMatchObject(
		expected
	);
});

test('says nothing of a response without a limit', () => {
	expect(
		rateLimitIn({ at: now, response: { status: 200, headers: [['retry-after', 'soon']], body: '' } })
	).toBeUndefined();
	expect(rateLimitIn({ at: now, response: null })).toBeUndefined();
});
