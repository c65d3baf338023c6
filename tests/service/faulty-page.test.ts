import { expect, it } from 'vitest';
import { createNodeService } from '#hosts/node-service.server.ts';
import { headerValue } from '#api/headers.ts';

const origin = 'https://localhost:8443';

/** Sends JSON to a control of the root sandbox, as a program on this machine. */
function controls() {
	const service = createNodeService({ origin });
	return async (method: string, target: string, body?: object, accept = '*/*') => {
		const result = await service.handle({
			method,
			target,
			headers: ['Content-Type', 'application/json', 'Accept', accept],
			body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
			bodyTooLarge: false,
			peer: '127.0.0.1'
		});
		if (result.kind !== 'response') throw new Error(result.kind);
		return result;
	};
}

it('a fault at the authorization endpoint shows a page to browsers and sends data to programs', async () => {
	const send = controls();
	await send('POST', '/control/faults', { endpoint: 'auth', kind: 'status', status: 503, times: 2 });
	const page = await send('GET', '/ws/oauth2/auth/', undefined, 'text/html');
	expect([page.status, headerValue(page.headers, 'content-type')]).toEqual([503, 'text/html; charset=utf-8']);
	const data = await send('GET', '/ws/oauth2/auth/', undefined, 'application/json');
	expect([data.status, headerValue(data.headers, 'content-type')]).toEqual([503, 'application/json; charset=utf-8']);
});

it.each([
	[400, 'invalid_request'],
	[429, 'too_many_attempts'],
	[503, 'temporarily_unavailable']
])('a fault of status %i is called %s', async (status, error) => {
	const send = controls();
	await send('POST', '/control/faults', { endpoint: 'character', kind: 'status', status });
	const result = await send('GET', '/ws/v2.0/character/Mara%20Vell');
	expect(result.status).toBe(status);
	expect(JSON.parse(result.body)).toMatchObject({ error });
});
