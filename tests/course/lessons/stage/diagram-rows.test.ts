import { expect, test } from 'vitest';
import { timelineEntry } from '../../../features/inspector/timeline-entry.ts';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { stepsOf } from '#course/lessons/evaluation/step.ts';
import { diagramRows } from '#course/lessons/stage/diagram-rows.ts';
import { fromPage } from '../recorded-history.ts';

const lesson = await loadLesson('reading-the-limits');
if (lesson === undefined) throw new Error('There is no such lesson.');
const { stage } = lesson;

test('draws an arrow and its response for each expected request, and nothing for a step that sends none', () => {
	const conditions = stage.steps.map(({ condition }) => condition);
	const steps = stepsOf({ steps: stage.steps, conditions, shown: {}, entries: [] });
	const rows = diagramRows({ steps, entries: [], most: 100, keep: 0 });
	expect(stage.steps.map((_, index) => rows.filter(({ step }) => step === index).length)).toEqual([2, 2, 2, 0]);
});

test('a load is one row with its number, though its first requests showed the step', () => {
	const entries = Array.from({ length: 20 }, (_, index) => timelineEntry(index + 1, { endpoint: 'character' }));
	const conditions = stage.steps.map(({ condition }) => condition);
	const ids = entries.map(({ id }) => id);
	const shown = { signed_in: [], calls_made: ids.slice(0, 5) };
	const steps = stepsOf({ steps: stage.steps, conditions, shown, entries });
	const rows = diagramRows({ steps, entries, most: 100, keep: 1 });
	const counted = rows.flatMap((row) => (row.kind === 'arrow' && row.part === 'request' ? [row.label] : []));
	expect(counted).toEqual(['20 × GET character']);
});

const { title, text, tools, condition } = stage.steps[0];
const step = { title, text, tools, condition };

test('what came before the exchanges that show a step is one row, where the room is too small', () => {
	const entries = Array.from({ length: 8 }, (_, index) =>
		timelineEntry(index + 1, { endpoint: index % 2 === 0 ? 'character' : 'ratelimits' })
	);
	const shown = { [condition]: ['id-7', 'id-8'] };
	const steps = stepsOf({ steps: [step], conditions: [condition], shown, entries });
	const rows = diagramRows({ steps, entries, most: 9, keep: 0 });
	const drawn = rows.map((row) => (row.kind === 'fold' ? row.label : row.exchange));
	expect(drawn).toEqual(['Before that · 4 exchanges', 'id-5', 'id-5', 'id-6', 'id-6', 'id-7', 'id-7', 'id-8', 'id-8']);
});

test('the requests of a thief have a lane of their own', () => {
	const entries = [1, 2].map((seq) =>
		timelineEntry(seq, {
			endpoint: 'token',
			request: { method: 'POST', target: '/ws/oauth2/token/', headers: [], body: `${seq}` }
		})
	);
	const isThief = ({ seq }: { readonly seq: number }) => seq === 2;
	const lanes = (tools: typeof step.tools) => {
		const steps = stepsOf({ steps: [{ ...step, tools }], conditions: [condition], shown: {}, entries });
		return diagramRows({ steps, entries, most: 9, keep: 0, isThief }).map((row) =>
			row.kind === 'arrow' && !row.isGhost ? `${row.from} ${row.to}` : ''
		);
	};
	const application = ['application authorization', 'authorization application'];
	expect(lanes([{ kind: 'request', request: 'refresh', sender: 'thief' }])).toEqual([
		...application,
		'thief authorization',
		'authorization thief'
	]);
	// Where the tools of a step have no thief, the application sent it.
	expect(lanes([{ kind: 'request', request: 'refresh' }])).toEqual([...application, ...application]);
});

test('a folded sign-in names another account that signed in before, also where the step names none', () => {
	const shown = { [condition]: ['id-2'] };
	const label = (folds: string, username: string) => {
		const entries = [timelineEntry(1, { username }), timelineEntry(2, { username: 'player-one' })];
		const steps = stepsOf({ steps: [{ ...step, folds }], conditions: [condition], shown, entries });
		return diagramRows({ steps, entries, most: 9, keep: 0 }).map((row) => row.label);
	};
	for (const folds of ['Sign-in of player-one', 'Sign-in with renewal']) {
		expect(label(folds, 'player-one')).toEqual([`${folds} · 2 exchanges`]);
		expect(label(folds, 'player-two')).toEqual([`${folds}, after player-two · 2 exchanges`]);
	}
});

test('what is sent again in a done step is drawn in that step', () => {
	const sent = [1, 2, 3].map((seq) => timelineEntry(seq, { endpoint: 'ratelimits' }));
	const { entries } = fromPage({ entries: sent, entered: [] });
	const [first, second] = stage.steps.slice(2);
	if (first === undefined || second === undefined) throw new Error('The lesson has too few steps.');
	const conditions = [first.condition, second.condition];
	const shown = { [first.condition]: ['id-1'] };
	const visits = [{ step: 0, after: 0 }];
	const steps = stepsOf({ steps: [first, second], conditions, shown, entries, visits });
	const drawn = diagramRows({ steps, entries, most: 100, keep: 0 }).filter(({ step: of }) => of !== undefined);
	expect(drawn.map((row) => [row.step, row.kind === 'arrow' && !row.isGhost && row.exchange])).toEqual(
		drawn.map((row) => [0, row.kind === 'arrow' && !row.isGhost && row.exchange])
	);
});
