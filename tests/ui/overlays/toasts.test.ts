import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '#ui/overlays/toasts.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function titles(toasts: Toasts): string[] {
	return toasts.list.map(({ title }) => title);
}

test('disappears after 5 seconds, or 10 seconds with an action', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'Copied' });
	toasts.show({ title: 'Deleted', action: { label: 'Undo', run: () => undefined } });
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual(['Deleted']);
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual([]);
});

test('shows at most three and removes the oldest', () => {
	const toasts = new Toasts();
	for (const title of ['a', 'b', 'c', 'd']) toasts.show({ title });
	expect(titles(toasts)).toEqual(['b', 'c', 'd']);
});

test('stays while it is held and disappears after its release', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'Read me' });
	toasts.hold();
	vi.advanceTimersByTime(60_000);
	expect(titles(toasts)).toEqual(['Read me']);
	toasts.release();
	vi.advanceTimersByTime(5000);
	expect(titles(toasts)).toEqual([]);
});

test('holds new notifications too, until the last held one is dismissed', () => {
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
