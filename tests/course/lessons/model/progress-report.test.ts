import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SeatProgress } from '#api/control/seats.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { ProgressReport } from '#course/frame/progress-report.ts';

const seat = { code: 'H7K4QX', seat: 3 };
const progress: SeatProgress = { lesson: 'whole-trip', step: 1, shown: {}, of: 4, is_done: false };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A report whose requests get these responses, one after the other. `undefined`: none. */
function reportWith(...statuses: readonly (number | undefined)[]) {
	const sent: string[] = [];
	const left = [...statuses];
	const api = new ControlApi('https://tollgate.test', (url, { body }) => {
		sent.push(`${new URL(url).pathname} ${typeof body === 'string' ? body : ''}`);
		const status = left.shift();
		if (status === undefined) return Promise.reject(new TypeError('fetch failed'));
		return Promise.resolve(Response.json(status === 200 ? {} : { error: 'forbidden' }, { status }));
	});
	return { report: new ProgressReport(api), sent };
}

it('sends each progress once', async () => {
	const { report, sent } = reportWith(200, 200);
	report.send(seat, progress);
	report.send(seat, { ...progress });
	report.send(seat, { ...progress, step: 2 });
	await vi.advanceTimersByTimeAsync(0);
	expect(sent).toEqual([
		`/control/classes/H7K4QX/seats/3 ${JSON.stringify({ progress })}`,
		`/control/classes/H7K4QX/seats/3 ${JSON.stringify({ progress: { ...progress, step: 2 } })}`
	]);
});

it('tries again after no response, but not after a rejection', async () => {
	const { report, sent } = reportWith(undefined, 403);
	report.send(seat, progress);
	await vi.advanceTimersByTimeAsync(5000);
	expect(sent).toHaveLength(2);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toHaveLength(2);
});

it('sends nothing after it was stopped', async () => {
	const { report, sent } = reportWith(undefined, 200);
	report.send(seat, progress);
	await vi.advanceTimersByTimeAsync(0);
	report.stop();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toHaveLength(1);
});
