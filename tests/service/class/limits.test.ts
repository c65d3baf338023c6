import { expect, it } from 'vitest';
import * as v from 'valibot';
import { ClassServer } from './class-server.ts';

const adminKey = 'the admin key of this server';

async function classOf(seats: number) {
	const server = new ClassServer({ classSeats: 250, sleep: () => new Promise(() => undefined) });
	const { code, key } = await server.open({ seats });
	const all = await Promise.all(Array.from({ length: seats }, () => server.join(code)));
	return { server, code, key, all };
}

it('lets 130 seats behind one address check a password at the same instant', async () => {
	const { server, all } = await classOf(130);
	const responses = await Promise.all(
		all.map(({ id, key }) =>
			server.call(key, 'POST', `/~${id}/control/accounts`, { username: 'student-one', password: 'a password' })
		)
	);
	expect(responses.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
});

it('gives each seat four event streams, and counts none of them by address', async () => {
	const { server, all } = await classOf(30);
	const open = (seat: (typeof all)[number]) =>
		server.tested.transport.stream({
			target: `/~${seat.id}/control/traffic/stream`,
			headers: ['X-Tollgate-Key', seat.key]
		});
	const streams = await Promise.all(all.flatMap((seat) => [1, 2, 3, 4].map(() => open(seat))));
	expect(streams.filter(({ status }) => status === 200)).toHaveLength(120);
	const [first] = all;
	const rejected = await server.call(first?.key ?? '', 'GET', `/~${first?.id ?? ''}/control/traffic/stream`);
	expect([rejected.status, rejected.error]).toEqual([409, 'limit_reached']);
});

it('counts access tokens of a public server by seat', async () => {
	const server = new ClassServer({ adminKey, quotas: { tokensPerAddress: 1 } });
	const opened = await server.call(adminKey, 'POST', '/control/classes', { name: 'Workshop', seats: 3 });
	const { code }: { code: string } = JSON.parse(opened.text);
	for (let count = 0; count < 3; count++) {
		const at = await server.sandboxOf(await server.join(code));
		expect((await at.user().tokens()).access_token).toBeDefined();
	}
});

it('limits the memory of a class apart from that of other sandboxes', async () => {
	const server = new ClassServer({ quotas: { bytesPerAddress: 1, bytes: 1 } });
	const register = async ({ id, key }: { readonly id: string; readonly key: string }) => {
		const redirect_uris = Array.from({ length: 10 }, (_, at) => `https://client.example/${'x'.repeat(400)}${at}`);
		const application = { name: 'Large', kind: 'web', redirect_uris };
		return (await server.call(key, 'POST', `/~${id}/control/applications`, application)).status;
	};
	const { code } = await server.open({ seats: 2 });
	const created = await server.send('POST', '/control/sandboxes');
	const places = [await server.join(code), v.parse(v.object({ id: v.string(), key: v.string() }), created.json())];
	const statuses = [];
	for (const place of places) for (let count = 0; count < 30; count++) statuses.push(await register(place));
	expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 201));
	expect(statuses.slice(30), 'more than the 128 KiB that are reserved').toContain(409);
});

it('responds 404 to pages of a class that has ended, however often they ask', async () => {
	const { server, code, key, all } = await classOf(5);
	await server.call(key, 'DELETE', `/control/classes/${code}`);
	const [seat] = all;
	for (let count = 0; count < 400; count++) {
		const response = await server.send('GET', `/~${seat?.id ?? ''}/control/status`);
		if (response.status !== 404) expect.fail(`${count}: ${response.status}`);
	}
	const page = await server.send('GET', `/~${seat?.id ?? ''}/viewer`, undefined, 'Accept', 'text/html');
	expect(page.text).toContain('the class has ended');
	expect(page.text).toContain('/learn/certificate');
});

it('makes a cookie of a new key where the instructor becomes the owner of a seat', async () => {
	const { server, key, all } = await classOf(1);
	const [seat] = all;
	const owner = await server.call(key, 'POST', `/~${seat?.id ?? ''}/control/owner`);
	const cookie = owner.header('set-cookie')?.split(';')[0] ?? '';
	expect(cookie).not.toContain(key);
	expect((await server.send('GET', `/~${seat?.id ?? ''}/control/sandbox`, undefined, 'Cookie', cookie)).status).toBe(
		200
	);
});
