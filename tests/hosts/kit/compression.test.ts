import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { GET } from '../../../src/routes/[[sandbox=sandbox]]/openapi.json/+server.ts';
import { demoWorld } from '../../client/demo-world.ts';
import type { World } from '#client/world.ts';

const url = new URL('https://localhost/openapi.json');

function get(world: World, accept = ''): Promise<Response> {
	const request = new Request(url, { headers: { 'accept-encoding': accept } });
	const status = { base_url: 'https://localhost', dialect: 'specification', is_strict: true };
	const fetch = (input: RequestInfo | URL) =>
		Promise.resolve(Response.json(new Request(input).url.endsWith('/control/status') ? status : world));
	return GET({ request, url, fetch });
}

test('/openapi.json has the words of the world in its examples', async () => {
	const name = 'The "Bank"';
	const world = { ...demoWorld, brand: { name }, viewer: { ...demoWorld.viewer, client_id: 'net-bank', shows: [] } };
	const text = await (await get(world)).text();
	expect(JSON.parse(text)).toMatchObject({ info: { title: name } });
	expect(text).toContain('net-bank');
	expect(text).not.toMatch(/character-viewer|Mara Vell|"Tollgate"/);
});

test.each([
	['gzip, br', 'br', brotliDecompressSync],
	['gzip, br;q=0', 'gzip', gunzipSync],
	['', null, (body: Buffer) => body]
])('/openapi.json for a client that accepts "%s" is in the coding %s', async (accept, coding, decode) => {
	const response = await get(demoWorld, accept);
	const { headers } = response;
	expect([headers.get('content-encoding'), headers.get('vary')]).toEqual([coding, 'Accept-Encoding']);
	const body = Buffer.from(await response.arrayBuffer());
	expect(headers.get('content-length')).toBe(String(body.length));
	if (coding !== null) expect(body.length).toBeLessThan(50_000);
	expect(JSON.parse(decode(body).toString())).toMatchObject({ openapi: '3.1.1' });
});
