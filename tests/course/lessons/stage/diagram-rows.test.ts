import { expect, test } from 'vitest';
import { timelineEntry } from '../../../features/inspector/timeline-entry.ts';
import { loadLesson } from '#course/lessons/all-lessons.ts';
import { diagramRows } from '#course/lessons/stage/diagram-rows.ts';

const lesson = await loadLesson('reading-the-limits');
if (lesson === undefined) throw new Error('There is no such lesson.');
const { stage } = lesson;

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

const { title, text, tools, condition } = stage.steps[0];
const step = { title, text, tools, condition };

test('what came before the exchanges that show a step is one row, where the room is too small', () => {
	const entries = Array.from({ length: 8 }, (_, index) =>
		timelineEntry(index + 1, { endpoint: index % 2 === 0 ? 'character' : 'ratelimits' })
	);
	const shown = { [condition]: ['id-7', 'id-8'] };
	const rows = diagramRows({ steps: [step], conditions: [condition], shown, entries, most: 9, keep: 0 });
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
	const options = { conditions: [condition], shown: {}, entries, most: 9, keep: 0, isThief };
	const lanes = (tools: typeof step.tools) =>
		diagramRows({ ...options, steps: [{ ...step, tools }] }).map((row) =>
			row.kind === 'arrow' && !row.isGhost ? `${row.from} ${row.to}` : ''
		);
	const application = ['application authorization', 'authorization application'];
	expect(lanes([{ kind: 'request', request: 'refresh', sender: 'thief' }])).toEqual([
		...application,
		'thief authorization',
		'authorization thief'
	]);
	// Where the tools of a step have no thief, the application sent it.
	expect(lanes([{ kind: 'request', request: 'refresh' }])).toEqual([...application, ...application]);
});

test('a folded sign-in names the account that signed in before', () => {
	const folds = 'Sign-in of player-one';
	const shown = { [condition]: ['id-2'] };
	const label = (username: string) =>
		diagramRows({
			steps: [{ ...step, folds }],
			conditions: [condition],
			shown,
			entries: [timelineEntry(1, { username }), timelineEntry(2, { username: 'player-one' })],
			most: 9,
			keep: 0
		}).map((row) => row.label);
	expect(label('player-one')).toEqual(['Sign-in of player-one · 2 exchanges']);
	expect(label('player-two')).toEqual(['Sign-in of player-one, after player-two · 2 exchanges']);
});
