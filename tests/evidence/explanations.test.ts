import { expect, test } from 'vitest';
import { dialectNames } from '#api/dialect.ts';
import { allRules } from '#evidence/all-rules.ts';
import { explanationOf } from '#evidence/rule-explanations.ts';

const inDialects = dialectNames.flatMap((dialect) => allRules.map(({ id }) => ({ id, dialect })));

test.each(inDialects)('$id has an explanation with two codes of the same length: $dialect', ({ id, dialect }) => {
	const explanation = explanationOf(id, dialect);
	const [wrong, right] = [explanation?.wrong ?? '', explanation?.right ?? ''].map((code) => code.split('\n'));
	expect(wrong?.length).toBeGreaterThanOrEqual(4);
	expect(wrong?.length).toBeLessThanOrEqual(8);
	expect(right?.length).toBe(wrong?.length);
	expect(explanation?.right).not.toBe(explanation?.wrong);
	const parallel = explanation?.parallel?.split('\n') ?? [];
	const longest = Math.max(...[wrong ?? [], right ?? [], parallel].flat().map(({ length }) => length));
	expect(longest).toBeLessThanOrEqual(72);
	for (const text of [explanation?.condition, explanation?.why]) expect(text).toMatch(/^[A-Z0-9].*\.$/);
});

test('an unknown rule has no explanation', () => {
	expect([explanationOf('request.unknown'), explanationOf('constructor')]).toEqual([undefined, undefined]);
});
