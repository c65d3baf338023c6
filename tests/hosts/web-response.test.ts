import { expect, test } from 'vitest';
import { toWebResponse } from '#hosts/web-response.ts';

test.each([204, 205, 304])('a response with status %s has no body', async (status) => {
	const response = toWebResponse({ kind: 'response', status, headers: ['X-A', 'a'], body: 'text' }, 'GET');
	expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([status, 'a', '']);
});
