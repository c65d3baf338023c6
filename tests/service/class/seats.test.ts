import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { notice } from '#api/control/seats.ts';
import { ClassServer, cookieOf, type Seat } from './class-server.ts';

describe('notices and pause', () => {
	it('reach the seats that they are for, and the last 20 stay', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const [one, other] = [await server.join(code), await server.join(code)];
		const send = (body: object) => server.call(key, 'POST', `/control/classes/${code}/notices`, body);
		const sent = (await send({ text: 'Only you', seats: [2], link: '/docs/errors' })).as(notice);
		expect((await server.statusOf(one)).notices).toEqual([]);
		expect((await server.statusOf(other)).notices).toEqual([sent]);
		for (let count = 1; count <= 20; count++) await send({ text: `Notice ${count}` });
		expect((await server.statusOf(other)).notices.map(({ text }) => text)).toEqual(
			Array.from({ length: 20 }, (_, at) => `Notice ${at + 1}`)
		);
	});

	it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a b', '/<b>'])(
		'cannot link to %s',
		async (link) => {
			const server = new ClassServer();
			const { code, key } = await server.open();
			const response = await server.call(key, 'POST', `/control/classes/${code}/notices`, { text: 'Look', link });
			expect([response.status, response.error]).toEqual([400, 'invalid_request']);
		}
	);

	it('keep markup and invisible characters as plain text', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open({ name: '<img src=x>\u202e' });
		const seat = await server.join(code);
		await server.call(key, 'POST', `/control/classes/${code}/notices`, { text: '<script>\u200b</script>' });
		const { name, notices } = await server.statusOf(seat);
		expect(name).toBe('<img src=x>\ufffd');
		expect(notices[0]?.text).toBe('<script>\ufffd</script>');
	});

	it('cover the pages for five minutes at most', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		const paused = async () => (await server.statusOf(seat)).paused_until;
		expect(await paused()).toBeNull();
		await server.call(key, 'PATCH', `/control/classes/${code}`, { paused: true });
		expect(await paused()).toBe(server.tested.clock + 300_000);
		server.tested.clock += 300_000;
		expect(await paused()).toBeNull();
		await server.call(key, 'PATCH', `/control/classes/${code}`, { paused: true });
		await server.call(key, 'PATCH', `/control/classes/${code}`, { paused: false });
		expect(await paused()).toBeNull();
	});
});

describe('hands and release', () => {
	it('queue in the order in which they were raised', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const [one, other] = [await server.join(code), await server.join(code)];
		const placeOf = async (seat: Seat) => (await server.statusOf(seat)).hand?.place;
		await server.change(other.key, code, 2, { hand: true });
		server.tested.clock += 1;
		await server.change(one.key, code, 1, { hand: true });
		server.tested.clock += 1;
		await server.change(other.key, code, 2, { hand: true });
		expect([await placeOf(one), await placeOf(other)]).toEqual([2, 1]);
		expect((await server.change(key, code, 2, { hand: false })).status).toBe(200);
		expect([await placeOf(one), await placeOf(other)]).toEqual([1, undefined]);
	});

	it('gives a released seat a new key, and ends the old ones', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		const released = await server.change(key, code, 1, { released: true });
		const { link } = v.parse(v.object({ link: v.string() }), JSON.parse(released.text));
		const [url, fragment = ''] = link.split('#owner=');
		expect(url).toBe(`${seat.base_url}/controls/sandboxes`);
		const read = (with_: string) => server.call(with_, 'GET', `/~${seat.id}/control/sandbox`);
		expect((await read(seat.key)).status).toBe(403);
		expect((await read(fragment)).status).toBe(200);
	});
});

describe('control of a class from a browser', () => {
	it('works by the cookie, in the class and in its seats', async () => {
		const server = new ClassServer();
		const opened = await server.send('POST', '/control/classes', { name: 'Workshop', seats: 2 });
		const { code, key } = v.parse(v.object({ code: v.string(), key: v.string() }), JSON.parse(opened.text));
		const seat = await server.join(code);
		const again = await server.call(key, 'POST', `/control/classes/${code}/owner`);
		expect(cookieOf(again)).toBe(cookieOf(opened));
		const by = async (target: string) =>
			(await server.send('GET', target, undefined, 'Cookie', cookieOf(again))).status;
		expect(await by(`/control/classes/${code}`)).toBe(200);
		expect(await by(`/~${seat.id}/control/traffic`)).toBe(200);
	});
});

describe('two tabs of one seat', () => {
	it('are one student: progress of the newer tab counts, and a hand is raised once', async () => {
		const server = new ClassServer();
		const { code } = await server.open();
		const seat = await server.join(code);
		const change = async (body: object) => {
			const headers = ['Cookie', seat.cookie];
			return (await server.send('PATCH', `/control/classes/${code}/seats/1`, body, ...headers)).status;
		};
		const progress = { lesson: 'whole-trip', step: 1, shown: {}, of: 2, is_done: false };
		const all = await Promise.all([
			...[change({ hand: true }), change({ hand: true }), change({ presence: true })],
			...[change({ progress }), change({ progress: { ...progress, step: 2 } })]
		]);
		expect(all).toEqual([200, 200, 200, 200, 200]);
		expect((await server.statusOf(seat)).hand).toEqual({ since: server.tested.clock, place: 1 });
	});
});

it('a share link of a seat ends with the class', async () => {
	const server = new ClassServer();
	const { code, expires } = await server.open({ hours: 1 });
	const { id, key } = await server.join(code);
	const preset = { format: 'tollgate-preset', version: 1 };
	const shared = await server.call(key, 'POST', `/~${id}/control/shares`, { preset, days: 30 });
	expect(shared.json()).toMatchObject({ ends_at: expires });
	server.tested.clock = expires + 1;
	expect((await server.call(key, 'GET', `/~${id}/control/status`)).status).toBe(404);
});
