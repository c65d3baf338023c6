import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Clock } from '#client/viewer/clock.svelte.ts';
import { EventLogView } from '#client/viewer/event-log-view.svelte.ts';
import { EventLog } from '#client/viewer/event-log.ts';
import { errorCode, offline, TestBrowser } from '../test-browser.ts';

const info = (message: string) => ({ kind: 'info', message }) as const;

describe('the event log', () => {
	test('numbers its events and keeps the latest', () => {
		let now = 5;
		const log = new EventLog(() => (now += 1), 3);
		for (const message of ['a', 'b', 'c', 'd']) log.emit(info(message));
		expect(log.events.map(({ seq, at, message }) => [seq, at, message])).toEqual([
			[2, 7, 'b'],
			[3, 8, 'c'],
			[4, 9, 'd']
		]);
	});

	test('continues after the events from before a reload', () => {
		const before = new EventLog(() => 0);
		before.emit(info('before'));
		const log = new EventLog(() => 0);
		log.emit(info('after'));
		log.restore(before.events);
		log.emit(info('later'));
		expect(log.events.map(({ seq, message }) => [seq, message])).toEqual([
			[1, 'before'],
			[2, 'after'],
			[3, 'later']
		]);
	});

	test('undoes clearing, with the events since in their order', () => {
		const log = new EventLog(() => 0);
		log.emit(info('a'));
		const undo = log.clear();
		expect(log.events).toEqual([]);
		log.emit(info('b'));
		undo();
		undo();
		expect(log.events.map(({ message }) => message)).toEqual(['a', 'b']);
	});
});

describe('its view', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	function open() {
		const log = new EventLog(() => 0);
		log.emit(info('first'));
		const view = new EventLogView(log);
		const stop = view.start();
		const messages = () => view.events.map(({ message }) => message);
		return { log, view, stop, messages };
	}

	test('updates once for the events of 200 milliseconds, until stopped', () => {
		const { log, stop, messages } = open();
		log.emit(info('second'));
		log.emit(info('third'));
		expect(messages()).toEqual(['first']);
		vi.advanceTimersByTime(200);
		expect(messages()).toEqual(['first', 'second', 'third']);
		stop();
		log.emit(info('fourth'));
		vi.advanceTimersByTime(200);
		expect(messages()).toHaveLength(3);
	});

	test('counts the events of a pause and shows them afterwards', () => {
		const { log, view, messages } = open();
		view.setPaused(true);
		log.emit(info('second'));
		vi.advanceTimersByTime(200);
		expect([view.pendingCount, messages()]).toEqual([1, ['first']]);
		view.setPaused(false);
		expect([view.pendingCount, messages()]).toEqual([0, ['first', 'second']]);
	});

	test('is empty after clearing, and undoes it, also during a pause', () => {
		const { log, view, messages } = open();
		view.setPaused(true);
		const undo = view.clear();
		expect(messages()).toEqual([]);
		log.emit(info('second'));
		undo();
		expect([view.pendingCount, messages()]).toEqual([0, ['first', 'second']]);
	});

	test('the clock changes four times a second and calls back once a second', () => {
		let now = 1000;
		const clock = new Clock(() => now);
		const everySecond = vi.fn();
		const stop = clock.start(everySecond);
		now = 2000;
		vi.advanceTimersByTime(250);
		expect(clock.now).toBe(2000);
		vi.advanceTimersByTime(2750);
		expect(everySecond).toHaveBeenCalledTimes(3);
		stop();
		vi.advanceTimersByTime(5000);
		expect(everySecond).toHaveBeenCalledTimes(3);
	});
});

describe('what the client logs', () => {
	test('a sign-in, a refresh and a sign-out, in plain words and without any secret', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		client.preferences.update({ tokenFormat: 'xml', credential: 'query' });
		const url = await browser.start(client, { ...offline, scope: ['character_read', 'location_read'] });
		const params = await browser.service.approve(url);
		const user = await browser.user(client, await client.handleCallback(params));
		await client.resources.get('/ws/v2.0/character/Mara%20Vell', { tokenSetId: user.id, credential: 'query' });
		const refreshed = await client.tokens.refresh(user.id, user.access_token);
		await client.signOut(user.id);
		const messages = client.log.events.map(({ kind, message }) => `${kind}: ${message}`);
		expect(messages).toEqual([
			'stored: Saved state and issuer',
			'verified: state matches this tab (single use)',
			'info: Exchanging the code',
			'sent: POST /ws/oauth2/token/',
			'received: 200 from /ws/oauth2/token/',
			'verified: Converted the XML to JSON, because oauth4webapi parses JSON only',
			'stored: Saved the tokens in this browser',
			'sent: GET /ws/v2.0/character/Mara%20Vell',
			'received: 200 from /ws/v2.0/character/Mara%20Vell',
			'info: Refreshing the access token',
			'sent: POST /ws/oauth2/token/',
			'received: 200 from /ws/oauth2/token/',
			'verified: Converted the XML to JSON, because oauth4webapi parses JSON only',
			'stored: Saved new access token. The refresh token is unchanged',
			'sent: GET /ws/oauth2/revoke',
			'received: 200 from /ws/oauth2/revoke',
			'stored: Deleted tokens in all tabs'
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

	test('a response with its headers, its duration and its request id', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await browser.signIn(client);
		const received = client.log.events.findLast(({ kind }) => kind === 'received');
		expect(received?.http).toMatchObject({ line: '200', requestId: expect.any(String), duration: 0 });
		expect(received?.http?.headers.map(([name]) => name)).toContain('cache-control');
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
		expect(client.log.events.at(-1)).toMatchObject({
			kind: 'failed',
			message: 'No response from /ws/v2.0/ratelimits',
			fields: [
				['after', '700 ms'],
				['error', 'fetch failed']
			]
		});
		const abort = new AbortController();
		service.intercept = () => {
			abort.abort();
			throw new DOMException('aborted', 'AbortError');
		};
		await errorCode(client.resources.get('/ws/v2.0/ratelimits', { tokenSetId: id, signal: abort.signal }));
		expect(client.log.events.at(-1)).toMatchObject({
			kind: 'info',
			message: 'Canceled the request to /ws/v2.0/ratelimits'
		});
	});

	test('ends a request that takes longer than the timeout', async () => {
		const browser = new TestBrowser();
		const { service } = browser;
		const client = await browser.open('tab-1', {
			timeout: () => AbortSignal.abort(new DOMException('timed out', 'TimeoutError'))
		});
		service.intercept = () => Promise.reject(new DOMException('timed out', 'TimeoutError'));
		await client.outage.check();
		expect(client.log.events.at(-1)).toMatchObject({ kind: 'failed', message: 'No response from /ratelimiting' });
	});

	test('that the service’s clock was moved', async () => {
		const browser = new TestBrowser();
		const client = await browser.open();
		await browser.signIn(client);
		browser.service.ahead += 4_000_000;
		await client.outage.check();
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
