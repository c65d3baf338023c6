import { describe, expect, it } from 'vitest';
import { LessonDraft } from '#course/lessons/file/lesson-draft.svelte.ts';
import { text, valid } from '../../../evidence/lesson-file/files.ts';

const draftOf = (content: unknown = valid) => new LessonDraft(text(content));

describe('a lesson file that is edited', () => {
	it('has its mistakes at their places, until they are corrected', () => {
		const draft = draftOf();
		expect(draft.mistakes).toEqual([]);
		draft.set('steps.0.title', '');
		expect(draft.errorAt('steps.0.title')).toBe('This field is required.');
		expect([draft.mistakesIn('steps'), draft.mistakesIn('steps.0'), draft.mistakesIn('steps.1')]).toEqual([1, 1, 0]);
		expect(draft.errorIn('steps.0')).toBe('title: This field is required.');
		expect(draft.mistakes[0]?.line).toBe(draft.text.split('\n').findIndex((line) => line.includes('"title": ""')) + 1);
		draft.set('steps.0.title', 'Begin');
		expect(draft.mistakes).toEqual([]);
	});

	it('is the same as a form and as text', () => {
		const draft = draftOf();
		draft.text = draft.text.replace('Call our API', 'Call it');
		expect(draft.valueAt('title')).toBe('Call it');
		draft.set('title', 'Call our API');
		expect(JSON.parse(draft.text)).toEqual(valid);
	});

	it.each([
		['is no JSON', '{"title": ', 'It is not JSON'],
		['says a name twice', text(valid).replace('"minutes": 10,', '"minutes": 10,\n"minutes": 11,'), 'The name occurs'],
		['has a reserved name', text(valid).replace('"minutes"', '"__proto__": {},\n"minutes"'), 'is reserved'],
		['is a list', '[]', 'It is not a JSON object']
	])('stays text where it %s, and no field changes it', (_, given, reason) => {
		const draft = new LessonDraft(given);
		expect(draft.content).toBeUndefined();
		draft.set('title', 'Other');
		expect(draft.text).toBe(given);
		expect(draft.mistakes[0]?.reason).toContain(reason);
	});

	it('keeps what it does not know, as a mistake', () => {
		const draft = draftOf({ ...valid, extra: { a: [1] } });
		draft.set('title', 'Other');
		expect(draft.valueAt('extra')).toEqual({ a: [1] });
		expect(draft.errorAt('extra')).toContain('no such field');
	});

	it('adds, moves and removes items, and each is one step of undo', () => {
		const draft = draftOf();
		draft.addItem('steps', { title: 'Third' });
		expect(draft.opened.has('steps.2')).toBe(true);
		draft.moveUp('steps', 2);
		expect(draft.valueAt('steps.1.title')).toBe('Third');
		draft.remove('steps', 0);
		expect(draft.valueAt('steps.0.title')).toBe('Third');
		for (let count = 0; count < 3; count++) draft.undo();
		expect(draft.text).toBe(text(valid));
		expect(draft.canUndo).toBe(false);
	});

	it('undoes what was typed in one field at once', () => {
		const draft = draftOf();
		for (const typed of ['A', 'Ab', 'Abc']) draft.set('title', typed);
		draft.undo();
		expect(draft.valueAt('title')).toBe(valid.title);
	});

	it('gives a new condition an id that no other one has', () => {
		const draft = draftOf();
		expect(draft.newId()).toBe('condition_3');
		draft.set('steps.0.conditions.0.id', 'condition_3');
		expect(draft.newId()).toBe('condition_4');
	});
});
