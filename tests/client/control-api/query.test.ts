import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ControlError } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';

/** A read that waits until the test resolves it. */
type Read = {
	readonly signal: AbortSignal;
	readonly resolve: (value: string) => void;
	readonly reject: (error: Error) => void;
};

const failure = new ControlError('no_response', 'The service did not respond.', 0);
let reads: Read[];

function manualRead(signal: AbortSignal): Promise<string> {
	return new Promise((resolve, reject) => reads.push({ signal, resolve, reject }));
}

beforeEach(() => {
	reads = [];
	vi.useFakeTimers();
	vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => void vi.useRealTimers());

test('a query has its data after a read, and keeps it after a later failure', async () => {
	const query = new Query(manualRead);
	const first = query.refresh();
	expect([query.data, query.isLoading]).toEqual([undefined, true]);
	reads[0]?.resolve('one');
	await first;
	expect([query.data, query.error, query.isLoading]).toEqual(['one', undefined, false]);
	const second = query.refresh();
	reads[1]?.reject(failure);
	await second;
	expect([query.data, query.error, query.isLoading]).toEqual(['one', failure, false]);
});

test('a refresh during a read is not lost, and aborts that read', async () => {
	const query = new Query(manualRead);
	void query.refresh();
	const refreshed = query.refresh();
	expect(reads.map(({ signal }) => signal.aborted)).toEqual([true, false]);
	reads[1]?.resolve('after the change');
	await refreshed;
	expect(query.data).toBe('after the change');
});

test('an older read that ends later replaces neither data nor error', async () => {
	const query = new Query(manualRead);
	const older = [query.refresh(), query.refresh()];
	const newest = query.refresh();
	reads[2]?.resolve('newest');
	await newest;
	reads[0]?.resolve('oldest');
	reads[1]?.reject(failure);
	await Promise.all(older);
	expect([query.data, query.error, query.isLoading]).toEqual(['newest', undefined, false]);
});

test('a caller whose read was replaced waits for the newest one', async () => {
	const query = new Query(manualRead);
	const seen = query.refresh().then(() => query.data);
	void query.refresh();
	reads[0]?.reject(failure);
	reads[1]?.resolve('newest');
	expect(await seen).toBe('newest');
});

test('an error that is not of the service is thrown', async () => {
	const query = new Query(() => Promise.reject(new RangeError('wrong')));
	await expect(query.refresh()).rejects.toThrow(RangeError);
	expect(query.isLoading).toBe(false);
});

test('a query with an interval is read while the tab is visible, and at once when it becomes visible', async () => {
	let count = 0;
	const query = new Query(async () => ++count, { interval: 5000 });
	const stop = query.follow();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(count).toBe(3);
	Object.assign(document, { visibilityState: 'hidden' });
	await vi.advanceTimersByTimeAsync(60_000);
	document.dispatchEvent(new Event('visibilitychange'));
	expect(count).toBe(3);
	Object.assign(document, { visibilityState: 'visible' });
	document.dispatchEvent(new Event('visibilitychange'));
	expect(count).toBe(4);
	stop();
	await vi.advanceTimersByTimeAsync(60_000);
	document.dispatchEvent(new Event('visibilitychange'));
	expect(count).toBe(4);
});

test('polling pauses while the data cannot change', async () => {
	let count = 0;
	const query = new Query(async () => ++count, { interval: 1000, canChange: (data = 0) => data < 3 });
	query.follow();
	await vi.advanceTimersByTimeAsync(10_000);
	expect(count).toBe(3);
});

test('polling does not abort a read that takes longer than the interval', async () => {
	const query = new Query(manualRead, { interval: 1000 });
	query.follow();
	await vi.advanceTimersByTimeAsync(5000);
	expect(reads.map(({ signal }) => signal.aborted)).toEqual([false]);
	reads[0]?.resolve('slow');
	await vi.advanceTimersByTimeAsync(0);
	expect(query.data).toBe('slow');
});

test('a query without an interval is read once', async () => {
	let count = 0;
	const query = new Query(async () => ++count);
	query.follow();
	await vi.advanceTimersByTimeAsync(60_000);
	document.dispatchEvent(new Event('visibilitychange'));
	expect(count).toBe(1);
});

test('following does not repeat a read in progress', () => {
	const query = new Query(manualRead);
	void query.refresh();
	query.follow();
	expect(reads.length).toBe(1);
});

test('stopping aborts the read in progress, whose result is not shown', async () => {
	const query = new Query(manualRead, { interval: 1000 });
	query.follow()();
	expect([reads[0]?.signal.aborted, query.isLoading]).toEqual([true, false]);
	reads[0]?.resolve('late');
	await vi.advanceTimersByTimeAsync(0);
	expect(query.data).toBeUndefined();
});

test('many calls of refreshSoon are one read, after the one in progress', async () => {
	const query = new Query(manualRead);
	void query.refresh();
	for (let call = 0; call < 20; call++) {
		query.refreshSoon();
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(reads.map(({ signal }) => signal.aborted)).toEqual([false]);
	reads[0]?.resolve('first');
	await vi.advanceTimersByTimeAsync(0);
	expect([query.data, reads.length]).toEqual(['first', 2]);
	reads[1]?.resolve('second');
	await vi.advanceTimersByTimeAsync(5000);
	expect([query.data, reads.length]).toEqual(['second', 2]);
});

test('clearing forgets data, error and the read in progress', async () => {
	const query = new Query(manualRead);
	const first = query.refresh();
	reads[0]?.resolve('one');
	await first;
	void query.refresh();
	query.clear();
	reads[1]?.resolve('two');
	await vi.advanceTimersByTimeAsync(0);
	expect([query.data, query.error, query.isLoading, reads[1]?.signal.aborted]).toEqual([
		undefined,
		undefined,
		false,
		true
	]);
});
