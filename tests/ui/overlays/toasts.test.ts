import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '#ui/overlays/toasts.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function titles(toasts: Toasts): string[] {
	return toasts.list.map(({ title }) => title);
}

test('goes by itself, later where there is something to do about it', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'Copied' });
	toasts.show({ title: 'Deleted', action: { label: 'Undo', run: () => undefined } });
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual(['Deleted']);
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual([]);
});

test('three at most: the oldest makes room', () => {
	const toasts = new Toasts();
	for (const title of ['a', 'b', 'c', 'd']) toasts.show({ title });
	expect(titles(toasts)).toEqual(['b', 'c', 'd']);
});

test('stays while somebody reads it, and goes some time after', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'Read me' });
	toasts.hold();
	vi.advanceTimersByTime(60_000);
	expect(titles(toasts)).toEqual(['Read me']);
	toasts.release();
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual([]);
});

test('what comes while somebody reads waits with the others; with the last one gone, time runs for the next', () => {
	const toasts = new Toasts();
	const first = toasts.show({ title: 'Read me' });
	toasts.hold();
	const second = toasts.show({ title: 'And me' });
	vi.advanceTimersByTime(60_000);
	expect(titles(toasts)).toEqual(['Read me', 'And me']);
	toasts.dismiss(first);
	toasts.dismiss(second);
	toasts.show({ title: 'Later' });
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual([]);
});
