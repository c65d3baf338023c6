import { expect, test, vi } from 'vitest';
import { WorldCache, type WorldCaches } from '#hosts/browser/world-cache.ts';
import { demoWorldFile } from '#hosts/browser/world-file.ts';

const partner = '{"format":"tollgate-world","version":1,"brand":{"name":"Harbor Lane"}}';

/** A cache for one file. */
function createCaches(): WorldCaches {
	let kept: Response | undefined;
	return {
		match: () => Promise.resolve(kept?.clone()),
		open: () => Promise.resolve({ put: (_, response) => Promise.resolve(void (kept = response)) }),
		delete: () => Promise.resolve(true)
	};
}

/** What the server responds for world.json from now on. */
function serve(respond: () => Response): void {
	vi.stubGlobal('fetch', () => Promise.resolve().then(respond));
}

test('keeps the file for the next run, also without a network', async () => {
	const caches = createCaches();
	serve(() => new Response(partner));
	expect((await new WorldCache(caches, '').world())?.brand.name).toBe('Harbor Lane');
	serve(() => {
		throw new TypeError('Failed to fetch');
	});
	const next = new WorldCache(caches, '');
	expect([await next.text(), await next.refresh()]).toEqual([partner, false]);
});

test('without a network, does not keep the demo world in place of the file', async () => {
	const caches = createCaches();
	serve(() => {
		throw new TypeError('Failed to fetch');
	});
	expect(await new WorldCache(caches, '').text()).toBeUndefined();
	serve(() => new Response(partner));
	expect(await new WorldCache(caches, '').text()).toBe(partner);
});

test.each([
	['another file', true, () => new Response(partner.replace('Lane', 'Road'))],
	['the demo world', true, () => new Response(`${demoWorldFile}\n`)],
	['no file', true, () => new Response('Not found', { status: 404 })],
	['the same file', false, () => new Response(partner)],
	['a page', false, () => new Response('\n<!doctype html>')],
	['an error', false, () => new Response('Unavailable', { status: 503 })],
	['a rejection', false, () => new Response('Too many requests', { status: 429 })]
])('after %s from the server, a refresh has changed the world: %s', async (_, isChanged, respond) => {
	serve(() => new Response(partner));
	const world = new WorldCache(createCaches(), '');
	await world.text();
	serve(respond);
	expect(await world.refresh()).toBe(isChanged);
	expect((await world.text()) === partner).toBe(!isChanged);
});

test('reads the file from the network where the browser has no storage', async () => {
	serve(() => new Response(partner));
	const fail = () => Promise.reject(new DOMException('The operation is insecure.', 'SecurityError'));
	expect(await new WorldCache({ match: fail, open: fail, delete: fail }, '').text()).toBe(partner);
});
