import { expect, test } from 'vitest';
import { checkRows } from '#api/check-table/check-table.ts';
import type { CheckRow } from '#api/check-table/check-row.ts';
import { checks } from '#api/checks.ts';
import { explainedChecks } from '#features/inspector/explain-failure.ts';

/** Checks that no section requires. */
const withoutSection =
	/^(?:fault|control|provider|sandbox)\.|^(?:character\.not_a_test_card|agent\.(?:server_runs|message_valid))$/;

/** All explanations of a check or a shared cause. */
const explained = [...explainedChecks].map(([id, { causes, history, ...own }]) => ({
	id,
	all: [own, ...Object.values(causes ?? {}), ...Object.values(history ?? {})].filter(({ why }) => why !== undefined)
}));

test('each explanation has a cause, an advice and a line of code, in whole sentences', () => {
	expect(explained.flatMap(({ all }) => all).length).toBeGreaterThan(350);
	for (const { id, all } of explained)
		for (const { why, fix, code } of all) {
			expect(why, id).toMatch(/^[A-Za-z].{15,}\.$/);
			expect(fix, id).toMatch(/^[A-Z].{6,}\.$/);
			expect(code ?? 'none', id).toMatch(/^[^\n]{4,110}$/);
		}
});

test('no two causes of one check share a text', () => {
	for (const { id, all } of explained) {
		const texts = all.map(({ why }) => why);
		expect(new Set(texts).size, id).toBe(texts.length);
	}
});

test('each check that can fail names a section, unless none requires it', () => {
	const rows: Readonly<Record<string, CheckRow>> = checkRows;
	for (const [id, { section }] of Object.entries(checks)) {
		const canFail = rows[id] !== undefined && !('cannotFail' in rows[id]);
		if (canFail) expect(section !== undefined || withoutSection.test(id), id).toBe(true);
	}
});
