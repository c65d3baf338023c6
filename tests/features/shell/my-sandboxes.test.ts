import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { MySandboxes } from '#features/shell/my-sandboxes.svelte.ts';
import { createTestService } from '../../service/test-service.ts';

const root = 'https://tollgate.test';
let values: Map<string, string>;

/** A browser with one service: its requests carry its cookies. */
beforeEach(() => {
	values = new Map();
	const cookies = new Map<string, string>();
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
	vi.stubGlobal('localStorage', {
		getItem: (key: string) => values.get(key) ?? null,
		setItem: (key: string, value: string) => values.set(key, value)
	});
	vi.stubGlobal('addEventListener', () => undefined);
	vi.stubGlobal('removeEventListener', () => undefined);
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
	expect([...values.keys()]).toEqual(['tollgate-sandboxes']);
	expect([...values.values()].join()).not.toContain(key);
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
	values.set('tollgate-sandboxes', '[{"id":7}]');
	expect(open().list).toEqual([]);
});
