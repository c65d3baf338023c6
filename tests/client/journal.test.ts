import { describe, expect, test } from 'vitest';
import { Journal } from '#client/events.ts';
import { sentences } from './workbench.ts';

function told(journal: Journal, ...whats: string[]): Journal {
	for (const what of whats) journal.tell({ kind: 'made', what });
	return journal;
}

describe('the journal', () => {
	test('numbers its steps, and says when they were', () => {
		let now = 1000;
		const journal = new Journal(() => now);
		told(journal, 'a');
		now = 2000;
		told(journal, 'b');
		expect(journal.steps).toEqual([
			{ seq: 1, at: 1000, kind: 'made', what: 'a', facts: [] },
			{ seq: 2, at: 2000, kind: 'made', what: 'b', facts: [] }
		]);
	});

	test('remembers the latest steps, and never many more than it is asked to', () => {
		const journal = new Journal(() => 0, 4);
		for (let step = 1; step <= 100; step += 1) {
			told(journal, String(step));
			expect(journal.steps.length).toBeLessThanOrEqual(6);
		}
		expect(sentences(journal.steps.slice(-4))).toEqual(['made: 97', 'made: 98', 'made: 99', 'made: 100']);
		expect(journal.steps.at(-1)?.seq).toBe(100);
	});

	test('goes on after the steps of an earlier page', () => {
		const earlier = told(new Journal(() => 0), 'a', 'b', 'c', 'd', 'e');
		const journal = told(new Journal(() => 0, 3), 'f');
		journal.restore(earlier.steps);
		expect(sentences(journal.steps)).toEqual(['made: c', 'made: d', 'made: e', 'made: f']);
		told(journal, 'g');
		expect(journal.steps.map(({ seq }) => seq).slice(-3)).toEqual([5, 6, 7]);
		const fresh = told(new Journal(() => 0), 'f');
		fresh.restore([]);
		expect(fresh.steps.map(({ seq }) => seq)).toEqual([1]);
	});

	test('steps that are brought back take no number from those that came since', () => {
		const journal = told(new Journal(() => 0), 'a', 'b');
		const bringBack = journal.clear();
		told(journal, 'c');
		bringBack();
		told(journal, 'd');
		expect(journal.steps.map(({ seq, what }) => [seq, what])).toEqual([
			[1, 'a'],
			[2, 'b'],
			[3, 'c'],
			[4, 'd']
		]);
	});

	test('what is brought back counts among the steps that it remembers', () => {
		const journal = told(new Journal(() => 0, 4), 'a', 'b', 'c', 'd', 'e');
		const bringBack = journal.clear();
		told(journal, 'f', 'g', 'h');
		bringBack();
		expect(sentences(journal.steps)).toEqual(['made: e', 'made: f', 'made: g', 'made: h']);
	});

	test('a listener hears until it has ended', () => {
		const journal = new Journal(() => 0);
		const heard: string[] = [];
		const end = journal.listen(({ what }) => heard.push(what));
		told(journal, 'a');
		end();
		told(journal, 'b');
		expect(heard).toEqual(['a']);
	});
});
