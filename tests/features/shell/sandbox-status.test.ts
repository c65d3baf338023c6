import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SandboxStatusMonitor } from '#features/shell/sandbox-status.svelte.ts';

type State = {
	faults: number;
	requests: number;
	isDown: boolean;
	isDeleted: boolean;
	world: string | undefined;
	seat: { code: string } | undefined;
	canControl: boolean;
};

const start: State = {
	faults: 0,
	requests: 0,
	isDown: false,
	isDeleted: false,
	world: undefined,
	seat: undefined,
	canControl: true
};
const state = { ...start };

beforeEach(() => {
	Object.assign(state, start);
	vi.useFakeTimers();
	const document = Object.assign(new EventTarget(), { visibilityState: 'visible' });
	vi.stubGlobal('document', document);
	vi.stubGlobal('fetch', async () => {
		state.requests++;
		if (state.isDown) throw new TypeError('fetch failed');
		if (state.isDeleted) return Response.json({ error: 'not_found' }, { status: 404 });
		const { faults, world, seat, canControl } = state;
		return Response.json({ id: 'root', faults, world, can_control: canControl, class: seat });
	});
});
afterEach(() => void vi.useRealTimers());

test('the status is read again and again only while a fault is active', async () => {
	const monitor = new SandboxStatusMonitor();
	const stop = monitor.watch('https://tollgate.test');
	await monitor.refresh();
	await vi.advanceTimersByTimeAsync(60_000);
	expect([monitor.status?.faults, state.requests]).toEqual([0, 1]);
	state.faults = 1;
	await monitor.changed();
	await vi.advanceTimersByTimeAsync(10_000);
	expect([monitor.status?.faults, state.requests]).toEqual([1, 4]);
	state.faults = 0;
	await vi.advanceTimersByTimeAsync(60_000);
	expect([monitor.status?.faults, state.requests]).toEqual([0, 5]);
	document.dispatchEvent(new Event('visibilitychange'));
	await vi.advanceTimersByTimeAsync(0);
	expect(state.requests).toBe(6);
	stop();
	document.dispatchEvent(new Event('visibilitychange'));
	expect(state.requests).toBe(6);
});

test('a failed request keeps the last status of a sandbox, another sandbox starts without one', async () => {
	const monitor = new SandboxStatusMonitor();
	monitor.watch('https://tollgate.test')();
	await monitor.refresh();
	state.isDown = true;
	await monitor.refresh();
	expect([monitor.status?.faults, monitor.error?.code]).toEqual([0, 'no_response']);
	monitor.watch('https://tollgate.test/~other')();
	expect([monitor.status, monitor.error]).toEqual([undefined, undefined]);
});

test('a page that does not have the world of its sandbox is noticed', async () => {
	const monitor = new SandboxStatusMonitor();
	monitor.watch('https://tollgate.test')();
	expect(monitor.hasReplaced({ id: 'digest' }), 'before the first status').toBe(false);
	state.world = 'digest';
	await monitor.refresh();
	expect(monitor.hasReplaced({ id: 'digest' })).toBe(false);
	expect(monitor.hasReplaced({})).toBe(true);
	state.world = undefined;
	await monitor.refresh();
	expect(monitor.hasReplaced({ id: 'digest' })).toBe(true);
	expect(monitor.hasReplaced({})).toBe(false);
});

test('a page keeps the seat that it had, and knows how it ended', async () => {
	const monitor = new SandboxStatusMonitor();
	const stop = monitor.watch('https://tollgate.test/~seat');
	state.seat = { code: 'S4J752' };
	state.faults = 1;
	await monitor.refresh();
	expect([monitor.seat, monitor.seatEnd]).toEqual([state.seat, undefined]);
	// The class ends before its seats do.
	state.seat = undefined;
	await monitor.refresh();
	expect([monitor.seat, monitor.seatEnd]).toEqual([{ code: 'S4J752' }, undefined]);
	state.canControl = false;
	await monitor.refresh();
	expect(monitor.seatEnd).toBe('released');
	state.isDeleted = true;
	await monitor.refresh();
	expect([monitor.seat, monitor.seatEnd]).toEqual([{ code: 'S4J752' }, 'deleted']);
	const { requests } = state;
	await vi.advanceTimersByTimeAsync(60_000);
	expect(state.requests, 'a deleted sandbox is not asked again').toBe(requests);
	stop();
	monitor.watch('https://tollgate.test')();
	expect([monitor.seat, monitor.seatEnd]).toEqual([undefined, undefined]);
});
