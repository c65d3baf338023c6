import { describe, expect, test } from 'vitest';
import type { RateLimitEvent } from '#client/rate-limit/rate-limit-event.ts';
import type { ResourceClientOptions, ResourceRequest } from '#client/rate-limit/resource-client.ts';
import { RetryAt } from '#client/rate-limit/retry-at.ts';
import { xmlToJson } from '#client/xml-to-json.ts';
import { TestCore } from '../oauth/test-core.ts';
import { errorCode, parseXml } from '../test-browser.ts';
import { down } from '../test-service.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const pattern = '/ws/v2.0/character/*';

async function signedIn(options: Partial<ResourceClientOptions> = {}) {
	const core = new TestCore();
	const { service } = core;
	const { id: tokenSetId, access_token } = await core.signIn();
	service.requests.length = 0;
	const delays: number[] = [];
	const events: RateLimitEvent[] = [];
	const resources = core.createResourceClient({
		retryAt: new RetryAt(() => 0),
		sleep: (milliseconds) => {
			delays.push(milliseconds);
			service.time += milliseconds;
			return Promise.resolve();
		},
		parseXml: (text) => {
			const root = parseXml(text);
			return root && xmlToJson(root);
		},
		onEvent: (event) => events.push(event),
		...options
	});
	const get = (request: Partial<ResourceRequest> = {}) => resources.get(path, { tokenSetId, pattern, ...request });
	const setLimit = (character: number) => service.control('PATCH', '/control/settings', { limits: { character } });
	return { core, service, tokenSetId, access_token, resources, get, delays, events, setLimit };
}

describe('the access token', () => {
	test('is sent in the header with the scheme OAuth, or in the query, never in both', async () => {
		const { service, get, access_token } = await signedIn();
		await get();
		await get({ credential: 'query' });
		const [header, query] = service.requests;
		expect(header?.headers.get('authorization')).toBe(`OAuth ${access_token}`);
		expect(header?.url.search).toBe('');
		expect(query?.headers.has('authorization')).toBe(false);
		expect(query?.url.searchParams.get('access_token')).toBe(access_token);
	});

	test('is refreshed after a 401, and the request is sent once more', async () => {
		const { core, service, get, tokenSetId } = await signedIn();
		await core.store.update(tokenSetId, (current) => current && { ...current, expiresAt: null });
		service.time += 4_000_000;
		let sends = 0;
		expect((await get({ onSend: () => (sends += 1) })).status).toBe(200);
		expect([service.count('/token/'), service.count('Vell'), sends]).toEqual([1, 2, 2]);
	});

	test('that is rejected after a refresh ends the token set: no loop', async () => {
		const { core, service, get, tokenSetId } = await signedIn();
		service.intercept = ({ url }) => (url.pathname.endsWith('/token/') ? undefined : new Response('', { status: 401 }));
		expect(await errorCode(get())).toBe('rejected_after_refresh');
		expect([service.count('/token/'), service.count('Vell')]).toEqual([1, 2]);
		expect(await core.store.get(tokenSetId)).toMatchObject({ ended: 'rejected_after_refresh' });
	});
});

describe('the response', () => {
	test('is the same data in JSON and XML', async () => {
		const { get } = await signedIn();
		const [json, xml] = [await get(), await get({ format: 'xml' })];
		expect(json).toMatchObject({
			status: 200,
			format: 'json',
			data: { name: 'Mara Vell' },
			requestId: expect.any(String)
		});
		expect(xml).toMatchObject({ status: 200, format: 'xml', data: { name: 'Mara Vell' } });
	});

	test.each([
		[400, '{"error":"invalid_request"}', {}, 'invalid_request'],
		[400, '', {}, 'invalid_request'],
		[
			400,
			'',
			{ 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' },
			'rate_limit_exceeded'
		],
		[
			400,
			'{"error":"invalid_request"}',
			{ 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' },
			'invalid_request'
		],
		[403, '', {}, 'insufficient_scope'],
		[404, '<error/>', { 'content-type': 'text/xml' }, 'not_found'],
		[429, '', {}, 'too_many_attempts'],
		[500, '', {}, 'server_error'],
		[418, '', {}, 'unexpected_response'],
		[200, 'hello', {}, 'unexpected_response'],
		[302, '', { location: 'https://evil.test' }, 'unexpected_response']
	])('with status %i and body %s is an error with a code', async (status, text, headers, code) => {
		const { service, get } = await signedIn();
		service.intercept = () => new Response(text, { status, headers });
		expect(await errorCode(get())).toBe(code);
		expect(service.requests).toHaveLength(1);
	});

	test('keeps description, status and request id of an error', async () => {
		const { service, get } = await signedIn();
		const body = { error: 'not_found', error_description: 'No\u202e such\ncharacter' };
		service.intercept = () => Response.json(body, { status: 404, headers: { 'x-request-id': 'abc' } });
		await expect(get()).rejects.toMatchObject({ message: 'No such character', status: 404, requestId: 'abc' });
	});

	test('that is missing is not requested again', async () => {
		const { service, get } = await signedIn();
		service.intercept = down;
		expect(await errorCode(get())).toBe('no_response');
		expect(service.requests).toHaveLength(1);
	});

	test('that is canceled is no missing response', async () => {
		const { service, get } = await signedIn();
		const abort = new AbortController();
		service.intercept = () => {
			abort.abort();
			throw new DOMException('aborted', 'AbortError');
		};
		expect(await errorCode(get({ signal: abort.signal }))).toBe('aborted');
	});
});

describe('at the limit', () => {
	test('fails with the reset time, and sends nothing until then', async () => {
		const { service, get, events, setLimit } = await signedIn({ throttle: () => false });
		await setLimit(1);
		await get();
		await expect(get()).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAt: service.time + 3_600_000 });
		const sent = service.requests.length;
		service.time += 3_599_000;
		expect(await errorCode(get())).toBe('rate_limit_exceeded');
		expect(service.requests).toHaveLength(sent);
		expect(events.at(-1)).toMatchObject({ type: 'rate_limit_exceeded' });
		service.time += 1000;
		expect((await get()).status).toBe(200);
	});

	test('waits for the reset if asked to, and sends the request again', async () => {
		const { get, delays, setLimit } = await signedIn({ throttle: () => false });
		await setLimit(1);
		await get();
		expect((await get({ waitForReset: true })).status).toBe(200);
		expect(delays).toEqual([3_600_000]);
	});

	test('ignores the limit if asked to', async () => {
		const { service, get, delays, setLimit } = await signedIn();
		await setLimit(2);
		for (let calls = 0; calls < 4; calls += 1) await errorCode(get({ ignoreLimits: true }));
		expect(service.requests).toHaveLength(4);
		expect(delays).toEqual([]);
	});

	test('uses the clock of the service', async () => {
		const { service, get, setLimit } = await signedIn({ throttle: () => false });
		service.ahead += 600_000;
		await setLimit(1);
		await get();
		await expect(get()).rejects.toMatchObject({ retryAt: service.time + service.ahead + 3_600_000 });
	});

	test('continues early if a response reports remaining calls', async () => {
		const { service, get, setLimit } = await signedIn({ throttle: () => false });
		await setLimit(1);
		await get();
		await errorCode(get());
		await setLimit(3);
		expect((await get({ ignoreLimits: true })).rateLimit?.remaining).toBe(0);
		const sent = service.requests.length;
		expect(await errorCode(get()), 'no request is left').toBe('rate_limit_exceeded');
		expect(service.requests, 'nothing is sent').toHaveLength(sent);
		await setLimit(600);
		await get({ ignoreLimits: true });
		expect(await errorCode(get())).toBe('none');
	});
});

describe('throttling', () => {
	test('delays a request, unless it is turned off', async () => {
		let throttle = true;
		const { get, delays, events, setLimit } = await signedIn({ throttle: () => throttle });
		await setLimit(3);
		await get();
		await get();
		throttle = false;
		await get();
		expect(delays).toEqual([]);
		await setLimit(12);
		throttle = true;
		for (let calls = 0; calls < 5; calls += 1) await get();
		expect(delays).not.toEqual([]);
		expect(events.map(({ type }) => type)).toContain('request_throttled');
	});

	test('is not waited for any longer once it is turned off', async () => {
		let throttle = true;
		const delays: number[] = [];
		const { get, setLimit } = await signedIn({
			throttle: () => throttle,
			sleep: (milliseconds) => {
				delays.push(milliseconds);
				throttle = delays.length < 3;
				return Promise.resolve();
			}
		});
		await setLimit(3);
		await get();
		await get();
		await get();
		expect(delays).toEqual([500, 500, 500]);
	});
});
