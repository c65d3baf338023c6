import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { MySandboxes } from '#features/shell/my-sandboxes.svelte.ts';
import { WebStorage } from '../../client/web-storage.ts';
import { createTestService } from '../../service/test-service.ts';

const root = 'https://tollgate.test';
let storage: WebStorage;
let cookies: Map<string, string>;

/** A browser with one service: its requests carry its cookies. */
beforeEach(() => {
	storage = new WebStorage();
	cookies = new Map();
	const tested = createTestService();
	vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
		const headers = [...new Headers(init.headers)].flat().concat('Cookie', cookie);
		const target = url.slice(root.length);
		const body = typeof init.body === 'string' ? init.body : '';
		const received = await tested.transport.send({ method: init.method ?? 'GET', target, headers, body });
		for (const line of received?.headers ?? []) {
			const [, name, value] = /^(__Host-[^=]+)=([^;]*)/.exec(line) ?? [];
			if (name !== undefined && value !== undefined) cookies.set(name, value);
		}
		return new Response(received?.body, { status: received?.status ?? 500 });
	});
});
afterEach(() => vi.unstubAllGlobals());

function open(): MySandboxes {
	const mine = new MySandboxes(root);
	mine.start();
	return mine;
}

it('gives a visitor one sandbox, and another one after it was deleted', async () => {
	const first = await open().forVisitor();
	expect(first).toMatch(/^https:\/\/tollgate\.test\/~[\w-]{20}$/);
	expect(await open().forVisitor(), 'after a reload').toBe(first);
	await new ControlApi(first).request('DELETE /control/sandbox');
	const mine = open();
	expect(await mine.forVisitor()).not.toBe(first);
	expect(mine.list).toHaveLength(1);
});

it('gives a visitor without the cookies another sandbox', async () => {
	const first = await open().forVisitor();
	cookies.clear();
	expect(await open().forVisitor()).not.toBe(first);
});

it('forks a sandbox, and stores no key', async () => {
	const mine = open();
	const { base_url, key } = await mine.create({ name: 'One' });
	await new ControlApi(base_url).request('PATCH /control/settings', { body: { limits: { character: 7 } } });
	const copy = new ControlApi(await mine.fork(new ControlApi(base_url), 'Two'));
	expect(await copy.request('GET /control/sandbox')).toMatchObject({
		name: 'Two',
		settings: { limits: { character: 7 } }
	});
	expect(open().list.map(({ name }) => name)).toEqual(['Two', 'One']);
	expect([...storage.values.keys()]).toEqual(['tollgate-sandboxes']);
	expect([...storage.values.values()].join()).not.toContain(key);
});

it('creates nothing if a fork cannot hold the content', async () => {
	const mine = open();
	const { base_url } = await mine.create();
	const from = new ControlApi(base_url, () => Promise.resolve(Response.json({ format: 'damaged' })));
	await expect(mine.fork(from, 'Two')).rejects.toThrow('The file is not a Tollgate snapshot.');
	expect(mine.list).toHaveLength(1);
	expect((await mine.root.request('GET /control/sandboxes')).sandboxes).toHaveLength(1);
});

it('ignores what it cannot read from the storage', () => {
	storage.values.set('tollgate-sandboxes', '[{"id":7}]');
	expect(open().list).toEqual([]);
});

it('follows the list of other tabs until it is stopped', () => {
	const mine = new MySandboxes(root);
	const stop = mine.start();
	const list = [{ id: 'a', base_url: `${root}/~a`, created: 1 }];
	storage.changeElsewhere('another', '[]');
	storage.changeElsewhere('tollgate-sandboxes', JSON.stringify(list));
	expect(mine.list).toEqual(list);
	stop();
	storage.changeElsewhere(null);
	expect(mine.list).toEqual(list);
});

it('keeps the newest 50 sandboxes, and changes the name of a known one', () => {
	const mine = open();
	for (let count = 0; count <= 50; count++) mine.remember({ id: String(count), base_url: `${root}/~${count}` });
	expect([mine.list.length, mine.list[0]?.id, mine.list.at(-1)?.id]).toEqual([50, '50', '1']);
	mine.remember({ id: '7', name: 'Seven', base_url: `${root}/~7` });
	expect([mine.list.length, mine.list.find(({ id }) => id === '7')?.name]).toEqual([50, 'Seven']);
});
