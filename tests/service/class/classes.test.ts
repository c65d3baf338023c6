import { describe, expect, it, vi } from 'vitest';
import { classView } from '#api/control/board.ts';
import { classEntrance, maxSeats } from '#api/control/seats.ts';
import { SandboxRegistry } from '#service/sandbox-registry.ts';
import { StoreFull } from '#store/errors.ts';
import { labelCount, labelOf } from '#service/class/labels.ts';
import * as v from 'valibot';
import { createTestService } from '../test-service.ts';
import { ClassServer } from './class-server.ts';

const hour = 60 * 60_000;
const codePattern = /^[2-9BCDFGHJKMNPQRSTVWXZ]{6}$/;

describe('opening and joining', () => {
	it('gives every student a sandbox with a label, a key and an application', async () => {
		const server = new ClassServer();
		const { code, join_url, board_url, key, expires } = await server.open({ lessons: ['whole-trip'] });
		expect(code).toMatch(codePattern);
		expect(join_url).toBe(`https://tollgate.test/join/${code}`);
		expect(board_url).toBe(`https://tollgate.test/class/${code}#class=${key}`);
		expect(expires).toBe(server.tested.clock + 8 * hour);
		const [one, other] = [await server.join(code), await server.join(code)];
		expect([one.seat, other.seat]).toEqual([1, 2]);
		expect(one.label).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/);
		expect(one.label).not.toBe(other.label);
		expect(one.applications).toEqual([
			{ client_id: 'my-client', name: 'My client', client_secret: expect.stringMatching(/^\S{20,}$/) }
		]);
		expect(await server.statusOf(one)).toMatchObject({ code, seat: 1, label: one.label, lessons: ['whole-trip'] });
		const byCookie = await server.send('GET', `/~${one.id}/control/sandbox`, undefined, 'Cookie', one.cookie);
		expect(byCookie.status).toBe(200);
	});

	it.each([undefined, true, false])('tells the seats whether labs show their steps: %s', async (guided) => {
		const server = new ClassServer();
		const { code } = await server.open(guided === undefined ? {} : { guided });
		expect((await server.statusOf(await server.join(code))).guided).toBe(guided ?? null);
	});

	it('prepares the seats by the preset of the class', async () => {
		const server = new ClassServer();
		const preset = {
			...{ format: 'tollgate-preset', version: 1, settings: { limits: { character: 7 } } },
			applications: [{ client_id: 'lab-client', name: 'Lab', kind: 'web', redirect_uris: ['http://localhost:9999/cb'] }]
		};
		const { code } = await server.open({ preset });
		const seat = await server.join(code);
		expect(seat.applications.map(({ client_id }) => client_id)).toEqual(['lab-client']);
		const settings = await server.call(seat.key, 'GET', `/~${seat.id}/control/settings`);
		expect(settings.text).toContain('"character":7');
	});

	it('takes a preset as large as that of a sandbox', async () => {
		const server = new ClassServer();
		const start = { path: `/moment#${'a'.repeat(14_000)}` };
		const applications = Array.from({ length: 20 }, (_, number) => ({
			client_id: `client-${number}`,
			name: 'Lab',
			kind: 'web',
			redirect_uris: Array.from({ length: 3 }, (_, at) => `https://client.test/${at}${'a'.repeat(300)}`)
		}));
		const preset = { format: 'tollgate-preset', version: 1, start, applications };
		expect(JSON.stringify(preset).length).toBeGreaterThan(24 * 1024);
		expect((await server.open({ preset })).code).toMatch(/^\w{6}$/);
	});

	it('accepts a code in small letters and with spaces', async () => {
		const server = new ClassServer();
		const { code } = await server.open();
		const typed = `${code.slice(0, 3).toLowerCase()}%20${code.slice(3)}`;
		const entrance = await server.send('GET', `/control/classes/${typed}/seats`);
		expect(entrance.as(classEntrance)).toMatchObject({ name: 'Workshop', is_locked: false, is_full: false });
		expect((await server.join(typed)).seat).toBe(1);
	});

	it('accepts 200 joins at the same instant from one address', async () => {
		const server = new ClassServer({ classSeats: 250, adminKey: 'the admin key of this server' });
		const opened = await server.call('the admin key of this server', 'POST', '/control/classes', {
			...{ name: 'Lecture', seats: 200 }
		});
		const { code } = v.parse(v.object({ code: v.string() }), JSON.parse(opened.text));
		const all = await Promise.all(
			Array.from({ length: 201 }, () => server.send('POST', `/control/classes/${code}/seats`))
		);
		expect(all.filter(({ status }) => status === 201)).toHaveLength(200);
		const [rejected] = all.filter(({ status }) => status !== 201);
		expect([rejected?.status, rejected?.error]).toEqual([409, 'limit_reached']);
		const joined = all.filter(({ status }) => status === 201).map(({ text }): unknown => JSON.parse(text));
		const seats = joined.map((one) => v.parse(v.object({ seat: v.number(), label: v.string() }), one));
		expect(new Set(seats.map(({ seat }) => seat)).size).toBe(200);
		expect(new Set(seats.map(({ label }) => label)).size).toBe(200);
		expect(server.tested.faults).toEqual([]);
	});

	it('keeps the number of a seat for the next student if joining fails', async () => {
		const server = new ClassServer();
		const { code } = await server.open({ seats: 3 });
		const createSeat = vi.spyOn(SandboxRegistry.prototype, 'createSeat');
		await server.join(code);
		createSeat.mockRejectedValueOnce(new StoreFull());
		const rejected = await server.send('POST', `/control/classes/${code}/seats`);
		expect(rejected.status).toBeGreaterThanOrEqual(400);
		expect([(await server.join(code)).seat, (await server.join(code)).seat]).toEqual([2, 3]);
		expect((await server.send('POST', `/control/classes/${code}/seats`)).error).toBe('limit_reached');
		createSeat.mockRestore();
	});

	it('rejects joining a locked, a full, an unknown and an ended class', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open({ seats: 1 });
		const join = (to = code) => server.send('POST', `/control/classes/${to}/seats`);
		await server.call(key, 'PATCH', `/control/classes/${code}`, { is_locked: true });
		expect([(await join()).status, (await join()).error]).toEqual([403, 'forbidden']);
		await server.call(key, 'PATCH', `/control/classes/${code}`, { is_locked: false });
		expect((await join()).status).toBe(201);
		expect([(await join()).status, (await join()).error]).toEqual([409, 'limit_reached']);
		expect((await join('222222')).status).toBe(404);
		expect((await server.call(key, 'DELETE', `/control/classes/${code}`)).status).toBe(200);
		expect((await join()).status).toBe(404);
	});

	it('rejects a join from a page of another site', async () => {
		const server = new ClassServer();
		const { code } = await server.open();
		const response = await server.send(
			...(['POST', `/control/classes/${code}/seats`, undefined] as const),
			...['Origin', 'https://evil.example']
		);
		expect(response.status).toBe(403);
	});

	it('says that classes need a setting', async () => {
		const { transport } = createTestService();
		const response = await transport.send({
			method: 'POST',
			target: '/control/classes',
			headers: ['Content-Type', 'application/json'],
			body: '{"name":"Workshop","seats":3}'
		});
		expect(response?.status).toBe(409);
		expect(response?.body).toContain('CLASS_SEATS=30');
	});

	it('has the seats of the setting, and ten classes', async () => {
		const server = new ClassServer({ classSeats: 12 });
		const open = (seats: number) => server.send('POST', '/control/classes', { name: 'Workshop', seats });
		expect((await open(10)).status).toBe(201);
		const rejected = await open(3);
		expect([rejected.status, rejected.error]).toEqual([409, 'limit_reached']);
		expect(rejected.text).toContain('2 are left');
		expect(JSON.parse(rejected.text)).toMatchObject({ field: 'seats' });
		expect((await open(2)).status).toBe(201);
		const many = new ClassServer({ classSeats: 12 });
		for (let count = 0; count < 10; count++) await many.open({ seats: 1 });
		expect((await many.send('POST', '/control/classes', { name: 'Workshop', seats: 1 })).error).toBe('limit_reached');
	});

	it('keeps the counts of seats in parallel requests', async () => {
		const server = new ClassServer({ classSeats: 12 });
		const all = await Promise.all(
			Array.from({ length: 4 }, () => server.send('POST', '/control/classes', { name: 'Workshop', seats: 10 }))
		);
		expect(all.filter(({ status }) => status === 201).length).toBeLessThanOrEqual(1);
	});
});

describe('the end of a class', () => {
	it('deletes the seats, and the key of the class is worth nothing', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		await server.call(key, 'DELETE', `/control/classes/${code}`);
		expect((await server.call(seat.key, 'GET', `/~${seat.id}/control/sandbox`)).status).toBe(404);
		expect((await server.call(key, 'GET', `/control/classes/${code}`)).status).toBe(404);
		expect(await server.tested.store.sandboxes()).not.toContain(seat.id);
	});

	it('comes by the clock, used or not, and can be moved', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open({ hours: 1 });
		const seat = await server.join(code);
		const isThere = async () => (await server.call(seat.key, 'GET', `/~${seat.id}/control/sandbox`)).status;
		server.tested.clock += hour - 1;
		expect(await isThere()).toBe(200);
		const changed = await server.call(key, 'PATCH', `/control/classes/${code}`, { hours: 2 });
		expect(changed.as(classView).expires).toBe(server.tested.clock + 2 * hour);
		server.tested.clock += 2 * hour - 1;
		expect(await isThere()).toBe(200);
		server.tested.clock += 1;
		expect(await isThere()).toBe(404);
		await server.tested.service.purge();
		expect(await server.tested.store.sandboxes()).not.toContain(seat.id);
		expect((await server.call(key, 'GET', `/control/classes/${code}`)).status).toBe(404);
	});

	it('is not brought forward by other sandboxes or a reset of the root', async () => {
		const server = new ClassServer({ quotas: { sandboxesPerAddress: 1, keptPerAddress: 0 } });
		const { code } = await server.open();
		const seat = await server.join(code);
		server.tested.clock += hour;
		for (let count = 0; count < 3; count++) await server.send('POST', '/control/sandboxes');
		await server.send('POST', '/control/reset');
		expect((await server.call(seat.key, 'GET', `/~${seat.id}/control/sandbox`)).status).toBe(200);
		expect((await server.send('GET', `/control/classes/${code}/seats`)).status).toBe(200);
	});

	it('cannot be brought forward by a student who deletes the sandbox', async () => {
		const server = new ClassServer();
		const seat = await server.join((await server.open()).code);
		expect((await server.call(seat.key, 'DELETE', `/~${seat.id}/control/sandbox`)).status).toBe(403);
	});
});

it('no request about a class is in the log of the root sandbox', async () => {
	const server = new ClassServer();
	const { code } = await server.open();
	for (const key of ['', 'wrong']) await server.call(key, 'GET', `/control/classes/${code}`);
	expect((await server.send('GET', `/control/classes/${code}/stream`)).status).toBe(403);
	expect((await server.send('GET', '/control/traffic')).text).not.toContain(code);
});

describe('guessing codes', () => {
	it('limits unknown codes of one address, and still accepts correct ones', async () => {
		const server = new ClassServer();
		const { code } = await server.open({ seats: 5 });
		const guess = () => server.send('GET', '/control/classes/222222/seats');
		for (let count = 0; count < 300; count++) {
			server.tested.clock += 100;
			expect((await guess()).status).toBe(404);
		}
		expect((await guess()).status).toBe(429);
		expect((await server.join(code)).seat).toBe(1);
	});

	it('limits the unknown codes of all addresses in a second', async () => {
		const server = new ClassServer();
		const guess = async (from: string) =>
			(await server.tested.transport.send({ target: '/control/classes/222222/seats', from }))?.status;
		for (let count = 1; count <= 20; count++) expect(await guess(`10.0.0.${count}`)).toBe(404);
		expect(await guess('10.0.1.1')).toBe(429);
		server.tested.clock += 1000;
		expect(await guess('10.0.1.1')).toBe(404);
	});
});

describe('labels', () => {
	it('are unique in a class, also after students asked for another one', () => {
		const labels = new Set<string>();
		const turns = Math.floor(labelCount / maxSeats);
		expect(turns).toBeGreaterThan(1);
		for (let renamed = 0; renamed < turns; renamed++)
			for (let seat = 1; seat <= maxSeats; seat++) labels.add(labelOf(labelCount - 1, seat, renamed, maxSeats));
		expect(labels.size).toBe(turns * maxSeats);
	});

	it('change when the student asks', async () => {
		const server = new ClassServer();
		const { code } = await server.open();
		const seat = await server.join(code);
		const changed = await server.change(seat.key, code, 1, { label: true });
		expect(changed.text).not.toContain(seat.label);
		expect(JSON.parse(changed.text)).toMatchObject({ label: (await server.statusOf(seat)).label });
	});
});
