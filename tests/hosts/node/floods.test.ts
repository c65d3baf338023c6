import { createReadStream, type ReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { quotaAddress } from '#hosts/node/connections.server.ts';
import type { PageHandler } from '#hosts/node/pages.server.ts';
import { AddressQuota } from '#service/core/address-limits.ts';
import { fakeService } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './serve.ts';

const form = 'Content-Type: application/x-www-form-urlencoded';

test('begins a pipelined request only when the response before it was sent', async () => {
	const body = 'x'.repeat(1024 * 1024);
	const service = fakeService(async () => ({ kind: 'response', status: 200, headers: [], body }));
	const { port } = await serve({ service });
	const wire = await openWire(port);
	wire.socket.pause();
	wire.send(head('GET /ws/x', port).repeat(100));
	const other = await openWire(port);
	await other.send(head('GET /ws/x', port)).until('xxx');
	expect(service.seen.length).toBeLessThan(20);
	wire.close();
	other.close();
});

test('closes a connection after the pipelined requests that may wait', async () => {
	const { port, fake } = await serve({ limits: { maxPipelined: 20 } });
	const wire = await openWire(port);
	const responses = await wire.send(head('GET /ws/x', port).repeat(500)).end();
	expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(21);
	expect(responses.match(/connection: close/gi)).toHaveLength(1);
	expect(fake.seen).toHaveLength(21);
});

test('destroys a connection with too many pipelined requests that does not read its responses', async () => {
	const service = fakeService(() => new Promise(() => undefined));
	const { port, load } = await serve({ service, limits: { maxPipelined: 20, lingerTimeout: 50 } });
	const wire = await openWire(port);
	expect(await wire.send(head('GET /ws/x', port).repeat(500)).end()).toBe('');
	await expect.poll(() => load().connections).toBe(0);
});

test('closes the file of a response when its client leaves', async () => {
	const file = join(await temporaryFolder(), 'large');
	await writeFile(file, Buffer.alloc(16 * 1024 * 1024));
	const files: ReadStream[] = [];
	const pages: PageHandler = (_request, response) => {
		const source = createReadStream(file);
		files.push(source);
		source.pipe(response.writeHead(200));
	};
	const { port } = await serve({ pages: async () => pages });
	const wire = await openWire(port);
	wire.socket.pause();
	wire.send(head('GET /large', port).repeat(3));
	await expect.poll(() => files.length).toBe(1);
	wire.close();
	await expect.poll(() => files.every(({ closed }) => closed)).toBe(true);
});

test('allows each client address its share of the connections', async () => {
	const { port } = await serve({ limits: { maxConnectionsPerAddress: 2 } });
	const [first, second] = [await openWire(port), await openWire(port)];
	await expect(openWire(port)).rejects.toThrow();
	first.close();
	await expect.poll(() => openWire(port).then((wire) => wire.close(), String)).toBeUndefined();
	second.close();
});

test('counts an IPv6 client by its /64', () => {
	const quota = new AddressQuota(4, 2);
	const take = (remoteAddress: string, amount?: number) => quota.take(quotaAddress({ remoteAddress }), amount);
	expect([take('2001:db8::1'), take('2001:db8::2')]).toEqual([true, true]);
	expect([take('2001:db8::3'), take('2001:db8:0:1::1', 2)]).toEqual([false, true]);
	expect(take('192.0.2.1')).toBe(false);
	quota.release(quotaAddress({ remoteAddress: '2001:db8::1' }));
	expect([take('192.0.2.1'), take('192.0.2.1')]).toEqual([true, false]);
});

test('HT-05: announced bodies reserve nothing', async () => {
	const { port } = await serve({ limits: { maxBodyBytes: 70 * 1024 } });
	const post = head('POST /account', port, form, `Content-Length: ${40 * 1024}`, 'Connection: close');
	const idle = await Promise.all([1, 2, 3].map(async () => (await openWire(port)).send(post)));
	const wire = await openWire(port);
	expect(await wire.send(post + 'x'.repeat(40 * 1024)).end()).toMatch(/^HTTP\/1\.1 200 /);
	for (const { socket } of idle) socket.destroy();
});

test('HT-05: one client address has a share of the bytes of bodies', async () => {
	const { port } = await serve({ limits: { maxBodyBytesPerAddress: 30 * 1024 } });
	const wire = await openWire(port);
	wire.send(head('POST /account', port, form, `Content-Length: ${40 * 1024}`) + 'x'.repeat(40 * 1024));
	expect(await wire.until('Try again')).toMatch(/^HTTP\/1\.1 503 /);
	wire.close();
});
