import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { renderOnce } from '#hosts/kit/page-cache.server.ts';

function request(accept?: string, method = 'GET'): Request {
	return new Request('https://localhost/', {
		method,
		headers: accept === undefined ? {} : { 'accept-encoding': accept }
	});
}

function page(headers: Record<string, string> = { 'x-sveltekit-page': 'true' }): Response {
	return new Response('<h1>Tollgate</h1>', { status: 404, headers });
}

test('renders a page once, with and without compression', async () => {
	const render = vi.fn(async () => page());
	const plain = await renderOnce(request(), '/a', render);
	expect([plain.status, plain.headers.get('content-encoding'), await plain.text()]).toEqual([
		404,
		null,
		'<h1>Tollgate</h1>'
	]);
	for (const [accepted, coding, decompress] of [
		['gzip, br', 'br', brotliDecompressSync],
		['gzip, br;q=0', 'gzip', gunzipSync]
	] as const) {
		const compressed = await renderOnce(request(accepted), '/a', render);
		expect([compressed.status, compressed.headers.get('content-encoding')]).toEqual([404, coding]);
		expect(compressed.headers.get('vary')).toBe('Accept-Encoding');
		const body = new Uint8Array(await compressed.arrayBuffer());
		expect(compressed.headers.get('content-length')).toBe(String(body.length));
		expect(decompress(body).toString()).toBe('<h1>Tollgate</h1>');
	}
	expect(render).toHaveBeenCalledOnce();
	await renderOnce(request(), '/b', render);
	expect(render).toHaveBeenCalledTimes(2);
});

test('renders once for requests that arrive at the same time', async () => {
	const render = vi.fn(async () => page());
	const responses = await Promise.all([1, 2, 3].map(() => renderOnce(request(), '/e', render)));
	expect(await Promise.all(responses.map((response) => response.text()))).toEqual(Array(3).fill('<h1>Tollgate</h1>'));
	expect(render).toHaveBeenCalledOnce();
});

test('forgets all pages when they are too large together, as those with large logos can be', async () => {
	const body = randomBytes(4 * 1024 * 1024);
	const headers = { 'x-sveltekit-page': 'true' };
	const render = vi.fn(async () => new Response(body, { headers }));
	for (const key of ['/l1', '/l2', '/l1', '/l3', '/l3', '/l1']) await renderOnce(request(), key, render);
	expect(render, 'the first one twice').toHaveBeenCalledTimes(4);
	// The page that was kept counts.
	for (const key of ['/l2', '/l3']) await renderOnce(request(), key, render);
	expect(render, 'all of them twice').toHaveBeenCalledTimes(6);
});

test.each([undefined, 'deflate', 'gzip;q=0', 'identity, gzip; q=0.0'])('does not compress for %s', async (accept) => {
	const response = await renderOnce(request(accept), '/c', async () => page());
	expect(response.headers.has('content-encoding')).toBe(false);
});

test('keeps neither other documents nor responses to other methods', async () => {
	for (const [sent, response] of [[request('gzip'), page({})] as const, [request('gzip', 'POST'), page()] as const])
		expect(await renderOnce(sent, '/d', async () => response)).toBe(response);
});
