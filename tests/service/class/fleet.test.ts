import * as v from 'valibot';
import { expect, it } from 'vitest';
import { classView } from '#api/control/board.ts';
import { fleetLimit, usualPolicy } from '#api/control/class-fleet.ts';
import { ClassServer, type OpenedClass, type Seat } from './class-server.ts';

async function openFleet() {
	const server = new ClassServer();
	const opened = await server.open();
	const seats: Seat[] = [];
	for (let count = 0; count < 4; count++) seats.push(await server.join(opened.code));
	await server.call(opened.key, 'PATCH', `/control/classes/${opened.code}`, { fleet: true });
	const choose = (seat: number, policy: string) =>
		server.change(seats[seat - 1]?.key ?? '', opened.code, seat, { policy });
	const start = (number: number) =>
		server.call(opened.key, 'POST', `/control/classes/${opened.code}/waves`, { number });
	return { server, opened, seats, choose, start };
}

async function fleetOf(server: ClassServer, { key, code }: OpenedClass) {
	const response = await server.call(key, 'GET', `/control/classes/${code}`);
	return v.parse(classView, JSON.parse(response.text)).fleet;
}

it('starts a wave with what the seats chose, and with the usual policy for the others', async () => {
	const { server, opened, seats, choose, start } = await openFleet();
	expect(await fleetOf(server, opened)).toEqual({
		choices: [{ policy: usualPolicy, seats: 4 }],
		...{ undecided: 4, wave: null }
	});
	await choose(1, 'jitter_above');
	await choose(3, 'none');
	expect((await choose(2, 'at once')).status).toBe(400);
	expect((await start(1)).status).toBe(200);
	expect(await fleetOf(server, opened)).toMatchObject({
		undecided: 2,
		wave: {
			...{ number: 1, started: server.tested.clock, limit: fleetLimit(4) },
			groups: [
				{ policy: 'none', seats: 1 },
				{ policy: 'fixed', seats: 2 },
				{ policy: 'jitter_above', seats: 1 }
			]
		}
	});
	const clients = [];
	for (const seat of seats) clients.push((await server.statusOf(seat)).fleet?.client);
	expect(clients).toEqual([
		{ policy: 'jitter_above', number: 3 },
		{ policy: 'fixed', number: 1 },
		{ policy: 'none', number: 0 },
		{ policy: 'fixed', number: 2 }
	]);
});

it('keeps a choice for the next wave, and gives a seat that joins late its part in it', async () => {
	const { server, opened, seats, choose, start } = await openFleet();
	await choose(1, 'retry_after');
	await start(1);
	const late = await server.join(opened.code);
	expect((await server.statusOf(late)).fleet).toMatchObject({ choice: null, client: null, wave: { number: 1 } });
	await choose(2, 'none');
	const [one] = seats;
	if (one === undefined) throw new Error('No seat.');
	expect((await server.statusOf(one)).fleet).toMatchObject({
		choice: 'retry_after',
		client: { policy: 'retry_after' }
	});
	await start(2);
	expect((await server.statusOf(late)).fleet).toMatchObject({ choice: null, client: { policy: usualPolicy } });
	expect((await fleetOf(server, opened))?.wave?.groups.map(({ seats: count }) => count)).toEqual([1, 3, 1]);
});

it('starts each wave once, in their order', async () => {
	const { server, opened, choose, start } = await openFleet();
	await choose(1, 'none');
	await Promise.all([start(1), start(1)]);
	const first = await fleetOf(server, opened);
	server.tested.clock += 5000;
	expect((await start(1)).status).toBe(200);
	expect((await fleetOf(server, opened))?.wave).toEqual(first?.wave);
	expect((await start(3)).status).toBe(400);
	expect([(await start(2)).status, (await start(3)).status, (await start(4)).status]).toEqual([200, 200, 400]);
});

it('forgets the choices with a new fleet, and everything without one', async () => {
	const { server, opened, seats, choose, start } = await openFleet();
	await choose(1, 'none');
	await start(1);
	const change = (fleet: boolean) => server.call(opened.key, 'PATCH', `/control/classes/${opened.code}`, { fleet });
	server.tested.clock += 1;
	await change(true);
	expect(await fleetOf(server, opened)).toMatchObject({ undecided: 4, wave: null });
	await change(false);
	expect([(await choose(1, 'none')).status, (await start(1)).status]).toEqual([404, 404]);
	const [one] = seats;
	if (one === undefined) throw new Error('No seat.');
	expect((await server.statusOf(one)).fleet).toBeNull();
});

it('rejects a choice for another seat, and a wave that a seat starts', async () => {
	const { server, opened, seats } = await openFleet();
	const [one, other] = seats;
	if (one === undefined || other === undefined) throw new Error('No seat.');
	const path = `/control/classes/${opened.code}`;
	expect((await server.change(other.key, opened.code, one.seat, { policy: 'none' })).status).toBe(403);
	expect((await server.change(opened.key, opened.code, one.seat, { policy: 'none' })).status).toBe(403);
	expect((await server.call(one.key, 'POST', `${path}/waves`, { number: 1 })).status).toBe(403);
	expect((await server.call(one.key, 'PATCH', path, { fleet: true })).status).toBe(403);
	// A wave names no seat: its groups have counts only.
	expect(JSON.stringify(await fleetOf(server, opened))).not.toContain(one.label);
});
