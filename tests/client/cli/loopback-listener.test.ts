import { request, type IncomingHttpHeaders } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LoopbackListener, openLoopbackListener, signedInPage } from '#client/cli/login.server.ts';

let listener: LoopbackListener;
/** Queries that the listener passed on. */
let received: string[];

beforeEach(async () => {
	received = [];
	listener = await openLoopbackListener('https://service.example');
	listener.receive((params) => {
		received.push(params.toString());
		return Promise.resolve({ page: signedInPage, ended: params.get('state') === 'good' });
	});
});

afterEach(async () => {
	await send(`${listener.redirect_uri}/signed-in`).catch(() => undefined); // lets it close at once
	await listener.close();
});

/** Sends a request without following redirects. */
function send(url: string, options: { method?: string; headers?: Record<string, string> } = {}) {
	return new Promise<{ status: number; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
		request(url, { agent: false, ...options }, (response) => {
			let body = '';
			response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
			response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
		})
			.once('error', reject)
			.end();
	});
}

test('accepts responses until one ends the sign-in, and removes the code from the URL', async () => {
	const { redirect_uri } = listener;
	expect((await send(`${redirect_uri}/?code=c&state=bad`)).status).toBe(400);
	const last = await send(`${redirect_uri}/?code=c&state=good`);
	expect(last).toMatchObject({ status: 303, headers: { location: '/signed-in' } });
	expect((await send(`${redirect_uri}/?code=c&state=good`)).status).toBe(404);
	expect(received).toEqual(['code=c&state=bad', 'code=c&state=good']);
	expect((await send(`${redirect_uri}/signed-in`)).body).toContain('You’re signed in');
});

test.each([
	['another path', '/elsewhere?code=x', {}],
	['no parameters', '/', {}],
	['the result page before the end', '/signed-in', {}],
	['another method', '/?code=x', { method: 'POST' }],
	['HEAD, as link scanners send it', '/?code=x', { method: 'HEAD' }],
	['another host name, as after DNS rebinding', '/?code=x', { headers: { host: 'evil.example' } }]
])('responds to %s with 404 and passes nothing on', async (_, path, options) => {
	expect((await send(listener.redirect_uri + path, options)).status).toBe(404);
	expect(received).toEqual([]);
});

test('its pages are not stored or framed, load only the stylesheet of the service and send no referrer', async () => {
	const { headers, body } = await send(listener.redirect_uri);
	expect(body).toContain('href="https://service.example/service.css"');
	expect(headers).toMatchObject({
		'content-type': 'text/html; charset=utf-8',
		'cache-control': 'no-store',
		'referrer-policy': 'no-referrer',
		'x-content-type-options': 'nosniff',
		'x-frame-options': 'DENY'
	});
	expect(headers['content-security-policy']).toMatch(
		/^default-src 'none'; style-src https:\/\/service\.example; .*frame-ancestors 'none'$/
	);
});

test('listens on this machine only, and no longer after close', async () => {
	const { host, port } = new URL(listener.redirect_uri);
	expect((await send(`http://127.0.0.1:${port}/`, { headers: { host } })).status).toBe(404);
	await listener.close();
	await expect(send(listener.redirect_uri)).rejects.toThrow();
});
