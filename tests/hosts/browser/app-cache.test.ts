import { expect, test, vi } from 'vitest';
import { AppCache, type AppCaches } from '#hosts/browser/app-cache.ts';
import { offlineFilesPath as listPath } from '#hosts/browser/offline-files.ts';

/** A browser's caches: the text of each file, by name and path. */
function createCaches(stored: Record<string, readonly string[]> = {}) {
	const kept = new Map(
		Object.entries(stored).map(([name, paths]) => [name, new Map(paths.map((path) => [path, `kept ${path}`]))])
	);
	const caches: AppCaches & { kept: typeof kept; isFull: boolean } = {
		kept,
		isFull: false,
		match: (path, { cacheName }) => {
			const text = kept.get(cacheName)?.get(path);
			return Promise.resolve(text === undefined ? undefined : new Response(text));
		},
		open: (name) => {
			const files = kept.get(name) ?? new Map<string, string>();
			kept.set(name, files);
			return Promise.resolve({
				put: async (path: string, response: Response) => {
					if (caches.isFull) throw new DOMException('', 'QuotaExceededError');
					files.set(path, await response.text());
				},
				keys: () => Promise.resolve([...files.keys()].map((path) => ({ url: `https://site.example${path}` })))
			});
		},
		keys: () => Promise.resolve([...kept.keys()]),
		delete: (name) => Promise.resolve(kept.delete(name))
	};
	return caches;
}

const files = ['/_app/immutable/start.1.js', '/service.css'];
const onDemand = '/_app/immutable/on-demand.1.js';
const document = '<!doctype html><script>import("/_app/immutable/start.1.js")</script>';
const html = { headers: { 'Content-Type': 'text/html' } };

const listOf = (paths: readonly string[], version = 'v1') => Response.json({ version, paths });
/** A request of a page. */
const requestFor = (path: string) => new Request(`https://site.example${path}`);

/** A server with all files, and what it has in place of some. Records what is requested. */
function connect(others: Record<string, () => Response> = {}): string[] {
	const requested: string[] = [];
	const served: Record<string, () => Response> = {
		[listPath]: () => listOf(files),
		'/': () => new Response(document, html),
		...others
	};
	vi.stubGlobal('fetch', async (input: string | Request) => {
		const path = typeof input === 'string' ? input : new URL(input.url).pathname;
		requested.push(path);
		return served[path]?.() ?? new Response(`network ${path}`);
	});
	return requested;
}

const cut = (): Response => {
	throw new TypeError('Failed to fetch');
};

function disconnect(): void {
	vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
}

function createCache(caches: AppCaches = createCaches()): AppCache {
	return new AppCache(caches, '', 'v1');
}

test('downloads all files ahead and then the document, except files on demand', async () => {
	const caches = createCaches();
	connect();
	await createCache(caches).fill();
	expect([...(caches.kept.get('tollgate v1')?.keys() ?? [])]).toEqual([...files, '/']);
});

test('has no document until all files are kept, also where the network was cut or the storage is full', async () => {
	const caches = createCaches();
	const cache = createCache(caches);
	connect({ '/service.css': cut });
	await expect(cache.fill()).rejects.toThrow('Failed to fetch');
	expect(await cache.document()).toBeUndefined();
	connect();
	caches.isFull = true;
	await expect(cache.fill()).rejects.toMatchObject({ name: 'QuotaExceededError' });
	expect(await cache.document()).toBeUndefined();
	caches.isFull = false;
	const requested = connect();
	await cache.fill();
	expect(await (await cache.document())?.text()).toBe(document);
	expect(requested, 'what was kept before the cut is not downloaded again').toEqual([listPath, '/', '/service.css']);
	await cache.fill();
	expect(requested).toHaveLength(3);
});

test('a full storage ends the download', async () => {
	const caches = createCaches();
	caches.isFull = true;
	const many = Array.from({ length: 100 }, (_, at) => `/_app/immutable/${at}.js`);
	const requested = connect({ [listPath]: () => listOf([...files, ...many]) });
	const cache = createCache(caches);
	await expect(cache.fill()).rejects.toMatchObject({ name: 'QuotaExceededError' });
	await new Promise((resolve) => setImmediate(resolve));
	expect(requested.length).toBeLessThan(20);
});

test('two tabs that ask for the files at the same time download them once', async () => {
	const requested = connect();
	const cache = createCache();
	await Promise.all([cache.fill(), cache.fill()]);
	expect(requested).toEqual([listPath, '/', ...files]);
});

test.each([
	['document', 'names files of another version', '/', () => new Response(document.replace('start.1', 'start.2'), html)],
	[
		'document',
		'is the page of another program',
		'/',
		() => new Response('<!doctype html><h1>Sign in to the network</h1>', html)
	],
	['document', 'is an error', '/', () => new Response(document, { ...html, status: 503 })],
	['list of files', 'is of another version', listPath, () => listOf(files, 'v2')],
	['list of files', 'is a page', listPath, () => new Response(document, html)]
])('keeps nothing if the %s of the server %s', async (_, __, path, respond) => {
	const caches = createCaches();
	connect({ [path]: respond });
	await expect(createCache(caches).fill()).rejects.toThrow('another version');
	expect(caches.kept.size).toBe(0);
});

test('keeps a file that is a page', async () => {
	const frame = '/program-frame.html';
	const caches = createCaches();
	connect({ [listPath]: () => listOf([...files, frame]), [frame]: () => new Response('<!doctype html>', html) });
	await createCache(caches).fill();
	expect([...(caches.kept.get('tollgate v1')?.keys() ?? [])]).toEqual([...files, frame, '/']);
});

test('does not keep the page that a host sends in place of a missing file', async () => {
	const caches = createCaches();
	const cache = createCache(caches);
	const page = () => new Response(document, html);
	connect({ '/service.css': page, [onDemand]: page });
	await expect(cache.fill()).rejects.toThrow('/service.css');
	await cache.respond(onDemand, requestFor(onDemand));
	expect([...(caches.kept.get('tollgate v1')?.keys() ?? [])]).toEqual([files[0]]);
});

test('keeps a file on demand after its first use', async () => {
	const cache = createCache();
	const path = onDemand;
	connect();
	expect(await (await cache.respond(path, requestFor(path))).text()).toBe(`network ${path}`);
	disconnect();
	expect(await (await cache.respond(path, requestFor(path))).text()).toBe(`network ${path}`);
});

test('does not keep an error in place of a file on demand', async () => {
	const caches = createCaches();
	const path = onDemand;
	connect({ [path]: () => new Response('missing', { status: 404 }) });
	expect((await createCache(caches).respond(path, requestFor(path))).status).toBe(404);
	expect(caches.kept.size).toBe(0);
});

test.each([
	['no files', {}, false],
	['only its document, as earlier versions did', { 'tollgate v0': ['/'] }, false],
	['files without the document', { 'tollgate v0': files }, false],
	['all files', { 'tollgate v0': [...files, '/'] }, true],
	['all files, and has the version of this one', { 'tollgate v1': [...files, '/'] }, true],
	['all files, but of another deployment', { 'tollgate/demo v0': [...files, '/'] }, false]
])('an active version that keeps %s is complete: %3$s', async (_, stored: Record<string, string[]>, expected) => {
	expect(await createCache(createCaches(stored)).isActiveComplete()).toBe(expected);
});

test.each([
	['deleteOld', ['tollgate/demo v2', 'tollgate v1', 'tollgate/other v1', 'images']],
	['deleteAll', ['tollgate v1', 'tollgate/other v1', 'images']]
] as const)('%s leaves the caches of other deployments and programs', async (method, left) => {
	const names = ['tollgate/demo v1', 'tollgate/demo v2', 'tollgate v1', 'tollgate/other v1', 'images'];
	const caches = createCaches(Object.fromEntries(names.map((name) => [name, []])));
	await new AppCache(caches, '/demo', 'v2')[method]();
	expect([...caches.kept.keys()]).toEqual(left);
});
