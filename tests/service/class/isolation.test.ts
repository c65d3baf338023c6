import { expect, it } from 'vitest';
import { operations } from '#service/openapi/operations.ts';
import { ClassServer } from './class-server.ts';

/** Every call of the control API that needs a right, as a path below a sandbox. */
const controls = operations
	.filter(({ isControl, access }) => isControl && access === undefined)
	.map(({ method, path }) => ({ method, target: path.replace(/\{\w+\}/g, 'character-viewer') }));

/** The calls of a class, with a body that each accepts. */
const classCalls = (code: string) =>
	[
		['GET', `/control/classes/${code}`],
		['PATCH', `/control/classes/${code}`, { is_locked: true }],
		['DELETE', `/control/classes/${code}`],
		['POST', `/control/classes/${code}/owner`],
		['POST', `/control/classes/${code}/notices`, { text: 'Hello' }],
		['GET', `/control/classes/${code}/stream`],
		['GET', `/control/classes/${code}/export`],
		['GET', `/control/classes/${code}/seats/2/program`],
		['PATCH', `/control/classes/${code}/seats/2`, { program: null }],
		['PATCH', `/control/classes/${code}/seats/2`, { hand: false }],
		['PATCH', `/control/classes/${code}/seats/2`, { hand: true }],
		['PATCH', `/control/classes/${code}/seats/2`, { label: true }],
		['PATCH', `/control/classes/${code}/seats/2`, { presence: true }],
		['PATCH', `/control/classes/${code}/seats/2`, { released: true }]
	] as const;

async function twoSeats() {
	const server = new ClassServer({ adminKey: 'the admin key of this server' });
	const opened = await server.call('the admin key of this server', 'POST', '/control/classes', {
		...{ name: 'Workshop', seats: 5 }
	});
	const { code, key }: { code: string; key: string } = JSON.parse(opened.text);
	return { server, code, key, one: await server.join(code), other: await server.join(code) };
}

it('rejects the key and the cookie of a seat at another seat, at the root and at the class in all calls', async () => {
	const { server, code, one, other } = await twoSeats();
	expect(controls.length).toBeGreaterThan(40);
	const credentials = [
		['X-Tollgate-Key', one.key],
		['Cookie', one.cookie]
	];
	for (const sent of credentials) {
		for (const { method, target } of controls)
			for (const place of ['', `/~${other.id}`]) {
				const body = method === 'GET' ? undefined : {};
				const response = await server.send(method, place + target, body, ...sent);
				expect([response.status, response.error], `${method} ${place}${target} by ${sent[0] ?? ''}`).toEqual([
					403,
					'forbidden'
				]);
			}
		for (const [method, target, body] of classCalls(code)) {
			const response = await server.send(method, target, body, ...sent);
			expect([response.status, response.error], `${method} ${target}`).toEqual([403, 'forbidden']);
		}
	}
});

it('rejects what only the other side of a seat may change', async () => {
	const { server, code, key, one } = await twoSeats();
	const denied = async (by: string, body: object) => (await server.change(by, code, 1, body)).status;
	expect(await denied(one.key, { released: true })).toBe(403);
	for (const body of [{ hand: true }, { label: true }, { presence: true }]) expect(await denied(key, body)).toBe(403);
	expect((await server.change(key, code, 3, { hand: false })).status, 'a seat that is not taken').toBe(404);
});

it('rejects the key of another class and of a class that has ended', async () => {
	const { server, code, key, one } = await twoSeats();
	const opened = await server.call('the admin key of this server', 'POST', '/control/classes', {
		...{ name: 'Another', seats: 5 }
	});
	const another: { code: string; key: string } = JSON.parse(opened.text);
	for (const [method, target, body] of classCalls(code))
		expect((await server.call(another.key, method, target, body)).status, `${method} ${target}`).toBe(403);
	expect((await server.call(another.key, 'GET', `/~${one.id}/control/traffic`)).status).toBe(403);
	expect((await server.call(key, 'GET', '/control/sandboxes')).status, 'the root').toBe(403);
	const sandbox = await server.call('the admin key of this server', 'POST', '/control/sandboxes');
	const { id }: { id: string } = JSON.parse(sandbox.text);
	expect((await server.call(key, 'GET', `/~${id}/control/traffic`)).status, 'a sandbox without a class').toBe(403);
	await server.call(key, 'DELETE', `/control/classes/${code}`);
	for (const [method, target, body] of classCalls(code))
		expect((await server.call(key, method, target, body)).status, `${method} ${target}`).toBe(404);
});

it('lets the key of the class control its seats', async () => {
	const { server, key, one } = await twoSeats();
	for (const target of ['sandbox', 'settings', 'faults', 'clock', 'traffic', 'blacklist', 'snapshot'])
		expect((await server.call(key, 'GET', `/~${one.id}/control/${target}`)).status, target).toBe(200);
	expect((await server.call(key, 'POST', `/~${one.id}/control/owner-links`)).status).toBe(200);
});

it('rejects progress that could carry text of a student', async () => {
	const { server, code, one } = await twoSeats();
	const valid = { lesson: 'whole-trip', step: 1, shown: { 0: ['h_1'] }, of: 3, is_done: false, prediction: '2' };
	const wrong = [
		{ lesson: '<img src=x>' },
		{ lesson: 'FUCK_YOU' },
		{ shown: { 'call me at home': [] } },
		{ shown: { FUCK_YOU: [] } },
		{ shown: { 0: ['=1+1'] } },
		{ prediction: 'hello you' },
		{ prediction: 'FUCK_YOU' },
		{ step: -1 },
		{ of: 1e9 },
		{ more: 'text' }
	];
	expect((await server.change(one.key, code, 1, { progress: valid })).status).toBe(200);
	for (const change of wrong) {
		const response = await server.change(one.key, code, 1, { progress: { ...valid, ...change } });
		expect([response.status, response.error], JSON.stringify(change)).toEqual([400, 'invalid_request']);
	}
	expect((await server.change(one.key, code, 1, { label: 'My name' })).status).toBe(400);
});

it('shows the class of a seat only to those who control the seat', async () => {
	const server = new ClassServer();
	const { code, key } = await server.open({ name: 'Workshop of May' });
	const seat = await server.join(code);
	const target = `/~${seat.id}/control/status`;
	const other = await server.send('GET', target);
	expect(other.json()).toMatchObject({ is_seat: true, can_control: false });
	for (const word of [code, 'Workshop of May', seat.label]) expect(other.text).not.toContain(word);
	expect((await server.statusOf(seat)).code, 'by its key').toBe(code);
	expect((await server.send('GET', target, undefined, 'Cookie', seat.cookie)).text, 'by its cookie').toContain(code);
	expect((await server.call(key, 'GET', target)).text, 'by the key of the class').toContain(code);
});
