import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventLog } from '#features/viewer/event-log.svelte.ts';
import { errorCode, offline, TestBrowser } from '../../client/test-browser.ts';

const event = (message: string) => ({ kind: 'event', message }) as const;

describe('the event log', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	function open() {
		let now = 5;
		const log = new EventLog(() => (now += 1));
		const shown = () => log.shown.map(({ message }) => message);
		return { log, shown };
	}

	test('numbers its events, keeps the latest 500 and shows 100', () => {
		const { log, shown } = open();
		for (let count = 1; count <= 502; count += 1) log.emit(event(String(count)));
		vi.advanceTimersByTime(200);
		expect(log.events).toHaveLength(500);
		expect(log.events[0]).toMatchObject({ seq: 3, at: 8, message: '3' });
		expect([shown().length, shown()[0]]).toEqual([100, '403']);
	});

	test('completes a request with its response, in place', () => {
		const { log } = open();
		const complete = log.emit({ kind: 'request', message: 'GET /', status: '' });
		log.emit(event('later'));
		complete({ status: '200', tone: 'ok' });
		expect(log.events).toMatchObject([{ message: 'GET /', status: '200', tone: 'ok', at: 6 }, { message: 'later' }]);
	});

	test('continues after the events from before a reload', () => {
		const before = open().log;
		before.emit(event('before'));
		const { log, shown } = open();
		log.restore(before.events);
		expect(shown()).toEqual(['before']);
		log.emit(event('later'));
		expect(log.events.map(({ seq, message }) => [seq, message])).toEqual([
			[1, 'before'],
			[2, 'later']
		]);
	});

	test('undoes clearing, with the events since in their order', () => {
		const { log, shown } = open();
		log.emit(event('a'));
		const undo = log.clear();
		expect([log.events, shown()]).toEqual([[], []]);
		log.emit(event('b'));
		undo();
		undo();
		expect(shown()).toEqual(['a', 'b']);
	});

	test('updates what it shows once for the events of 200 milliseconds', () => {
		const { log, shown } = open();
		log.emit(event('first'));
		log.emit(event('second'));
		expect(shown()).toEqual([]);
		vi.advanceTimersByTime(200);
		expect(shown()).toEqual(['first', 'second']);
	});
});

describe('what the client logs', () => {
	test('a sign-in, a refresh and a sign-out, in plain words and without any secret', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await client.settings.update({ tokenFormat: 'xml', credential: 'query' });
		const url = await browser.start(client, { ...offline, scope: ['character_read', 'location_read'] });
		const params = await browser.service.approve(url);
		const user = await browser.user(client, await client.handleCallback(params));
		await client.resources.get('/ws/v2.0/character/Mara%20Vell', { tokenSetId: user.id, credential: 'query' });
		const refreshed = await client.tokens.refresh(user.id, user.access_token);
		await client.signOut(user.id);
		const messages = client.log.events.map(({ message, status }) => (status ? `${message}: ${status}` : message));
		expect(messages).toEqual([
			'Generated state',
			'state verified',
			'Exchanging the code',
			'POST /ws/oauth2/token/: 200',
			'Converted the XML to JSON, because oauth4webapi parses JSON only',
			'Saved the tokens in this browser',
			'GET /ws/v2.0/character/Mara%20Vell: 200',
			'Refreshing the access token',
			'POST /ws/oauth2/token/: 200',
			'Converted the XML to JSON, because oauth4webapi parses JSON only',
			'Saved the new access token',
			'GET /ws/oauth2/revoke: 200',
			'Deleted tokens in all tabs'
		]);
		const text = JSON.stringify(client.log.events);
		const { access_token, refresh_token } = user;
		const secrets = [access_token, refresh_token, refreshed.access_token, params.get('code'), params.get('state')];
		for (const secret of [...secrets, 'viewer-secret']) {
			expect(text).not.toContain(secret);
			expect(text).not.toContain(secret?.slice(0, 12));
		}
		browser.hide();
		for (const secret of secrets) expect(browser.tabContent()).not.toContain(secret);
	});

	test('a request and its response in one entry, with headers, duration and indented JSON', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await browser.signIn(client);
		const exchange = client.log.events.find(({ kind }) => kind === 'request');
		expect(exchange).toMatchObject({ message: 'POST /ws/oauth2/token/', status: '200', duration: 0 });
		expect(exchange?.request).toMatch(/^POST https:.*\n[^]*grant_type=authorization_code/);
		expect(exchange?.response).toMatch(/^200\n[^]*cache-control: no-store[^]*\n\n{\n {2}"access_token"/);
	});

	test('a request without a response, and one that was canceled', async () => {
		const browser = new TestBrowser();
		const { service } = browser;
		const client = await browser.open();
		const { id } = await browser.signIn(client);
		service.intercept = () => {
			service.time += 700;
			throw new TypeError('fetch failed');
		};
		await errorCode(client.resources.get('/ws/v2.0/ratelimits', { tokenSetId: id }));
		expect(client.log.events.find(({ status }) => status === 'no response')).toMatchObject({
			message: 'GET /ws/v2.0/ratelimits',
			duration: 700,
			fields: [['error', 'fetch failed']]
		});
		const abort = new AbortController();
		service.intercept = () => {
			abort.abort();
			throw new DOMException('aborted', 'AbortError');
		};
		await errorCode(client.resources.get('/ws/v2.0/ratelimits', { tokenSetId: id, signal: abort.signal }));
		expect(client.log.events.at(-1)).toMatchObject({
			message: 'GET /ws/v2.0/ratelimits',
			status: 'canceled'
		});
	});

	test('ends a request that takes longer than the timeout', async () => {
		const browser = new TestBrowser();
		const { service } = browser;
		const client = await browser.open('tab-1', {
			timeout: () => AbortSignal.abort(new DOMException('timed out', 'TimeoutError'))
		});
		service.intercept = () => Promise.reject(new DOMException('timed out', 'TimeoutError'));
		await client.isBlacklisted();
		expect(client.log.events.at(-1)).toMatchObject({ message: 'GET /ratelimiting', status: 'no response' });
	});

	test('by the service’s clock, from the first request on', async () => {
		const browser = new TestBrowser();
		browser.service.ahead += 4_000_000;
		const client = await browser.open();
		await client.isBlacklisted();
		const time = browser.service.time + browser.service.ahead;
		const events = client.log.events.map(({ kind, at }) => [kind, Math.abs(at - time) < 60_000]);
		expect(events).toEqual([
			['request', true],
			['event', true]
		]);
	});

	test('that the service’s clock was moved', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await browser.signIn(client);
		browser.service.ahead += 4_000_000;
		await client.isBlacklisted();
		expect(client.log.events.map(({ message }) => message)).toContain('Server clock moved forward 4000 s');
		const other = await browser.open('tab-2');
		expect(other.clock.now()).toBe(browser.service.time + 4_000_000);
	});

	test('stays over a reload of its tab, but not in other tabs, and cleared stays cleared', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await browser.signIn(client);
		const reloaded = await browser.open();
		expect(reloaded.log.events).toEqual(client.log.events);
		expect((await browser.open('tab-2')).log.events).toEqual([]);
		reloaded.log.clear();
		expect((await browser.open()).log.events).toEqual([]);
	});
});
