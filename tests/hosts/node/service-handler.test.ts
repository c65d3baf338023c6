import { X509Certificate } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { expect, test } from 'vitest';
import { testCertificate } from '../certificate.ts';
import { echo, fakeService, json } from '../fake-service.ts';
import { head, openPlain, openWire } from '../raw-connection.ts';
import type { PageHandler } from '#hosts/node/pages.server.ts';
import { serve } from './serve.ts';

const form = 'Content-Type: application/x-www-form-urlencoded';

test('the service gets target, headers sent twice and body as they were sent', async () => {
	const { port, fake } = await serve();
	const wire = await openWire(port);
	wire.send(
		head(
			'POST /~x/ws/%2e/token/?state=%FF&b=+',
			port,
			'Authorization: OAuth a',
			'authorization: OAuth b',
			form,
			'Content-Length: 3'
		)
	);
	wire.send('a=\xff');
	await wire.until('"body"');
	const [seen] = fake.seen;
	expect(seen).toMatchObject({
		method: 'POST',
		target: '/~x/ws/%2e/token/?state=%FF&b=+',
		bodyTooLarge: false,
		peer: '127.0.0.1'
	});
	expect(seen?.headers).toEqual([
		'Host',
		`localhost:${port}`,
		'Authorization',
		'OAuth a',
		'authorization',
		'OAuth b',
		'Content-Type',
		'application/x-www-form-urlencoded',
		'Content-Length',
		'3'
	]);
	expect([...(seen?.body ?? [])]).toEqual([0x61, 0x3d, 0xff]);
	wire.close();
});

test('a client that trusts the authority connects over localhost, 127.0.0.1 and ::1', async () => {
	const { port } = await serve();
	const { authority } = await testCertificate();
	// Node 22.23 does not find ::1 in a certificate, OpenSSL does.
	const checkServerIdentity = (host: string, { raw }: { raw: Buffer }) => {
		const certificate = new X509Certificate(raw);
		const found = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
		return found === undefined ? new Error(`The certificate is not for ${host}`) : undefined;
	};
	for (const host of ['localhost', '127.0.0.1', '::1']) {
		const status = await new Promise((resolve, reject) => {
			request({ host, port, path: '/ws/x', ca: authority.cert, agent: false, checkServerIdentity }, (response) => {
				response.resume();
				resolve(response.statusCode);
			})
				.on('error', reject)
				.end();
		});
		expect(status).toBe(200);
	}
});

test('pipelined requests get their responses in order, a slow one first', async () => {
	const release: (() => void)[] = [];
	const service = fakeService(async (request) => {
		if (request.target === '/ws/1') await new Promise<void>((resolve) => release.push(resolve));
		return json(200, request.target);
	});
	const { port } = await serve({ service });
	const wire = await openWire(port);
	wire.send(head('GET /ws/1', port) + head('GET /ws/2', port));
	await expect.poll(() => release.length).toBe(1);
	release.forEach((go) => go());
	await wire.until('"/ws/2"');
	expect(wire.received.indexOf('"/ws/1"')).toBeLessThan(wire.received.indexOf('"/ws/2"'));
	expect(wire.received.indexOf('"/ws/1"')).toBeGreaterThan(0);
	wire.close();
});

test('HEAD reaches the service as HEAD, and gets its headers without a body', async () => {
	const { port, fake } = await serve();
	const wire = await openWire(port);
	wire.send(head('HEAD /ws/x', port));
	await wire.until('\r\n\r\n');
	wire.send(head('GET /ws/y', port));
	await wire.until('"/ws/y"');
	expect(fake.seen.map((request) => request.method)).toEqual(['HEAD', 'GET']);
	expect(wire.received).toMatch(
		/^HTTP\/1\.1 200 OK\r\n.*content-length: [1-9]\d*\r\n.*\r\n\r\nHTTP\/1\.1 200 OK\r\n/is
	);
	wire.close();
});

test('204 has neither body nor length; the service says its own Date and Content-Length', async () => {
	const date = 'Tue, 01 Jan 2030 00:00:00 GMT';
	const service = fakeService(async ({ target }) =>
		target === '/ws/204'
			? { kind: 'response', status: 204, headers: ['Date', date], body: '' }
			: { kind: 'response', status: 200, headers: ['Content-Length', '2', 'date', date], body: 'ok' }
	);
	const { port } = await serve({ service });
	const wire = await openWire(port);
	wire.send(head('OPTIONS /ws/204', port));
	const first = await wire.until('\r\n\r\n');
	expect(first).toMatch(/^HTTP\/1\.1 204 /);
	expect(first).not.toMatch(/content-length|transfer-encoding/i);
	expect(first.match(/date: .*/gi)).toEqual([`Date: ${date}`]);
	wire.send(head('GET /ws/x', port, 'Connection: close'));
	const second = (await wire.end()).slice(first.length);
	expect(second.match(/content-length/gi)).toHaveLength(1);
	expect(second.match(/date: .*/gi)).toEqual([`date: ${date}`]);
	expect(second).toMatch(/\r\n\r\nok$/);
});

test('HT-11: nothing in a header can split, garble or break a response', async () => {
	const evil = 'https://x/?a=\r\nSet-Cookie: b=c\0é€\ud800🚀 ok';
	const service = fakeService(async () => json(302, {}, ['Location', evil, 'Set-Cookie', 'a=é', 'Set-Cookie', 'b=2']));
	const { port, faults } = await serve({ service });
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port, 'Connection: close'));
	const response = await wire.end();
	expect(response).toMatch(/^HTTP\/1\.1 302 /);
	expect(response).toContain(
		'\r\nLocation: https://x/?a=%0D%0ASet-Cookie: b=c%00%C3%A9%E2%82%AC%EF%BF%BD%F0%9F%9A%80 ok\r\n'
	);
	expect(response.match(/^set-cookie: .*/gim)).toEqual(['Set-Cookie: a=%C3%A9', 'Set-Cookie: b=2']);
	expect(faults).toEqual([]);
});

test('HT-13: a service that fails becomes a 500 and is reported; the next request succeeds', async () => {
	const service = fakeService(async (request) => {
		if (request.target === '/ws/bad') throw new Error('a fault');
		return echo(request);
	});
	const { port, faults } = await serve({ service });
	const wire = await openWire(port);
	wire.send(head('GET /ws/bad', port));
	expect(await wire.until('failed')).toMatch(/^HTTP\/1\.1 500 /);
	wire.send(head('GET /ws/good', port));
	await wire.until('"/ws/good"');
	expect(faults).toMatchObject([{ message: 'a fault' }]);
	wire.close();
});

test('a half-closed client gets its responses, however long they take', async () => {
	const service = fakeService(async (request) => {
		if (request.target === '/ws/slow') await new Promise((resolve) => setTimeout(resolve, 30));
		return echo(request);
	});
	const pages: PageHandler = (_request, response) => setTimeout(() => response.end('a page'), 30);
	const { port, load } = await serve({ service, pages: () => Promise.resolve(pages) });
	const asked = ['/ws/a', '/ws/slow', '/a-page', '/ws/b'].map((path) => head(`GET ${path}`, port));
	for (const requests of [...asked, asked.join('')]) {
		const wire = await openWire(port);
		wire.send(requests).socket.end();
		const response = await wire.end();
		expect(response.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(requests.split('GET').length - 1);
	}
	const nothing = await openWire(port);
	nothing.socket.end();
	expect(await nothing.end()).toBe('');
	const noHandshake = await openPlain(port);
	noHandshake.socket.end();
	expect(await noHandshake.end()).toBe('');
	await expect.poll(() => load().connections).toBe(0);
});

test('a file that is gone when it is asked for, as after a new build, costs its connection and not the process', async () => {
	const pages: PageHandler = (request, response) => {
		if (request.url === '/gone.js') createReadStream('/nowhere/gone.js').pipe(response.writeHead(200));
		else response.end('a page');
	};
	const { port, faults } = await serve({ pages: () => Promise.resolve(pages) });
	const wire = await openWire(port);
	wire.send(head('GET /gone.js', port));
	expect(await wire.end()).toBe('');
	expect(faults).toMatchObject([{ code: 'ENOENT' }]);
	const next = await openWire(port);
	next.send(head('GET /a-page', port, 'Connection: close'));
	expect(await next.end()).toContain('a page');
});

test('HT-14: what was aborted before its end never reaches the service', async () => {
	const { port, fake, load } = await serve();
	for (let round = 0; round < 50; round += 1) {
		const wire = await openWire(port);
		wire.send(head('POST /ws/oauth2/token/', port, form, 'Content-Length: 100') + 'grant_type=');
		wire.socket.end(() => wire.close());
		await wire.closed;
	}
	await expect.poll(() => load().connections).toBe(0);
	expect(fake.seen).toEqual([]);
});

test('HT-14: clients that leave while their response is made do no harm', async () => {
	const release: (() => void)[] = [];
	const service = fakeService(async (request) => {
		if (request.target === '/ws/slow') await new Promise<void>((resolve) => release.push(resolve));
		return echo(request);
	});
	const { port, faults, load } = await serve({ service, limits: { halfCloseTimeout: 50 } });
	for (let round = 0; round < 20; round += 1) {
		const wire = await openWire(port);
		wire.send(head('GET /ws/slow', port));
		await expect.poll(() => release.length).toBe(round + 1);
		wire.close();
	}
	await expect.poll(() => load().connections).toBe(0);
	release.forEach((go) => go());
	const wire = await openWire(port);
	wire.send(head('GET /ws/after', port));
	await wire.until('"/ws/after"');
	expect(faults).toEqual([]);
	wire.close();
});
