import { expect, test } from 'vitest';
import type { PageHandler } from '#hosts/node/pages.server.ts';
import { isLoopback, securityHeaders } from '#hosts/security-headers.ts';
import { fakeService, json } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve, shortLimits } from './serve.ts';

const names = ['x-content-type-options', 'referrer-policy', 'x-frame-options', 'content-security-policy'];

/** How often each header is in a response. */
function counts(response: string): Record<string, number> {
	const lines = (response.split('\r\n\r\n')[0] ?? '').toLowerCase().split('\r\n');
	return Object.fromEntries(names.map((name) => [name, lines.filter((line) => line.startsWith(`${name}: `)).length]));
}

const once = Object.fromEntries(names.map((name) => [name, 1]));

const pages: PageHandler = (request, response, next) => {
	if (request.url === '/none') return next();
	if (request.url === '/throws') throw new Error('a page fault');
	if (request.url === '/rejects') return Promise.reject(new Error('a page fault'));
	if (request.url === '/implicit') return response.end('implicit');
	if (request.url === '/object') return response.writeHead(200, 'Fine', { 'X-Frame-Options': 'SAMEORIGIN' }).end();
	if (request.url === '/set') response.setHeader('Content-Security-Policy', "default-src 'self'");
	if (request.url === '/cleared') response.getHeaderNames().forEach((name) => response.removeHeader(name));
	if (request.url === '/kept') return response.writeHead(304).end();
	return response.writeHead(request.url === '/cleared' ? 500 : 308, { location: '/x' }).end();
};

test.each(['/ws/x', '/none', '/throws', '/rejects', '/implicit', '/object', '/set', '/cleared', '/other'])(
	'HT-12: %s has every security header exactly once',
	async (path) => {
		const { port } = await serve({ pages: async () => pages });
		const wire = await openWire(port);
		const response = await wire.send(head(`GET ${path}`, port, 'Connection: close')).end();
		expect(counts(response)).toEqual(once);
		if (path === '/object') expect(response).toContain('X-Frame-Options: SAMEORIGIN');
		if (path === '/set') expect(response).toContain("Content-Security-Policy: default-src 'self'");
		expect(response).not.toMatch(/strict-transport-security/i);
	}
);

test('HT-12: headers that the service sets apply, in any case of letters', async () => {
	const service = fakeService(async () =>
		json(200, {}, ['X-FRAME-OPTIONS', 'SAMEORIGIN', 'content-security-policy', 'x'])
	);
	const { port } = await serve({ service });
	const wire = await openWire(port);
	const response = await wire.send(head('GET /ws/x', port, 'Connection: close')).end();
	expect(counts(response)).toEqual(once);
	expect(response).toContain('X-FRAME-OPTIONS: SAMEORIGIN\r\ncontent-security-policy: x\r\n');
});

test('HT-12: a response that keeps the page of the browser keeps its policy', async () => {
	const { port } = await serve({ pages: async () => pages });
	const wire = await openWire(port);
	const response = await wire.send(head('GET /kept', port, 'Connection: close')).end();
	expect(counts(response)).toEqual({ ...once, 'content-security-policy': 0, 'x-frame-options': 0 });
});

test('HT-12: also on what could not be parsed', async () => {
	const { port } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	expect(counts(await wire.send('rubbish\r\n\r\n').end())).toEqual(once);
});

test('HT-13: a page that never begins is given up', async () => {
	const { port, load } = await serve({ limits: shortLimits, pages: async () => () => undefined });
	const wire = await openWire(port);
	expect(await wire.send(head('GET /page', port)).end()).toBe('');
	await expect.poll(() => load().connections).toBe(0);
});

test.each([
	['https://tollgate.example', true],
	['https://www.tollgate.example:8443', true],
	['https://localhost:8443', false],
	['https://app.localhost', false],
	['https://127.0.0.1:8443', false],
	['https://192.168.1.7', false],
	['https://[::1]:8443', false],
	['https://[2001:db8::1]', false],
	['https://intranet', false],
	['https://printer.local', false]
])('HT-02: %s has Strict-Transport-Security: %s', (origin, has) => {
	expect(securityHeaders(origin).some(([name]) => name === 'strict-transport-security')).toBe(has);
});

test('HT-02: on a public name it holds a year, on every response', async () => {
	const { port } = await serve({ origin: 'https://tollgate.example', pages: async () => pages });
	for (const path of ['/ws/x', '/other']) {
		const wire = await openWire(port);
		const response = await wire.send(head(`GET ${path}`, port, 'Connection: close')).end();
		expect(response).toContain('strict-transport-security: max-age=31536000\r\n');
	}
});

test.each([
	['localhost', true],
	['LOCALHOST', true],
	['x.localhost', true],
	['127.0.0.1', true],
	['127.9.9.9', true],
	['::1', true],
	['[::1]', true],
	['0.0.0.0', false],
	['::', false],
	['127.0.0.1.evil.example', false],
	['localhost.evil.example', false]
])('%s is this machine: %s', (host, is) => {
	expect(isLoopback(host)).toBe(is);
});
