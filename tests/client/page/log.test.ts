import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Journal } from '#client/events.ts';
import { Log } from '#client/page/log.svelte.ts';
import { Ticker } from '#client/page/ticker.svelte.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function followed() {
	const journal = new Journal(() => 0);
	const log = new Log(journal);
	const tell = (what: string) => journal.tell({ kind: 'noticed', what });
	const said = () => log.steps.map(({ what }) => what);
	const end = log.follow();
	return { journal, log, tell, said, end };
}

test('many steps of one moment become one repaint, a moment later', () => {
	const { log, tell, said } = followed();
	const before = log.steps;
	tell('one');
	tell('two');
	expect(log.steps).toBe(before);
	vi.advanceTimersByTime(200);
	expect(said()).toEqual(['one', 'two']);
});

test('what was told before somebody looked is there at once, the last hundred of it', () => {
	const journal = new Journal(() => 0);
	for (let step = 0; step < 120; step += 1) journal.tell({ kind: 'made', what: String(step) });
	const log = new Log(journal);
	log.follow();
	expect(log.steps).toHaveLength(100);
	expect(log.steps.at(-1)?.what).toBe('119');
});

test('paused it stands still, and says how many steps it has missed; then it catches up', () => {
	const { log, tell, said } = followed();
	tell('just before');
	log.pause(true);
	expect(said()).toEqual(['just before']);
	tell('meanwhile');
	vi.advanceTimersByTime(1000);
	expect(said()).toEqual(['just before']);
	expect(log.missed).toBe(1);
	log.pause(false);
	expect(said()).toEqual(['just before', 'meanwhile']);
	expect(log.missed).toBe(0);
});

test('cleared it is empty, also while it is paused', () => {
	const { log, tell, said } = followed();
	tell('one');
	log.pause(true);
	tell('two');
	log.clear();
	expect([said(), log.missed]).toEqual([[], 0]);
	log.pause(false);
	expect(said()).toEqual([]);
});

test('what was cleared can be brought back, before what came meanwhile', () => {
	const { log, tell, said } = followed();
	tell('one');
	tell('two');
	const bringBack = log.clear();
	tell('three');
	bringBack();
	expect(said()).toEqual(['one', 'two', 'three']);
	expect(new Set(log.steps.map(({ seq }) => seq)).size).toBe(3);
});

test.each([
	['the first one first', [0, 1]],
	['the last one first', [1, 0]],
	['one of them twice', [1, 0, 1]]
])('two clearings undone, %s: every step stands once, in its order', (_, order) => {
	const { log, tell, said } = followed();
	tell('one');
	tell('two');
	const undo = [log.clear()];
	tell('three');
	undo.push(log.clear());
	tell('four');
	for (const which of order) undo[which]?.();
	expect(said()).toEqual(['one', 'two', 'three', 'four']);
	tell('five');
	vi.advanceTimersByTime(200);
	expect(said()).toEqual(['one', 'two', 'three', 'four', 'five']);
	expect(new Set(log.steps.map(({ seq }) => seq)).size).toBe(5);
});

test('what is brought back while it is paused brings the missed steps with it', () => {
	const { log, tell, said } = followed();
	tell('one');
	log.pause(true);
	const bringBack = log.clear();
	tell('two');
	expect(log.missed).toBe(1);
	bringBack();
	expect([said(), log.missed]).toEqual([['one', 'two'], 0]);
});

test('nothing is followed after the end', () => {
	const { tell, said, end } = followed();
	end();
	tell('late');
	vi.advanceTimersByTime(1000);
	expect(said()).toEqual([]);
});

test('the ticker shows the time four times a second, works once a second, and is right at once when started again', () => {
	let time = 1000;
	const works: number[] = [];
	const ticker = new Ticker(() => time);
	const stop = ticker.start(() => works.push(time));
	time = 1250;
	vi.advanceTimersByTime(250);
	expect([ticker.now, works]).toEqual([1250, []]);
	time = 2000;
	vi.advanceTimersByTime(750);
	expect([ticker.now, works]).toEqual([2000, [2000]]);
	stop();
	time = 9000;
	vi.advanceTimersByTime(5000);
	expect([ticker.now, works.length]).toEqual([2000, 1]);
	ticker.start(() => undefined)();
	expect(ticker.now).toBe(9000);
});
