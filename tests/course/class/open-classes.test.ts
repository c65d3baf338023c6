import { beforeEach, expect, it, vi } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { OpenClasses } from '#course/class/model/open-classes.svelte.ts';
import { ClassServer } from '../../service/class/class-server.ts';

/** The control API of a server, as a browser with the cookies of its classes. */
function browserAt(server: ClassServer, keys: Readonly<Record<string, string>>): ControlApi {
	return new ControlApi('https://tollgate.test', async (url) => {
		const { pathname } = new URL(url);
		const key = keys[pathname.split('/').at(-1) ?? ''] ?? '';
		const { status, text } = await server.call(key, 'GET', pathname);
		if (status === 0) throw new TypeError('no response');
		return new Response(text, { status, headers: { 'content-type': 'application/json' } });
	});
}

beforeEach(() => {
	const stored = new Map<string, string>();
	vi.stubGlobal('localStorage', {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, text: string) => void stored.set(key, text),
		removeItem: (key: string) => void stored.delete(key)
	});
});

it('finds the classes that this browser opened and the server still has, after a reload', async () => {
	const server = new ClassServer();
	const [first, second] = [await server.open({ name: 'First' }), await server.open({ name: 'Second' })];
	const keys = { [first.code]: first.key, [second.code]: second.key };
	for (const opened of [first, second]) new OpenClasses(browserAt(server, keys)).add(opened);
	const namesIn = async () => {
		const classes = new OpenClasses(browserAt(server, keys));
		await classes.refresh();
		return classes.list.map(({ name }) => name);
	};
	expect(await namesIn()).toEqual(['Second', 'First']);
	await server.call(first.key, 'DELETE', `/control/classes/${first.code}`);
	expect(await namesIn()).toEqual(['Second']);
	expect(await namesIn()).toEqual(['Second']);
});
