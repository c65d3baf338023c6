import { expect, test } from 'vitest';
import { compressed } from '#hosts/kit/compression.ts';

function ask(accept?: string): Request {
	return new Request('https://localhost/', { headers: accept === undefined ? {} : { 'accept-encoding': accept } });
}

function page(headers: Record<string, string> = { 'x-sveltekit-page': 'true' }): Response {
	return new Response('<h1>Tollgate</h1>', { status: 404, headers });
}

test('a page is packed for a client that takes gzip, and unpacks to the same', async () => {
	const packed = compressed(ask('br, gzip'), page());
	expect([packed.status, packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
		404,
		'gzip',
		'Accept-Encoding'
	]);
	const plain = packed.body?.pipeThrough(new DecompressionStream('gzip'));
	expect(await new Response(plain).text()).toBe('<h1>Tollgate</h1>');
});

test.each([undefined, 'br', 'gzip;q=0', 'identity, gzip; q=0.0'])('Accept-Encoding %s: left as it is', (accept) => {
	const response = page();
	expect(compressed(ask(accept), response)).toBe(response);
});

test('what is no page of the application is left as it is', () => {
	const response = page({});
	expect(compressed(ask('gzip'), response)).toBe(response);
});
