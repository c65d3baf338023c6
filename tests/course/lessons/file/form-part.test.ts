import { expect, it } from 'vitest';
import { checkLessonFile } from '#evidence/lesson-file/check-lesson-file.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { observation } from '#evidence/lesson-file/observations.ts';
import { fitsPart, newValue, newVariant, partOf, titleOf, type Part } from '#course/lessons/file/form-part.ts';

const whole = partOf(lessonFile);

/** All parts of a file, with their places. */
function parts(part: Part, place = ''): readonly (readonly [string, Part])[] {
	const inner = (name: string, one: Part) => parts(one, `${place}.${name}`);
	switch (part.kind) {
		case 'object':
			return [[place, part], ...part.fields.flatMap(({ name, part: one }) => inner(name, one))];
		case 'variant':
			return [
				[place, part],
				...part.options.flatMap(({ kind, fields }) => fields.flatMap((one) => inner(`${kind}.${one.name}`, one.part)))
			];
		case 'list':
			return [[place, part], ...inner('0', part.item)];
		case 'tuple':
			return [[place, part], ...part.items.flatMap((item, at) => inner(String(at), item))];
		default:
			return [[place, part]];
	}
}

it('has a field for every part of the format, but what has no fixed form', () => {
	const asText = parts(whole).flatMap(([place, { kind }]) => (kind === 'json' ? [place] : []));
	expect([...new Set(asText)]).toMatchInlineSnapshot(`
		[
		  ".steps.0.tools.0.request.sets",
		  ".start.faults.0.times",
		]
	`);
});

it('has the labels, hints and limits of the declaration', () => {
	const fields = whole.kind === 'object' ? whole.fields : [];
	expect(fields.find(({ name }) => name === 'learnt')).toMatchObject({ label: 'Last page', isOptional: false });
	expect(fields.find(({ name }) => name === 'title')?.part).toMatchObject({ kind: 'text', most: 50 });
	expect(fields.find(({ name }) => name === 'minutes')?.part).toEqual({ kind: 'number', least: 1, most: 120 });
	const id = parts(whole).find(([place]) => place === '.prediction.shownBy')?.[1];
	expect(id).toMatchObject({ kind: 'text', isReference: true });
});

it('knows all conditions, each with a sentence', () => {
	const part = partOf(observation);
	const options = part.kind === 'variant' ? part.options : [];
	expect(options.map(({ kind }) => kind)).toEqual(observation.options.map(({ entries }) => entries.kind.literal));
	for (const { hint } of options) expect(hint).toMatch(/^[A-Z].*\.$/);
});

it('begins with a file that lacks texts only, each with a mistake at its field', () => {
	const content = newValue(whole, () => 'condition_1');
	const checked = checkLessonFile(JSON.stringify(content, undefined, '\t'));
	const places = 'mistakes' in checked ? checked.mistakes.map(({ place }) => place) : [];
	expect(places).toEqual([
		'title',
		'id',
		'goal',
		'text.0',
		'steps.0.title',
		'steps.0.text',
		'steps.0.conditions.0.label',
		'steps.0.conditions.0.unmet',
		'learnt.title',
		'learnt.text'
	]);
});

it('makes a condition of each kind that its own schema accepts, but for texts', () => {
	const part = partOf(observation);
	for (const option of part.kind === 'variant' ? part.options : [])
		expect(Object.keys(newVariant(option, () => ''))[0]).toBe('kind');
});

it('leaves a value of another type to the text', () => {
	expect(fitsPart({ kind: 'text', most: 1, isCode: false, isReference: false }, { a: 1 })).toBe(false);
	expect(fitsPart({ kind: 'number', least: 1, most: 2 }, 'many')).toBe(true);
	expect(fitsPart(whole, [])).toBe(false);
	expect(fitsPart(whole, undefined)).toBe(true);
});

it.each([
	[{ title: 'Sign in' }, 'Sign in'],
	[{ shows: { kind: 'consent_denied' } }, 'consent_denied'],
	[{}, 'New'],
	['text', '']
])('names %o while it is folded', (item, title) => {
	expect(titleOf(item)).toBe(title);
});
