import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BoardRow } from '#api/control/board.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { Board } from '#course/class/model/board.svelte.ts';
import { rowOf, signalOf } from './rows.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const view = {
	code: 'H7K4QX',
	name: 'Class',
	join_url: 'https://tollgate.test/join/H7K4QX',
	seats: 3,
	joined: 1,
	lessons: [],
	created: 1,
	expires: 10_000,
	is_locked: false,
	paused_until: null,
	notices: []
};

/** A board whose service responds with these rows, or with a status. */
async function openBoard(rows: readonly BoardRow[], status = 200) {
	const listeners = new Map<string, (event: MessageEvent<string>) => void>();
	const emit = (type: string, data = '') => listeners.get(type)?.(new MessageEvent(type, { data }));
	const stream = {
		readyState: 1,
		close: () => undefined,
		addEventListener: (type: string, listener: (event: MessageEvent<string>) => void) => {
			listeners.set(type, listener);
		}
	};
	let clock = 0;
	const responses = { status, rows };
	const fetch = () =>
		Promise.resolve(
			Response.json(
				responses.status === 200
					? { ...view, since: 1, rows: responses.rows }
					: { error: 'forbidden', error_description: 'No.' },
				{ status: responses.status }
			)
		);
	const board = new Board(new ControlApi('https://tollgate.test', fetch), 'H7K4QX', {
		openStream: () => stream,
		now: () => clock,
		wait: (run, milliseconds) => setTimeout(run, milliseconds)
	});
	const stop = board.start();
	await vi.advanceTimersByTimeAsync(0);
	return {
		board,
		stop,
		responses,
		stream,
		open: () => emit('open'),
		fail: () => emit('error'),
		send: (type: string, data: object) => emit(type, JSON.stringify(data)),
		wait: async (milliseconds: number) => {
			clock += milliseconds;
			await vi.advanceTimersByTimeAsync(milliseconds);
		}
	};
}

it('says since when requests are known, only after the server was restarted', async () => {
	const { board, send, stop } = await openBoard([rowOf({ seat: 1 })]);
	expect(board.readSince).toBeUndefined();
	send('rows', { since: view.created + 60_000, rows: [] });
	expect(board.readSince).toBe(view.created + 60_000);
	stop();
});

const seats = ({ rows }: Board) => rows.map(({ seat }) => seat);

it('shows changed values at once, and new places after 5 seconds', async () => {
	const { board, send, wait, stop } = await openBoard([rowOf({ seat: 1 }), rowOf({ seat: 2 })]);
	send('rows', { since: 1, rows: [rowOf({ seat: 2, signal: signalOf('bearer') }), rowOf({ seat: 3 })] });
	expect([seats(board), board.find(2)?.signal?.id, board.counts.stuck]).toEqual([[1, 2, 3], 'bearer', 1]);
	await wait(5000);
	expect(seats(board)).toEqual([2, 1, 3]);
	stop();
});

it('keeps the places for 5 seconds at most while the pointer is in the table, and says so', async () => {
	const { board, send, wait, stop } = await openBoard([rowOf({ seat: 1 }), rowOf({ seat: 2 })]);
	await wait(60_000);
	board.isHeld = true;
	expect(board.isOrderHeld).toBe(false);
	send('rows', { since: 1, rows: [rowOf({ seat: 2, signal: signalOf('bearer') })] });
	await wait(4000);
	expect([seats(board), board.isOrderHeld]).toEqual([[1, 2], true]);
	await wait(1000);
	expect([seats(board), board.isOrderHeld]).toEqual([[2, 1], false]);
	send('rows', { since: 1, rows: [rowOf({ seat: 2 }), rowOf({ seat: 1, signal: signalOf('bearer') })] });
	board.sort();
	expect([seats(board), board.isOrderHeld], 'Sort now').toEqual([[1, 2], false]);
	stop();
});

it('puts a raised hand first at once, also while the pointer is in the table', async () => {
	const rows = [1, 2, 3].map((seat) => rowOf({ seat }));
	const { board, send, stop } = await openBoard(rows);
	board.isHeld = true;
	send('rows', { since: 1, rows: [rowOf({ seat: 3, hand: { since: 1 } })] });
	expect([seats(board), board.counts.hand]).toEqual([[3, 1, 2], 1]);
	send('rows', { since: 1, rows: [rowOf({ seat: 2, hand: { since: 2 } })] });
	expect(seats(board)).toEqual([3, 2, 1]);
	send('rows', { since: 1, rows: [rowOf({ seat: 3 })] });
	expect(seats(board)).toEqual([2, 1, 3]);
	stop();
});

it('says that it is not connected, and connects again', async () => {
	const { board, stream, fail, send, wait, stop } = await openBoard([rowOf({ seat: 1 })]);
	stream.readyState = 2;
	fail();
	expect(board.state).toBe('disconnected');
	stream.readyState = 1;
	await wait(3000);
	send('rows', { since: 1, rows: [] });
	expect([board.state, seats(board)]).toEqual(['live', [1]]);
	stop();
});

it.each([
	[403, 'closed'],
	[404, 'unknown']
])('after status %i it is %s', async (status, state) => {
	const { board, stop } = await openBoard([], status);
	expect(board.state).toBe(state);
	stop();
});

it('reads the class again when events may have been missed, and applies later ones to it', async () => {
	const { board, send, responses, open, wait, stop } = await openBoard([rowOf({ seat: 1 })]);
	responses.rows = [rowOf({ seat: 1 }), rowOf({ seat: 2 })];
	open();
	send('rows', { since: 1, rows: [rowOf({ seat: 2, signal: signalOf('bearer') })] });
	await wait(0);
	expect([seats(board), board.find(2)?.signal?.id]).toEqual([[1, 2], 'bearer']);
	stop();
});

it('closes when it may not be read any more', async () => {
	const { board, responses, open, wait, stop } = await openBoard([rowOf({ seat: 1 })]);
	responses.status = 403;
	open();
	await wait(0);
	expect(board.state).toBe('closed');
	stop();
});

it.each([
	['lost before its time', 0, 'lost'],
	['over', 10_000, 'ended']
])('a class that is gone when the board connects again is %s, and its rows are kept', async (_, passed, state) => {
	const { board, stream, responses, fail, wait, stop } = await openBoard([rowOf({ seat: 1 })]);
	await wait(passed);
	responses.status = 404;
	stream.readyState = 2;
	fail();
	await wait(3000);
	expect([board.state, seats(board)]).toEqual([state, [1]]);
	stop();
});

it('ends with the class', async () => {
	const { board, send, stop } = await openBoard([rowOf({ seat: 1 })]);
	send('ended', {});
	expect(board.state).toBe('ended');
	stop();
});

/** A board whose responses come when the test sends them, in the order of the requests. */
function slowBoard() {
	const waiting: ((response: Response) => void)[] = [];
	const streams: { isClosed: boolean }[] = [];
	const fetch = () => new Promise<Response>((resolve) => waiting.push(resolve));
	const board = new Board(new ControlApi('https://tollgate.test', fetch), 'H7K4QX', {
		openStream: () => {
			const stream = { isClosed: false };
			streams.push(stream);
			return { readyState: 1, close: () => (stream.isClosed = true), addEventListener: () => undefined };
		},
		now: () => 0,
		wait: (run, milliseconds) => setTimeout(run, milliseconds)
	});
	const respond = async (status = 200) => {
		const body = status === 200 ? { ...view, since: 1, rows: [] } : { error: 'slow_down', error_description: 'Wait.' };
		waiting.shift()?.(Response.json(body, { status }));
		await vi.advanceTimersByTimeAsync(0);
	};
	return { board, waiting, respond, open: () => streams.filter(({ isClosed }) => !isClosed).length };
}

it.each([200, 503])('follows nothing and tries nothing again when it was left before status %i', async (status) => {
	const { board, waiting, respond, open } = slowBoard();
	board.start()();
	await respond(status);
	await vi.advanceTimersByTimeAsync(60_000);
	expect([open(), waiting.length]).toEqual([0, 0]);
});

it('has one stream when a key is entered before the first response', async () => {
	const { board, respond, open } = slowBoard();
	const stop = board.start();
	void board.enter('key');
	await respond();
	await respond();
	await respond();
	expect(open()).toBe(1);
	stop();
	expect(open()).toBe(0);
});

it('says why a key was not tried, and does not try again without it', async () => {
	const { board, waiting, respond } = slowBoard();
	const stop = board.start();
	await respond(403);
	const entered = board.enter('key');
	await respond(429);
	await entered;
	await vi.advanceTimersByTimeAsync(60_000);
	expect([board.state, board.error?.message, waiting.length]).toEqual(['closed', 'Wait.', 0]);
	stop();
});

it('forgets seats that are removed', async () => {
	const { board, send, stop } = await openBoard([rowOf({ seat: 1 }), rowOf({ seat: 2 })]);
	send('rows', { since: 1, rows: [], removed: [1] });
	expect([seats(board), board.find(1)]).toEqual([[2], undefined]);
	stop();
});
