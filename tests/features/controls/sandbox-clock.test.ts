import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SandboxClock } from '#features/controls/sandbox-clock.svelte.ts';
import { startControlService, type ControlService } from '../../client/control-api/control-service.ts';

let service: ControlService;

beforeEach(() => {
	service = startControlService();
	vi.useFakeTimers({ now: service.clock });
	vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }));
});
afterEach(() => void vi.useRealTimers());

/** Time passes for the page and the service. */
async function pass(milliseconds: number): Promise<void> {
	service.clock += milliseconds;
	await vi.advanceTimersByTimeAsync(milliseconds);
}

function open(onMoved = () => undefined): SandboxClock {
	return new SandboxClock(service.api, { now: service.clock, offset: 0 }, onMoved);
}

test('the time passes while the page follows the clock', async () => {
	const clock = open();
	const before = clock.now;
	const stop = clock.start();
	await pass(10_000);
	expect(clock.now - before).toBe(10_000);
	stop();
	await pass(10_000);
	expect(clock.now - before).toBe(10_000);
});

test('a move shows the new time, reads the events again and tells the page', async () => {
	const onMoved = vi.fn(() => undefined);
	const clock = open(onMoved);
	const before = clock.now;
	await clock.move({ advance: 600 });
	expect([clock.offset, clock.now - before]).toEqual([600_000, 600_000]);
	expect(service.requests).toEqual(['POST /control/clock', 'GET /control/clock', 'GET /control/events']);
	expect([onMoved.mock.calls.length, clock.form.isBusy, clock.events]).toEqual([1, false, []]);
});

test('a poll from before a move that arrives after it does not bring the old time back', async () => {
	const clock = open();
	const held: (() => void)[] = [];
	service.deliver = (request) =>
		request === 'GET /control/clock' ? new Promise((resolve) => held.push(resolve)) : undefined;
	const stop = clock.start();
	await pass(0);
	const moved = clock.move({ advance: 600 });
	await vi.waitFor(() => expect(held.length).toBe(2));
	held[1]?.();
	await moved;
	held[0]?.();
	await pass(0);
	expect(clock.offset).toBe(600_000);
	stop();
});

test('a jump moves the clock to just after the event', async () => {
	const clock = open();
	const before = clock.now;
	await clock.jump({ kind: 'window_resets', at: before + 60_500 });
	expect(clock.now).toBe(Math.ceil((before + 60_500) / 1000) * 1000);
});

test('the clock returns to the real time', async () => {
	const clock = open();
	await clock.move({ advance: 600 });
	await clock.reset();
	expect(clock.offset).toBe(0);
});

test('a move that fails keeps the time, and says so', async () => {
	const clock = open();
	service.lost = '/control/clock';
	await clock.move({ advance: 600 });
	expect([clock.offset, clock.form.error?.code, clock.form.isBusy]).toEqual([0, 'no_response', false]);
});

test('a second move waits until the first has ended', async () => {
	const clock = open();
	const first = clock.move({ advance: 600 });
	await clock.move({ advance: 600 });
	await first;
	expect(clock.offset).toBe(600_000);
});

test('the events are read every five seconds, and once an event is due', async () => {
	const clock = open();
	const reads = () => service.requests.filter((request) => request === 'GET /control/events').length;
	const stop = clock.start();
	await pass(0);
	expect(reads()).toBe(1);
	await pass(5000);
	expect(reads()).toBe(2);
	clock.query.data = { offset: 0, difference: 0, more: 0, events: [{ kind: 'window_resets', at: clock.now + 2000 }] };
	await pass(1750);
	expect(reads()).toBe(2);
	await pass(500);
	expect(reads()).toBe(3);
	stop();
});
