import { expect, test } from 'vitest';
import { stage } from '#features/lessons/reading-the-limits/stage.ts';
import { diagramRows } from '#features/lessons/stage/diagram-rows.ts';

test('draws an arrow and its response for each expected request, and nothing for a step that sends none', () => {
	const conditions = stage.steps.map(({ condition }) => condition);
	const rows = diagramRows({ steps: stage.steps, conditions, shown: {}, entries: [], most: 100, keep: 0 });
	expect(stage.steps.map((_, index) => rows.filter(({ step }) => step === index).length)).toEqual([2, 2, 2, 0]);
});
