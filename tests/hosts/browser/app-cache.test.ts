import { expect, test, vi } from 'vitest';
import { AppCache, type AppCaches } from '#hosts/browser/app-cache.ts';

/** The caches of a browser, by path. */
function createCaches(...stored: string[]): AppCaches & { kept: Map<string, string>; names: Set<string> } {
	const names = new Set(stored);
	const kept = new Map<string, string>();
	const put = async (path: string, response: Response) => {
		kept.set(path, await response.text());
	};
	const add = async (path: string) => put(path, await fetch(path));
	const cache = {
		add,
		put,
		addAll: async (paths: readonly string[]) => {
			await Promise.all(paths.map(add));
		},
		keys: () => Promise.resolve([...kept.keys()].map((path) => ({ url: `https://site.example${path}` })))
	};
	return {
		kept,
		names,
		match: (path) => {
			const text = kept.get(path);
			return Promise.resolve(text === undefined ? undefined : new Response(text));
		},
		open: () => Promise.resolve(cache),
		keys: () => Promise.resolve([...names]),
		delete: (name) => Promise.resolve(names.delete(name))
	};
}

/** A network with all files. */
function connect(): void {
	vi.stubGlobal('fetch', (path: string) => Promise.resolve(new Response(`network ${path}`)));
}

function disconnect(): void {
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
}

test('downloads all files ahead, except those on demand', async () => {
	const caches = createCaches();
	connect();
	await new AppCache(caches, '', 'v1', ['/a.js'], ['/on-demand.js']).fill();
	expect([...caches.kept.keys()]).toEqual(['/', '/a.js']);
});

test('keeps a file on demand after its first use', async () => {
	const cache = new AppCache(createCaches(), '', 'v1', ['/a.js'], ['/on-demand.js']);
	expect(cache.has('/on-demand.js')).toBe(true);
	connect();
	expect(await (await cache.respond('/on-demand.js')).text()).toBe('network /on-demand.js');
	disconnect();
	expect(await (await cache.respond('/on-demand.js')).text()).toBe('network /on-demand.js');
});

test('does not keep an error in place of a file on demand', async () => {
	const caches = createCaches();
	vi.stubGlobal('fetch', () => Promise.resolve(new Response('missing', { status: 404 })));
	const cache = new AppCache(caches, '', 'v1', [], ['/on-demand.js']);
	expect((await cache.respond('/on-demand.js')).status).toBe(404);
	expect(caches.kept.size).toBe(0);
});

test.each([
	['deleteOld', ['tollgate/demo v2', 'tollgate v1', 'tollgate/other v1', 'images']],
	['deleteAll', ['tollgate v1', 'tollgate/other v1', 'images']]
] as const)('%s leaves the caches of other deployments and programs', async (method, left) => {
	const caches = createCaches('tollgate/demo v1', 'tollgate/demo v2', 'tollgate v1', 'tollgate/other v1', 'images');
	await new AppCache(caches, '/demo', 'v2', [], [])[method]();
	expect([...caches.names]).toEqual(left);
});

test('downloads only the files that are missing', async () => {
	const caches = createCaches();
	connect();
	const cache = new AppCache(caches, '', 'v1', ['/a.js', '/b.js'], []);
	await cache.addPage();
	caches.kept.set('/a.js', 'kept');
	await cache.fill();
	expect([...caches.kept]).toEqual([
		['/', 'network /'],
		['/a.js', 'kept'],
		['/b.js', 'network /b.js']
	]);
});
