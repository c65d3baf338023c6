import { afterEach, describe, expect, test } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import type { EventStream } from '#client/control-api/stream-environment.ts';
import { type FeedEnvironment, TrafficFeed } from '#features/inspector/traffic-feed.svelte.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { timelineEntry } from './timeline-entry.ts';

/** A stream that the test sends events to. */
class TestStream implements EventStream {
	readyState = 1;
	readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

	constructor(readonly url: string) {}

	addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
		this.#listeners.set(type, listener);
	}

	close(): void {
		this.readyState = 2;
	}

	emit(type: string, data = ''): void {
		this.#listeners.get(type)?.(new MessageEvent(type, { data }));
	}

	send(entry: TrafficEntry): void {
		this.emit('message', JSON.stringify(entry));
	}
}

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A feed of a log with so many entries, started and read to its end. */
async function open(count: number) {
	const log = { entries: Array.from({ length: count }, (_, index) => timelineEntry(index + 1)), changes: 0 };
	const [streams, frames, waits]: [TestStream[], (() => void)[], (() => void)[]] = [[], [], []];
	let shown: readonly TrafficEntry[] = [];
	const inspector = {
		get entries() {
			return shown;
		},
		set entries(next) {
			log.changes++;
			shown = next;
		}
	};
	let failure: TypeError | Response | undefined;
	let canControl = true;
	const reads: string[] = [];
	const api = new ControlApi('https://tollgate.test', (url, { method }) => {
		const { pathname } = new URL(url);
		reads.push(pathname);
		if (pathname === '/control/status') return Promise.resolve(Response.json({ can_control: canControl }));
		if (failure instanceof Response) return Promise.resolve(failure);
		if (failure !== undefined) return Promise.reject(failure);
		const { searchParams } = new URL(url);
		const [after, limit] = [Number(searchParams.get('after')), Number(searchParams.get('limit'))];
		const found = method === 'DELETE' ? [] : log.entries.filter(({ seq }) => seq > after).slice(0, limit);
		return Promise.resolve(Response.json({ entries: found }));
	});
	const notices: string[] = [];
	const environment: FeedEnvironment = {
		openStream: (url) => {
			const stream = new TestStream(url);
			streams.push(stream);
			return stream;
		},
		nextFrame: (run) => frames.push(run),
		wait: (run) => waits.push(run)
	};
	const feed = new TrafficFeed(api, inspector, environment, () => notices.push('notice'));
	const settle = async () => {
		await new Promise((resolve) => setTimeout(resolve));
		frames.splice(0).forEach((run) => run());
	};
	stops.push(feed.start());
	await settle();
	const numbers = () => inspector.entries.map(({ seq }) => seq);
	const fail = (next?: TypeError | Response) => (failure = next);
	const control = (next: boolean) => (canControl = next);
	return { feed, log, notices, inspector, streams, frames, waits, settle, numbers, fail, reads, control };
}

describe('the traffic feed', () => {
	test('reads all pages, then follows the stream from there', async () => {
		const { numbers, streams, feed } = await open(1001);
		expect([numbers().length, numbers().at(-1), feed.state]).toEqual([1001, 1001, 'live']);
		expect(streams.map(({ url }) => url)).toEqual(['https://tollgate.test/control/traffic/stream']);
	});

	test('changes the page once for all entries of a frame', async () => {
		const { log, streams, settle, numbers } = await open(0);
		for (let seq = 1; seq <= 200; seq++) streams[0]?.send(timelineEntry(seq));
		expect(log.changes).toBe(0);
		await settle();
		expect([log.changes, numbers().length]).toEqual([1, 200]);
	});

	test('keeps the newest 10,000 entries', async () => {
		const { streams, settle, numbers } = await open(9_900);
		for (let seq = 9_901; seq <= 10_050; seq++) streams[0]?.send(timelineEntry(seq));
		await settle();
		expect([numbers().length, numbers()[0], numbers().at(-1)]).toEqual([10_000, 51, 10_050]);
	});

	test('counts what waits during a pause, and shows it afterwards', async () => {
		const { feed, streams, settle, numbers } = await open(1);
		feed.pause();
		for (const seq of [2, 3]) streams[0]?.send(timelineEntry(seq));
		await settle();
		expect([feed.waiting, numbers()]).toEqual([2, [1]]);
		feed.resume();
		expect([feed.waiting, numbers()]).toEqual([0, [1, 2, 3]]);
	});

	test('reads what a slow stream has left out', async () => {
		const { log, streams, settle, numbers } = await open(1);
		log.entries = [1, 2, 3, 4].map((seq) => timelineEntry(seq));
		streams[0]?.send(timelineEntry(4));
		await settle();
		expect([numbers(), streams.length]).toEqual([[1, 2, 3, 4], 1]);
	});

	test('shows each entry once when another page takes the stream over', async () => {
		const { log, streams, settle, numbers, feed } = await open(2);
		log.entries.push(timelineEntry(3), timelineEntry(4));
		streams[0]?.emit('open');
		// The last entry of the page before, and two of the next one: one during the read, and one that the read has too.
		for (const seq of [3, 4]) streams[0]?.send(timelineEntry(seq));
		await settle();
		for (const seq of [4, 5]) streams[0]?.send(timelineEntry(seq));
		await settle();
		expect([numbers(), feed.state, streams.length]).toEqual([[1, 2, 3, 4, 5], 'live', 1]);
	});

	test('keeps an entry that arrives while the pages are read', async () => {
		const { streams, settle, numbers } = await open(2);
		streams[0]?.emit('open');
		streams[0]?.send(timelineEntry(3));
		await settle();
		expect(numbers()).toEqual([1, 2, 3]);
	});

	test('follows no stream that its own request is not allowed to read', async () => {
		const { streams, feed, waits, settle, fail } = await open(1);
		fail(new TypeError('fetch failed'));
		streams[0]?.emit('open');
		await settle();
		expect([feed.state, streams[0]?.readyState]).toEqual(['reconnecting', 2]);
		waits.shift()?.();
		await settle();
		expect(streams.length).toBe(1);
	});

	test('starts again after a reset, which is noticed, and where the service counts from 1 again', async () => {
		const { inspector, log, notices, streams, settle, numbers } = await open(3);
		log.entries = [timelineEntry(1)];
		streams[0]?.emit('reset');
		await settle();
		expect([numbers(), notices]).toEqual([[1], ['notice']]);
		log.entries = [{ ...timelineEntry(1), id: 'of the next start' }];
		log.entries.forEach((entry) => streams[0]?.send(entry));
		await settle();
		expect([inspector.entries.map(({ id }) => id), streams.length]).toEqual([['of the next start'], 1]);
	});

	test('tries again after a stream that was closed and a request that failed', async () => {
		const { feed, log, streams, waits, settle, numbers, fail } = await open(1);
		streams[0]?.close();
		streams[0]?.emit('error');
		expect(feed.state).toBe('reconnecting');
		fail(new TypeError('fetch failed'));
		waits.shift()?.();
		await settle();
		expect(feed.error?.code).toBe('no_response');
		fail();
		log.entries.push(timelineEntry(2));
		waits.shift()?.();
		await settle();
		expect([feed.error, feed.state, numbers()]).toEqual([undefined, 'live', [1, 2]]);
	});

	test('notices at once that its sandbox was deleted, and sends no more requests', async () => {
		const { feed, notices, streams, waits, settle, fail } = await open(1);
		fail(Response.json({ error: 'not_found', error_description: 'No such sandbox.' }, { status: 404 }));
		streams[0]?.emit('deleted');
		await settle();
		expect([notices, feed.error?.status, waits.length, streams.length]).toEqual([['notice'], 404, 0, 1]);
	});

	test('reads again at once when a key of its sandbox was revoked, and keeps following with another key', async () => {
		const { feed, notices, streams, settle } = await open(1);
		streams[0]?.emit('revoked');
		await settle();
		expect([notices, feed.state, streams.length]).toEqual([['notice'], 'live', 2]);
	});

	test('sends no request that is rejected after its key was revoked, until it has another one', async () => {
		const { feed, streams, waits, settle, reads, control } = await open(1);
		reads.length = 0;
		control(false);
		streams[0]?.emit('revoked');
		await settle();
		waits.shift()?.();
		await settle();
		expect([feed.error?.status, streams.length, new Set(reads)]).toEqual([403, 1, new Set(['/control/status'])]);
		control(true);
		waits.shift()?.();
		await settle();
		expect([feed.error, feed.state, streams.length]).toEqual([undefined, 'live', 2]);
	});

	test('empties the log', async () => {
		const { feed, streams, settle, numbers } = await open(2);
		await feed.clear();
		expect(numbers()).toEqual([]);
		streams[0]?.send(timelineEntry(3));
		await settle();
		expect(numbers()).toEqual([3]);
	});
});
