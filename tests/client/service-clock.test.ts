import { describe, expect, test } from 'vitest';
import { ServiceClock } from '#client/service-clock.ts';

const noon = Date.UTC(2026, 10, 21, 12);

/** A clock that hears answers of a service so many milliseconds ahead. */
function hearing() {
	const moves: number[] = [];
	const bench = { local: noon, ahead: 0, moves };
	const clock = new ServiceClock(
		() => bench.local,
		(difference) => moves.push(difference)
	);
	const hear = (travel = 0) => {
		const sent = bench.local;
		const date = new Date(sent + bench.ahead).toUTCString();
		bench.local += travel;
		clock.observe(date, sent, bench.local);
	};
	return { bench, clock, hear };
}

describe('the clock of the service', () => {
	test('is this machine’s until an answer has told', () => {
		const { clock } = hearing();
		expect([clock.heard, clock.offset, clock.now()]).toEqual([false, 0, noon]);
		clock.observe(null, noon, noon);
		clock.observe('yesterday', noon, noon);
		expect([clock.heard, clock.offset]).toEqual([false, 0]);
	});

	test('one answer tells it to half a second, more of them to a fraction', () => {
		const { bench, clock, hear } = hearing();
		bench.ahead = 600_250;
		hear();
		expect(Math.abs(clock.offset - bench.ahead)).toBeLessThanOrEqual(500);
		for (let answer = 0; answer < 20; answer += 1) {
			bench.local += 1050;
			hear();
		}
		expect(Math.abs(clock.offset - bench.ahead)).toBeLessThanOrEqual(30);
		expect(bench.moves).toEqual([]);
	});

	test('an answer that was long under way tells less, and nothing wrong', () => {
		const { bench, clock, hear } = hearing();
		hear();
		const before = clock.offset;
		bench.local += 1000;
		hear(10_000);
		expect(clock.offset).toBe(before);
		expect(bench.moves).toEqual([]);
	});

	test.each([3_600_000, -3_600_000])('moved by %i milliseconds: known at the next answer, and told', (by) => {
		const { bench, clock, hear } = hearing();
		hear();
		bench.ahead += by;
		hear();
		expect(Math.abs(clock.offset - by)).toBeLessThanOrEqual(500);
		expect(bench.moves).toEqual([by]);
	});

	test('of a step of a few seconds nothing is said', () => {
		const { bench, clock, hear } = hearing();
		hear();
		bench.ahead += 3000;
		hear();
		expect(Math.abs(clock.offset - 3000)).toBeLessThanOrEqual(500);
		bench.ahead += 4000;
		hear();
		expect(bench.moves).toEqual([4000]);
	});

	test('what was known earlier counts until the first answer, which overrules it', () => {
		const { bench, clock, hear } = hearing();
		clock.assume(60_000);
		expect([clock.heard, clock.offset]).toEqual([true, 60_000]);
		hear();
		expect(Math.abs(clock.offset)).toBeLessThanOrEqual(500);
		clock.assume(60_000);
		expect(Math.abs(clock.offset)).toBeLessThanOrEqual(500);
		expect(bench.moves).toHaveLength(1);
	});
});
