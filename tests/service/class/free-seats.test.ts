import { describe, expect, it } from 'vitest';
import { classView } from '#api/control/board.ts';
import { classEntrance } from '#api/control/seats.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { createMemoryStore } from '#store/memory.ts';
import { ClassServer } from './class-server.ts';

describe('a class', () => {
	it('gives the place of a seat that its student has never used to the next one, where the class is full', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open({ seats: 3 });
		const [present, unused, client] = [await server.join(code), await server.join(code), await server.join(code)];
		const join = () => server.send('POST', `/control/classes/${code}/seats`);
		const isFull = async () => (await server.send('GET', `/control/classes/${code}/seats`)).as(classEntrance).is_full;
		expect([await isFull(), (await join()).status]).toEqual([true, 409]);
		server.tested.clock += 1;
		await server.change(present.key, code, present.seat, { presence: true });
		await server.send('GET', `/~${client.id}/ws/v2.0/ratelimits`);
		server.tested.clock += 5 * 60_000;
		expect(await isFull()).toBe(false);
		expect((await server.join(code)).seat).toBe(unused.seat);
		expect((await server.call(unused.key, 'GET', `/~${unused.id}/control/sandbox`)).status).toBe(404);
		expect([await isFull(), (await join()).status]).toEqual([true, 409]);
		const view = (await server.call(key, 'GET', `/control/classes/${code}`)).as(classView);
		expect(view.joined).toBe(3);
	});

	it('frees a seat that the instructor removes, with its data', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open({ seats: 2 });
		const [one, other] = [await server.join(code), await server.join(code)];
		const remove = (by: string, seat: number | string = 1) =>
			server.call(by, 'DELETE', `/control/classes/${code}/seats/${seat}`);
		expect([(await remove(one.key)).status, (await remove(other.key)).status]).toEqual([403, 403]);
		expect((await remove(key)).status).toBe(200);
		expect([(await remove(key)).status, (await remove(key, 'x')).status]).toEqual([404, 404]);
		expect((await server.call(one.key, 'GET', `/~${one.id}/control/status`)).status).toBe(404);
		const again = await server.join(code);
		expect([again.seat, again.id === one.id]).toEqual([1, false]);
	});

	it('has no seat of a join that the disk did not accept', async () => {
		const memory = createMemoryStore<Records>(recordLimits);
		const disk = { isFull: false };
		const settled = () => (disk.isFull ? Promise.reject(new StoreUnavailable('The disk is full.')) : undefined);
		const forSandbox: typeof memory.forSandbox = (...sandbox) => {
			const records = memory.forSandbox(...sandbox);
			const update: typeof records.update = (kind, id, change) => {
				// Known to be full only after the first write failed.
				if (disk.isFull && kind === 'seat' && id.endsWith(' 2') && isKnown)
					throw new StoreUnavailable('The disk is full.');
				isKnown ||= disk.isFull;
				return records.update(kind, id, change);
			};
			return new Proxy(records, {
				get: (target, name) => {
					const value: unknown = name === 'update' ? update : Reflect.get(target, name);
					return typeof value === 'function' ? value.bind(target) : value;
				}
			});
		};
		let isKnown = false;
		const server = new ClassServer({ store: { ...memory, settled, forSandbox } });
		const { code, key } = await server.open({ seats: 2 });
		await server.join(code);
		disk.isFull = true;
		expect((await server.send('POST', `/control/classes/${code}/seats`)).status).toBe(503);
		disk.isFull = false;
		const joined = async () => (await server.call(key, 'GET', `/control/classes/${code}`)).as(classView).joined;
		expect(await joined()).toBe(1);
		server.tested.clock += 61_000;
		await server.tested.service.purge();
		expect([await joined(), (await server.join(code)).seat, await joined()]).toEqual([1, 2, 2]);
	});
});
