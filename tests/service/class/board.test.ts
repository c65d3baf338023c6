import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { boardRow, classBoard, type BoardRow } from '#api/control/board.ts';
import { traffic } from '#api/control/traffic.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { queryOf } from '../../conformance/user-agent.ts';
import { ClassServer, failingExchange, type OpenedClass, type Seat } from './class-server.ts';

const minute = 60_000;
const events = v.object({ since: v.number(), rows: v.array(boardRow) });
const progress = { lesson: 'whole-trip', step: 2, shown: { 0: ['h_1'] }, of: 4, is_done: false };

async function rowsOf(server: ClassServer, { code, key }: OpenedClass): Promise<BoardRow[]> {
	return (await server.call(key, 'GET', `/control/classes/${code}`)).as(classBoard).rows;
}

/** A user without a browser allows access. */
async function authorize(server: ClassServer, seat: Seat) {
	const app = await server.call(seat.key, 'POST', `/~${seat.id}/control/applications`, {
		...{ name: 'Mine', kind: 'web', redirect_uris: ['http://localhost:3000/callback'] }
	});
	const { client_id, redirect_uris } = app.as(v.object({ client_id: v.string(), redirect_uris: v.array(v.string()) }));
	const query = queryOf({ client_id, client_secret: '', redirect_uri: redirect_uris[0] ?? '' });
	return server.call(seat.key, 'POST', `/~${seat.id}/control/authorizations`, { username: 'player-one', query });
}

function followBoard(server: ClassServer, { code, key }: OpenedClass) {
	return server.tested.transport.stream({
		target: `/control/classes/${code}/stream`,
		headers: ['X-Tollgate-Key', key]
	});
}

/** The rows of an event of the board. */
function rowsIn(text = ''): BoardRow[] {
	const [, data = '{"since":0,"rows":[]}'] = /^event: rows\ndata: (.*)$/m.exec(text) ?? [];
	return v.parse(events, JSON.parse(data)).rows;
}

/** A server whose streams wait for the test. */
function streamingServer(options: Partial<ServiceOptions> = {}) {
	const waiting: (() => void)[] = [];
	const server = new ClassServer({ ...options, sleep: () => new Promise((resolve) => waiting.push(resolve)) });
	return {
		server,
		/** Moves the clock until a stream has something new. */
		async until<T>(pending: Promise<T>): Promise<T> {
			let result: { value: T } | undefined;
			void pending.then((value) => (result = { value }));
			for (let turn = 0; turn < 500 && result === undefined; turn++) {
				await new Promise((resolve) => setImmediate(resolve));
				server.tested.clock += 250;
				waiting.splice(0).forEach((wake) => wake());
			}
			if (result === undefined) throw new Error('The stream has nothing new.');
			return result.value;
		}
	};
}

describe('rows', () => {
	it('show who joined, where the student is, and the last exchange', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		expect(await rowsOf(server, opened)).toMatchObject([
			{ seat: 1, label: seat.label, presence: 'active', lesson: null, last: null, client: null, signal: null }
		]);
		await server.change(seat.key, opened.code, 1, { progress });
		await failingExchange(server, seat);
		server.tested.clock += 3 * minute;
		const [row] = await rowsOf(server, opened);
		expect(row).toMatchObject({
			...{ presence: 'quiet', lesson: 'whole-trip', step: 2, shown: 1, of: 4, shown_steps: ['0'], minutes: 3 },
			...{ client: 'own', median: null, blacklisted: false },
			last: { check: expect.stringContaining('token.'), text: expect.stringContaining('token: invalid_grant') }
		});
		expect(row?.card?.not_shown).toBeGreaterThan(0);
	});

	it('show a seat as active for a minute after a request, quiet for five, and then away', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		await failingExchange(server, seat);
		const { clock } = server.tested;
		const presences = [];
		for (const idle of [minute - 1000, minute, 5 * minute - 1000, 5 * minute]) {
			server.tested.clock = clock + idle;
			presences.push((await rowsOf(server, opened))[0]?.presence);
		}
		expect(presences).toEqual(['active', 'quiet', 'quiet', 'away']);
	});

	it('show a signal, and forget it after a reset', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		for (let count = 0; count < 3; count++) await failingExchange(server, seat);
		expect((await rowsOf(server, opened))[0]?.signal).toMatchObject({ id: 'same_again', count: 3 });
		const reset = await server.call(opened.key, 'POST', `/~${seat.id}/control/reset`, { keep: ['applications'] });
		expect(reset.status).toBe(200);
		expect((await rowsOf(server, opened))[0]).toMatchObject({ signal: null, last: null, client: null });
		expect((await failingExchange(server, seat)).error, 'the application is still there').toBe('invalid_grant');
	});

	it('show the last signal of a step again after a restart, until the log knows more', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		await server.change(seat.key, opened.code, 1, { progress });
		for (let count = 0; count < 3; count++) await failingExchange(server, seat);
		expect((await rowsOf(server, opened))[0]?.signal?.text).toBe('Gets the same error again.');
		const { store, clock } = server.tested;
		const restarted = new ClassServer({ store, now: () => clock + minute });
		expect((await rowsOf(restarted, opened))[0]?.signal).toMatchObject({
			id: 'same_again',
			text: 'Gets the same error again. Before the server was restarted.'
		});
		await failingExchange(restarted, seat);
		expect((await rowsOf(restarted, opened))[0]?.signal?.id).not.toBe('same_again');
		await restarted.change(seat.key, opened.code, 1, { progress: { ...progress, step: 3 } });
		expect((await rowsOf(new ClassServer({ store, now: () => clock + minute }), opened))[0]?.signal).toBeNull();
	});

	const fromBrowser = ['Accept', 'text/html', 'Sec-Fetch-Site'] as const;
	it.each([
		{ by: 'a program', client_id: 'character-viewer-x', headers: [], client: 'own' },
		{
			by: 'a browser that comes from elsewhere',
			client_id: 'character-viewer-x',
			headers: [...fromBrowser, 'none'],
			client: 'own'
		},
		{ by: 'the viewer', client_id: 'character-viewer', headers: [...fromBrowser, 'same-origin'], client: 'viewer' },
		{ by: 'a program as the viewer', client_id: 'character-viewer', headers: [], client: 'own' }
	])('show the client of an authorization request by $by with client_id $client_id as $client', async (sent) => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		const query = queryOf({ client_id: sent.client_id, client_secret: '', redirect_uri: 'http://localhost/' });
		await server.send('GET', `/~${seat.id}/ws/oauth2/auth/?${query}`, undefined, ...sent.headers);
		expect((await rowsOf(server, opened))[0]).toMatchObject({ client: sent.client });
	});

	it('compare with the median of at least five seats', async () => {
		const server = new ClassServer();
		const opened = await server.open({ seats: 6 });
		const seats: Seat[] = [];
		for (let count = 0; count < 5; count++) seats.push(await server.join(opened.code));
		for (const [at, seat] of seats.entries()) {
			if (at === 4) expect((await rowsOf(server, opened))[0]?.median).toBeNull();
			await server.change(seat.key, opened.code, seat.seat, { progress });
			server.tested.clock += 2 * minute;
		}
		// The five are in the step for 10, 8, 6, 4 and 2 minutes.
		expect((await rowsOf(server, opened)).map(({ median }) => median)).toEqual([6, 6, 6, 6, 6]);
		for (const seat of seats.slice(0, 4))
			await server.change(seat.key, opened.code, seat.seat, { progress: { ...progress, step: 3 } });
		server.tested.clock += 10 * minute;
		const [first, , , , last] = await rowsOf(server, opened);
		expect([first?.median, first?.step, last?.median, last?.minutes]).toEqual([null, 3, 8, 12]);
	});

	it('count done lessons once, and keep revealed ones', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		for (let count = 0; count < 2; count++)
			await server.change(seat.key, opened.code, 1, { progress: { ...progress, is_done: true, revealed: true } });
		expect(await rowsOf(server, opened)).toMatchObject([{ done: 1, is_done: true, revealed: true }]);
	});

	it('say since when the traffic is known', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const board = (await server.call(opened.key, 'GET', `/control/classes/${opened.code}`)).as(classBoard);
		expect(board.since).toBe(server.tested.clock);
	});
});

describe('the stream', () => {
	it('begins with all rows, sends changed ones only, and ends with the class', async () => {
		const { server, until } = streamingServer();
		const { code, key } = await server.open();
		const [one] = [await server.join(code), await server.join(code)];
		const target = `/control/classes/${code}/stream`;
		const stream = await server.tested.transport.stream({ target, headers: ['X-Tollgate-Key', key] });
		expect(stream.status).toBe(200);
		const seatsIn = (text: string | undefined) => rowsIn(text).map(({ seat }) => seat);
		const first = await until(stream.next());
		expect(first).toContain('event: class\n');
		expect(seatsIn(first)).toEqual([1, 2]);
		await failingExchange(server, one);
		const second = await until(stream.next());
		expect(second).not.toContain('event: class\n');
		expect(seatsIn(second)).toEqual([1]);
		await server.join(code);
		const third = await until(stream.next());
		expect(third).toContain('event: class\n');
		expect(seatsIn(third)).toEqual([3]);
		await server.call(key, 'DELETE', `/control/classes/${code}/seats/2`);
		expect(await until(stream.next())).toContain('"removed":[2]');
		await server.call(key, 'DELETE', `/control/classes/${code}`);
		expect(await until(stream.next())).toContain('event: ended\n');
		expect(await until(stream.next())).toBeUndefined();
	});

	it('of a large class makes a few signals and cards at once, and requests go on between them', async () => {
		const size = 40;
		const { server, until } = streamingServer({ classSeats: size });
		const opened = await server.open({ seats: size });
		const seats: Seat[] = [];
		for (let count = 0; count < size; count++) seats.push(await server.join(opened.code));
		const stream = await followBoard(server, opened);
		const rows = new Map<number, BoardRow>();
		const read = async () => rowsIn(await until(stream.next())).forEach((row) => rows.set(row.seat, row));
		/** How many rows have a signal, and how many a card. */
		const shown = () => {
			const all = [...rows.values()];
			return [all.filter(({ signal }) => signal !== null).length, all.filter(({ card }) => card !== null).length];
		};
		await read();
		expect([rows.size, shown()]).toEqual([size, [0, 0]]);
		for (const seat of seats) for (let tries = 0; tries < 3; tries++) await failingExchange(server, seat);
		await read();
		expect(shown()).toEqual([10, 1]);
		for (let turn = 0; turn < 60; turn++) await read();
		expect(shown()).toEqual([size, size]);
		stream.close();
		const again = await followBoard(server, opened);
		const first = rowsIn(await until(again.next()));
		expect(first.filter(({ signal, card }) => signal !== null && card !== null).length, 'complete').toBe(size);
	});

	it('shows the newest exchange of a busy seat', async () => {
		const { server, until } = streamingServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		const stream = await followBoard(server, opened);
		await until(stream.next());
		const character = `/~${seat.id}/ws/v2.0/character/Mara%20Vell`;
		for (let count = 0; count < 60; count++) {
			const sent = count === 40 ? await authorize(server, seat) : await server.send('GET', character);
			expect(sent.status).toBeLessThan(500);
		}
		const newest = await server.send('GET', character);
		await server.call(seat.key, 'GET', `/~${seat.id}/control/applications`);
		const [row] = rowsIn(await until(stream.next()));
		expect(row).toMatchObject({ last: { request: newest.header('x-request-id') }, client: 'own' });
	});

	it('keeps of a seat no exchange that its log has dropped', async () => {
		const { server, until } = streamingServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		const stream = await followBoard(server, opened);
		await until(stream.next());
		const target = `/~${seat.id}/ws/v2.0/character/Mara%20Vell?note=${'long '.repeat(500)}`;
		for (let count = 0; count < 100; count++) await server.send('GET', encodeURI(target));
		let signal: BoardRow['signal'] = null;
		while (signal === null) signal = rowsIn(await until(stream.next()))[0]?.signal ?? null;
		const log = (await server.call(seat.key, 'GET', `/~${seat.id}/control/traffic`)).as(traffic).entries;
		expect(log.length).toBeLessThan(100);
		expect(signal).toMatchObject({ id: 'same_again', count: log.length });
	});

	it('has a limit for each class, which closed streams do not count against', async () => {
		const { server } = streamingServer();
		const { code, key } = await server.open();
		const open = () =>
			server.tested.transport.stream({
				target: `/control/classes/${code}/stream`,
				headers: ['X-Tollgate-Key', key]
			});
		const streams = await Promise.all(Array.from({ length: 20 }, open));
		expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
		const rejected = await server.call(key, 'GET', `/control/classes/${code}/stream`);
		expect([rejected.status, rejected.error]).toEqual([409, 'limit_reached']);
		streams[0]?.close();
		expect((await open()).status).toBe(200);
	});
});

describe('the instructor', () => {
	it('is noted while reading the log of a seat, and the open pages of the seat learn it', async () => {
		const { server, until } = streamingServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		const pages = await server.tested.transport.stream({
			target: `/~${seat.id}/control/traffic/stream`,
			headers: ['X-Tollgate-Key', seat.key]
		});
		await until(pages.next());
		expect((await server.statusOf(seat)).watched).toBeNull();
		await server.call(key, 'GET', `/~${seat.id}/control/traffic`);
		expect((await server.statusOf(seat)).watched).toBe(server.tested.clock);
		expect(await until(pages.next())).toBe('event: notice\ndata: {}\n\n');
	});
});

it('keeps the evidence in the log when the instructor resets a seat', async () => {
	const server = new ClassServer();
	const opened = await server.open();
	const seat = await server.join(opened.code);
	for (let count = 0; count < 3; count++) await failingExchange(server, seat);
	const snapshot = await server.call(opened.key, 'GET', `/~${seat.id}/control/snapshot`);
	const before = (await rowsOf(server, opened))[0];
	const keep = ['applications', 'traffic'];
	expect((await server.call(opened.key, 'POST', `/~${seat.id}/control/reset`, { keep })).status).toBe(200);
	expect((await rowsOf(server, opened))[0]).toEqual(before);
	expect((await server.call(opened.key, 'PUT', `/~${seat.id}/control/snapshot`, snapshot.json())).status).toBe(200);
	expect((await rowsOf(server, opened))[0]).toEqual(before);
});
