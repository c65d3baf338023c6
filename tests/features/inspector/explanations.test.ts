import { expect, test } from 'vitest';
import { explanations, sharedExplanations } from '#features/inspector/explanations/explain.ts';
import { checks } from '#api/checks.ts';

/** Checks that no section requires. */
const withoutSection =
	/^(?:fault|control|sandbox)\.|^(?:character\.not_a_test_card|agent\.(?:server_runs|message_valid))$/;

test('each explanation has a cause, an advice and a line of code, in whole sentences', () => {
	for (const [key, [why, advice, code]] of Object.entries({ ...explanations, ...sharedExplanations })) {
		expect(why, key).toMatch(/^[A-Za-z].{15,}\.$/);
		expect(advice, key).toMatch(/^[A-Z].{6,}\.$/);
		expect(code ?? 'none', key).toMatch(/^[^\n]{4,110}$/);
	}
});

test('no two causes of one check share a text', () => {
	const all = Object.entries(explanations).map(([key, [why]]) => `${key.split(' ', 1)[0] ?? ''}: ${why}`);
	expect(new Set(all).size).toBe(all.length);
});

test('each check that can fail names a section, unless none requires it', () => {
	for (const [id, check] of Object.entries(checks)) {
		if (!('cannotFail' in check)) expect(check.section !== '' || withoutSection.test(id), id).toBe(true);
	}
});
