import { describe, expect, test } from 'vitest';
import { maxStreams, SharedStream, sleepThreshold } from '#client/control-api/shared-stream.ts';
import { FakeBrowser, type FakePage } from './fake-browser.ts';

const url = 'https://tollgate.test/control/traffic/stream';

/** A page with a stream, and the events that it got. */
function follow(page: FakePage, from = url) {
	const stream = new SharedStream(from, page.environment);
	const seen: string[] = [];
	stream.addEventListener('open', () => seen.push('open'));
	stream.addEventListener('error', () => seen.push(`error ${stream.readyState}`));
	stream.addEventListener('message', ({ data }) => seen.push(data));
	return { page, stream, seen };
}

/** A browser with pages that follow one stream, which is open. The first one is the leader. */
async function openPages(count: number) {
	const browser = new FakeBrowser();
	const pages = Array.from({ length: count }, () => follow(browser.openPage()));
	await browser.settle();
	browser.sources[0]?.open();
	await browser.settle();
	const [first, second, third] = pages;
	if (!first || !second || !third) throw new Error('A page is missing.');
	return { browser, pages, first, second, third, seen: () => pages.map(({ seen }) => seen.splice(0).join(' ')) };
}

describe('a shared stream', () => {
	test('has one connection for ten pages, and each page gets each event once', async () => {
		const { browser, seen } = await openPages(10);
		expect(browser.connections.map(({ url: opened }) => opened)).toEqual([url]);
		browser.sources[0]?.emit('message', 'one');
		await browser.settle();
		expect(seen()).toEqual(Array.from({ length: 10 }, () => 'open one'));
	});

	test('serves two streams of one page with one connection', async () => {
		const browser = new FakeBrowser();
		const page = browser.openPage();
		const streams = [follow(page), follow(page)];
		await browser.settle();
		browser.sources[0]?.open();
		browser.sources[0]?.emit('message', 'one');
		await browser.settle();
		expect([streams.map(({ seen }) => seen), browser.connections.length]).toEqual([
			[
				['open', 'one'],
				['open', 'one']
			],
			1
		]);
	});

	test('is open at once for a page that joins later', async () => {
		const { browser } = await openPages(3);
		const late = follow(browser.openPage());
		await browser.settle();
		expect([late.seen, late.stream.readyState]).toEqual([['open'], 1]);
	});

	test('keeps streams of different sandboxes apart', async () => {
		const { browser, first } = await openPages(3);
		const other = follow(browser.openPage(), 'https://tollgate.test/~other/control/traffic/stream');
		await browser.settle();
		browser.sources[1]?.open();
		browser.sources[1]?.emit('message', 'of the other');
		await browser.settle();
		expect([first.seen, other.seen]).toEqual([['open'], ['open', 'of the other']]);
	});

	test.each([
		['its leader is closed', (page: FakePage) => page.freeze()],
		['the process of its leader crashes', (page: FakePage) => page.crash()]
	])('opens for all pages again when %s, without waiting', async (_, end) => {
		const { browser, first, seen } = await openPages(3);
		seen();
		end(first.page);
		await browser.settle();
		expect(browser.connections.length).toBe(1);
		browser.sources[1]?.open();
		browser.sources[1]?.emit('message', 'after');
		await browser.settle();
		expect(seen()).toEqual(['', 'open after', 'open after']);
	});

	test('stays open when another page than the leader closes', async () => {
		const { browser, second, seen } = await openPages(3);
		seen();
		second.stream.close();
		browser.sources[0]?.emit('message', 'after');
		await browser.settle();
		expect([seen(), browser.sources.length]).toEqual([['after', '', 'after'], 1]);
	});

	test('opens again for a page that was frozen or came back by the Back button', async () => {
		const { browser, second, seen } = await openPages(3);
		seen();
		second.page.freeze();
		browser.sources[0]?.emit('message', 'missed');
		await browser.settle();
		second.page.resume();
		await browser.settle();
		expect([seen(), browser.sources.length]).toEqual([['missed', 'open', 'missed'], 1]);
	});

	test('tells all pages when it reconnects', async () => {
		const { browser, seen } = await openPages(3);
		seen();
		browser.sources[0]?.fail(0);
		browser.sources[0]?.open();
		await browser.settle();
		expect(seen()).toEqual(['error 0 open', 'error 0 open', 'error 0 open']);
	});

	test('ends for all pages when the service rejects it or ends it', async () => {
		const { browser, pages, seen } = await openPages(3);
		seen();
		browser.sources[0]?.fail(2);
		await browser.settle();
		expect(seen()).toEqual(['error 2', 'error 2', 'error 2']);
		expect([pages.map(({ stream }) => stream.readyState), browser.connections.length]).toEqual([[2, 2, 2], 0]);
	});
});

describe('a leader that the browser suspended without a word', () => {
	test('is replaced by a visible page, and its late events change nothing', async () => {
		const { browser, first, seen } = await openPages(3);
		seen();
		first.page.isVisible = false;
		first.page.suspend();
		await browser.pass(8_000);
		const [suspended, ...others] = browser.connections;
		others.at(-1)?.open();
		others.at(-1)?.emit('message', 'new');
		await browser.settle();
		expect(seen()).toEqual(['', 'open new', 'open new']);
		first.page.wake();
		suspended?.emit('message', 'late');
		await browser.settle();
		expect(seen()).toEqual(['open new', '', '']);
		expect(browser.connections.filter(({ page }) => page === first.page)).toEqual([]);
	});

	test('is not replaced by hidden pages, until one is shown', async () => {
		const { browser, first, second, third } = await openPages(3);
		for (const { page } of [first, second, third]) page.isVisible = false;
		first.page.suspend();
		await browser.pass(60_000);
		expect(browser.sources.length).toBe(1);
		second.page.show();
		await browser.pass(6_000);
		expect(browser.sources.length).toBe(2);
	});

	test('a leader that responds keeps its place', async () => {
		const { browser } = await openPages(3);
		await browser.pass(600_000);
		expect(browser.sources.length).toBe(1);
	});
});

test('connects again after the device slept, because the connection may be dead', async () => {
	const { browser, seen } = await openPages(3);
	seen();
	await browser.pass(sleepThreshold + 1000, sleepThreshold + 1000);
	expect(browser.connections.length).toBe(1);
	browser.sources[1]?.open();
	await browser.settle();
	expect([seen(), browser.sources.length]).toEqual([['open', 'open', 'open'], 2]);
});

test('never uses more than four connections: further streams read every two seconds, until one is free', async () => {
	const browser = new FakeBrowser();
	const streams = Array.from({ length: maxStreams + 1 }, (_, at) => follow(browser.openPage(), `${url}?${at}`));
	await browser.settle();
	browser.sources.forEach((source) => source.open());
	await browser.pass(6_000);
	const last = streams.at(-1);
	expect(browser.connections.length).toBe(maxStreams);
	expect(last?.seen).toEqual(['open', 'open', 'open', 'open']);
	const second = follow(browser.openPage(), `${url}?${maxStreams}`);
	await browser.pass(2_000);
	expect(second.seen.length).toBeGreaterThan(0);
	streams[0]?.stream.close();
	await browser.pass(4_000);
	expect(browser.connections.map((source) => source.url).at(-1)).toBe(`${url}?${maxStreams}`);
});

test('works without locks, for each page alone', async () => {
	const browser = new FakeBrowser();
	const page = browser.openPage();
	const blocked = () => Promise.reject(new DOMException('Blocked', 'SecurityError'));
	const stream = new SharedStream(url, { ...page.environment, requestLock: blocked });
	await browser.settle();
	browser.sources[0]?.open();
	expect([stream.readyState, browser.sources.length]).toEqual([1, 1]);
});
