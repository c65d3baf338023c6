import { afterEach, describe, expect, it, vi } from 'vitest';
import { allSignals, findSignal } from '#evidence/signals/find-signal.ts';
import { outlineOf } from '#evidence/signals/step-log.ts';
import type { SeatFacts, Signal } from '#evidence/signals/signal.ts';
import { createTestService } from '../../service/test-service.ts';
import { openLesson } from '../../course/lessons/lesson-sandbox.ts';
import { callCases } from './call-cases.ts';
import { limitCases } from './limit-cases.ts';
import { signInCases } from './sign-in-cases.ts';
import { tokenCases } from './token-cases.ts';
import { call, limits, loadTest, ofThisSite, times, type Trace } from './traces.ts';

afterEach(() => vi.unstubAllGlobals());

const cases = [...limitCases, ...signInCases, ...tokenCases, ...callCases];
const working: SeatFacts = {
	after: 0,
	inStep: 0,
	presence: 'active',
	client: undefined,
	isDone: false,
	shown: 0,
	of: 0
};

async function signalAfter({ run, seat = {} }: Trace): Promise<Signal | null> {
	const service = createTestService();
	const { client, evidence } = await openLesson({}, service.transport);
	await run({ client, wait: (milliseconds) => (service.clock += milliseconds) });
	const { entries } = await evidence();
	const signal = findSignal(entries, { ...working, ...seat }, service.clock);
	expect(findSignal(entries.map(outlineOf), { ...working, ...seat }, service.clock), 'of outlines').toEqual(signal);
	return signal;
}

it('every signal has a trace that raises it', () => {
	const ids = allSignals.map(({ id }) => id);
	expect(ids).toHaveLength(30);
	expect(new Set(cases.map(({ id }) => id))).toEqual(new Set(ids));
});

/** What the button of the viewer does, and what is seen from then on. */
const loadTests: readonly (readonly [
	name: string,
	window: { readonly character: number; readonly blacklist_after_refused: number },
	wait: number,
	ids: readonly string[]
])[] = [
	['within the limit', { character: 50, blacklist_after_refused: 50 }, 0, ['load_test']],
	['over the limit', { character: 4, blacklist_after_refused: 50 }, 0, ['load_test']],
	['over the limit, seconds after its end', { character: 4, blacklist_after_refused: 50 }, 20_000, []],
	['over the limit, minutes after its end', { character: 4, blacklist_after_refused: 50 }, 300_000, []],
	['until the address is blacklisted', { character: 4, blacklist_after_refused: 4 }, 0, ['blacklisted']]
];

it.each(loadTests)('the load test of the viewer raises nothing that is not so: %s', async (_, window, wait, ids) => {
	const signal = await signalAfter({
		run: async (student) => {
			await limits(student, window);
			await loadTest(student, 40);
			student.wait(wait);
		}
	});
	expect(signal === null ? [] : [signal.id]).toEqual(ids);
});

it('a rejected call of the viewer raises what that of any client does', async () => {
	const withWrongToken = (headers: Record<string, string>): Trace => ({
		run: async (student) => {
			await times(4, () => call(student, 'OAuth wrong', undefined, headers));
			student.wait(40_000);
		}
	});
	const signal = await signalAfter(withWrongToken({}));
	expect(signal?.id).toBeDefined();
	expect(await signalAfter(withWrongToken(ofThisSite))).toMatchObject({ id: signal?.id });
});

it('every sentence for the instructor fits the board', () => {
	for (const { id, text, title } of allSignals) {
		expect(text.length, id).toBeLessThanOrEqual(54);
		expect(title.length, id).toBeLessThanOrEqual(27);
	}
});

describe.each(cases)('signal $id', ({ id, text, raises, quiet }) => {
	it('is raised by its trace', async () => {
		const signal = await signalAfter(raises);
		expect(signal?.id).toBe(id);
		expect(signal?.requests).toHaveLength(Math.min(signal?.count ?? 0, 10));
		if (text !== undefined) expect(signal?.text).toBe(text);
	});

	it.each(quiet.map((trace, index) => ({ trace, index })))(
		'is not raised by similar trace $index',
		async ({ trace }) => {
			expect((await signalAfter(trace))?.id).not.toBe(id);
		}
	);

	it('ends with the step', async () => {
		const signal = await signalAfter({ ...raises, seat: { after: 1_000_000 } });
		expect(signal).toBeNull();
	});
});
