import { expect, test } from 'vitest';
import { timelineEntry } from '../../inspector/timeline-entry.ts';
import { stage } from '#features/lessons/reading-the-limits/stage.ts';
import { diagramRows } from '#features/lessons/stage/diagram-rows.ts';

test('draws an arrow and its response for each expected request, and nothing for a step that sends none', () => {
	const conditions = stage.steps.map(({ condition }) => condition);
	const rows = diagramRows({ steps: stage.steps, conditions, shown: {}, entries: [], most: 100, keep: 0 });
	expect(stage.steps.map((_, index) => rows.filter(({ step }) => step === index).length)).toEqual([2, 2, 2, 0]);
});

test('a load is one row with its number, though its first requests showed the step', () => {
	const entries = Array.from({ length: 20 }, (_, index) => timelineEntry(index + 1, { endpoint: 'character' }));
	const conditions = stage.steps.map(({ condition }) => condition);
	const ids = entries.map(({ id }) => id);
	const shown = { signed_in: [], calls_made: ids.slice(0, 5) };
	const rows = diagramRows({ steps: stage.steps, conditions, shown, entries, most: 100, keep: 1 });
	const counted = rows.flatMap((row) => (row.kind === 'arrow' && row.part === 'request' ? [row.label] : []));
	expect(counted).toEqual(['20 × GET character']);
});
