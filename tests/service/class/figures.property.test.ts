import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { classBoard, classExport } from '#api/control/board.ts';
import { commonStep, shownOf, stepsText } from '#course/class/model/wall-figures.ts';
import { countRows } from '#course/class/model/seat-state.ts';
import { ClassServer } from './class-server.ts';

// One unit for steps: whatever a class does, no two places say different things of it.

const lessons = { 'whole-trip': 2, 'uninvited-code': 4, 'labs/login-csrf': 5, 'write/exchange-the-code': 6 } as const;
const names = Object.keys(lessons).filter((name): name is keyof typeof lessons => name in lessons);

const report = fc
	.record({ lesson: fc.constantFrom(...names), isDone: fc.boolean(), mask: fc.integer({ min: 0, max: 63 }) })
	.map(({ lesson, isDone, mask }) => {
		const of = lessons[lesson];
		const places = Array.from({ length: of }, (_, place) => place).filter((place) => (mask >> place) & 1);
		const open = Array.from({ length: of }, (_, place) => place).find((place) => !places.includes(place));
		const shown = Object.fromEntries(places.map((place) => [String(place), []]));
		return { lesson, step: open ?? of, shown, of, is_done: isDone };
	});
const classOf = fc.array(fc.array(report, { maxLength: 4 }), { minLength: 1, maxLength: 5 });

const statements = v.array(
	v.object({
		actor: v.object({ account: v.object({ name: v.string() }) }),
		verb: v.object({ id: v.string() }),
		object: v.object({ id: v.string() }),
		result: v.optional(v.object({ score: v.optional(v.object({ raw: v.number(), max: v.number() })) }))
	})
);

it('board, wall, seat, CSV, JSON and xAPI of a random class never disagree', async () => {
	await fc.assert(
		fc.asyncProperty(classOf, async (seats) => {
			const server = new ClassServer();
			const { code, key } = await server.open();
			const joined = [];
			for (const [at, reports] of seats.entries()) {
				const seat = await server.join(code);
				joined.push(seat);
				for (const progress of reports)
					expect((await server.change(seat.key, code, at + 1, { progress })).status).toBe(200);
			}
			const at = `/control/classes/${code}`;
			const { rows } = (await server.call(key, 'GET', at)).as(classBoard);
			const { seats: exported } = (await server.call(key, 'GET', `${at}/export`)).as(classExport);
			const csv = (await server.call(key, 'GET', `${at}/export?format=csv`)).text.split('\r\n');
			const columns = csv[0]?.split(',') ?? [];
			const xapi = v.parse(statements, (await server.call(key, 'GET', `${at}/export?format=xapi`)).json());
			for (const [index, row] of rows.entries()) {
				const cell = (name: string) => csv[index + 1]?.split(',')[columns.indexOf(name)];
				const status = await server.statusOf(joined[index] ?? expect.fail('no seat'));
				const seat = exported[index] ?? expect.fail('no export');
				// Each place has the two numbers of the same unit.
				expect([row.shown, row.of]).toEqual([seat.shown, seat.of]);
				expect([cell('shown'), cell('of')]).toEqual([String(row.shown), String(row.of)]);
				expect(row.shown_steps).toHaveLength(row.shown);
				expect(stepsText(row)).toBe(row.lesson === null ? '' : `${seat.shown} of ${seat.of}`);
				expect(row.is_done ? row.shown === row.of && row.step === row.of : row.step <= row.of).toBe(true);
				// What is done is the same list everywhere.
				expect([row.done, seat.done, cell('done')?.split(' ').filter(Boolean)]).toEqual([
					...[status.done.length, status.done, status.done]
				]);
				if (row.is_done) expect(status.done).toContain(row.lesson);
				const own = xapi.filter(({ actor }) => actor.account.name.endsWith(`-seat-${row.seat}`));
				const of = (verb: string) => own.filter(({ verb: { id } }) => id.endsWith(`/${verb}`));
				expect(of('completed')).toHaveLength(seat.done.length);
				for (const { result } of of('attempted'))
					expect([result?.score?.raw, result?.score?.max]).toEqual([row.shown, row.of]);
			}
			const common = commonStep(rows);
			const inIt = rows.filter(({ lesson }) => lesson === common?.lesson);
			if (common !== undefined) {
				expect(common.inLesson).toBe(inIt.length);
				expect(common.inStep).toBe(inIt.filter(({ step, is_done }) => !is_done && step === common.step).length);
				const titles = Array.from({ length: inIt[0]?.of ?? 0 }, (_, place) => String(place));
				const bars = shownOf(rows, common.lesson, titles).reduce((sum, { count }) => sum + count, 0);
				expect(bars).toBe(inIt.reduce((sum, { shown }) => sum + shown, 0));
			}
			expect(countRows(rows).done).toBe(rows.filter(({ is_done }) => is_done).length);
		}),
		{ numRuns: 15 }
	);
});
