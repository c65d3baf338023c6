import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '#hosts/node/server.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import { testCertificate } from '../certificate.ts';

const origin = 'https://tollgate.example';

it('behind a proxy that ends TLS, takes what came by HTTPS and nothing else', async () => {
	const server = await startServer({
		origin,
		host: '127.0.0.1',
		service: () => createNodeService({ origin, trustedProxies: 1, adminKey: 'a key of this test' })
	});
	onTestFinished(() => server.close());
	const get = (path: string, headers: Record<string, string | string[]>) =>
		new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>((resolve, reject) => {
			const sent = {
				port: server.port,
				host: '127.0.0.1',
				path,
				agent: false,
				headers: { host: 'tollgate.example', ...headers }
			};
			request(sent, (response) => {
				let body = '';
				response
					.setEncoding('utf8')
					.on('data', (chunk: string) => (body += chunk))
					.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
			})
				.on('error', reject)
				.end();
		});
	const byTls = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
	const limits = await get('/ws/v2.0/ratelimits', byTls);
	expect([limits.status, limits.headers['x-tollgate-address']]).toEqual([401, '203.0.113.7']);
	expect(limits.headers['strict-transport-security']).toBe('max-age=31536000');
	for (const headers of [{}, { 'x-forwarded-proto': 'http' }, { 'x-forwarded-proto': 'https', host: 'other.example' }])
		expect((await get('/control/health', headers)).status, JSON.stringify(headers)).toBeGreaterThanOrEqual(400);
	expect((await get('/control/health', {})).body).toContain('X-Forwarded-Proto must be https');
	expect((await get('/control/health', byTls)).status).toBe(200);
	for (const [lines, status] of [
		[['https', 'http'], 400],
		[['http', 'https'], 400],
		[['https', 'https'], 200]
	] as const)
		expect((await get('/control/health', { 'x-forwarded-proto': [...lines] })).status, lines.join()).toBe(status);
});

it('at a port with TLS, sends no byte to plain HTTP, and tells the developer once', async () => {
	const notes: string[] = [];
	const server = await startServer({
		host: '127.0.0.1',
		certificate: (await testCertificate()).certificate,
		service: (own) => createNodeService({ origin: own }),
		note: (message) => notes.push(message)
	});
	onTestFinished(() => server.close());
	const received = () =>
		new Promise<string>((resolve) => {
			let text = '';
			const socket = connect(server.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
			socket.on('data', (chunk) => (text += String(chunk)));
			socket.on('error', () => undefined);
			socket.on('close', () => resolve(text));
		});
	expect([await received(), await received()]).toEqual(['', '']);
	expect(notes).toEqual([expect.stringContaining(`Use ${server.origin}.`)]);
});
