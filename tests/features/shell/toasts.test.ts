import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts } from '#features/shell/toasts.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test.each([
	[5000, {}],
	[10_000, { action: { label: 'Undo', run: () => undefined } }]
])('disappears after %i ms', (duration, more) => {
	const toasts = new Toasts();
	toasts.show({ title: 'Deleted', ...more });
	vi.advanceTimersByTime(duration - 1);
	expect(toasts.current?.title).toBe('Deleted');
	vi.advanceTimersByTime(1);
	expect(toasts.current).toBeUndefined();
});

test('a new notification replaces the current one and gets its whole time', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'First' });
	vi.advanceTimersByTime(4000);
	toasts.show({ title: 'Second' });
	vi.advanceTimersByTime(4000);
	expect(toasts.current?.title).toBe('Second');
});

test('stays while it is held and disappears after its release', () => {
	const toasts = new Toasts();
	toasts.show({ title: 'Read me' });
	toasts.hold();
	vi.advanceTimersByTime(60_000);
	expect(toasts.current?.title).toBe('Read me');
	toasts.release();
	vi.advanceTimersByTime(5000);
	expect(toasts.current).toBeUndefined();
});
