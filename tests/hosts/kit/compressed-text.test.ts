import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GET } from '../../../src/routes/[[sandbox=sandbox]]/openapi.json/+server.ts';

test.each([
	['gzip, br', 'br', brotliDecompressSync],
	['gzip, br;q=0', 'gzip', gunzipSync],
	['', null, (body: Buffer) => body]
])('/openapi.json for a client that accepts "%s" is in the coding %s', async (accept, coding, decode) => {
	const response = GET({
		request: new Request('https://localhost/openapi.json', { headers: { 'accept-encoding': accept } })
	});
	const { headers } = response;
	expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
	const body = Buffer.from(await response.arrayBuffer());
	expect(headers.get('content-length')).toBe(String(body.length));
	if (coding !== null) expect(body.length).toBeLessThan(50_000);
	expect(JSON.parse(decode(body).toString())).toMatchObject({ openapi: '3.1.1' });
});
