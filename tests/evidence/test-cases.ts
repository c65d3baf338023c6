import { expect, test } from 'vitest';
import { Log, type Case } from './log.ts';

/** A test for each case. What fails cites its requests, and what is not shown cites none. */
export function testCases(cases: readonly Case[]): void {
	for (const [rule, verdict, what, happens, expected = {}] of cases)
		test(`${rule}: ${verdict} if ${what}`, () => {
			const log = new Log();
			happens(log);
			const finding = log.finding(rule);
			expect(finding).toMatchObject({ verdict, ...expected });
			const ids = log.entries.map(({ id }) => id);
			expect(finding?.requests.every((id) => ids.includes(id))).toBe(true);
			expect(finding?.requests.length === 0).toBe(verdict === 'not_shown');
		});
}
