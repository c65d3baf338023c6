import { expect, test } from 'vitest';
import { fetchWorld, fetchWorldOnce } from '#client/world.ts';

test.each([
	['a page', 200, '<!doctype html>'],
	['another document', 200, '{"openapi":"3.1.0"}'],
	['an error', 503, '{"error":"temporarily_unavailable"}']
])('rejects %s in place of a world, and asks again next time', async (_, status, body) => {
	let requests = 0;
	const fetch = async () => {
		requests++;
		return new Response(body, { status });
	};
	await expect(fetchWorld('https://tollgate.test', fetch)).rejects.toMatchObject({ code: 'unexpected_response' });
	for (let round = 0; round < 2; round++)
		await expect(fetchWorldOnce('https://tollgate.test', fetch)).rejects.toMatchObject({ code: 'unexpected_response' });
	expect(requests).toBe(3);
});
