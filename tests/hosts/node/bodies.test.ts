import { expect, test } from 'vitest';
import type { PageHandler } from '#hosts/node/pages.server.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve } from './serve.ts';

const form = 'Content-Type: application/x-www-form-urlencoded';

test.each([
	['/ws/oauth2/token/', 16 * 1024],
	['/account', 64 * 1024]
])('HT-05: %s takes %i bytes, and not one more', async (path, limit) => {
	const { port, fake } = await serve();
	for (const length of [limit, limit + 1]) {
		const wire = await openWire(port);
		wire.send(head(`POST ${path}`, port, form, `Content-Length: ${length}`, 'Connection: close') + 'x'.repeat(length));
		expect(await wire.end()).toMatch(length > limit ? /^HTTP\/1\.1 413 .*"invalid_request"/s : /^HTTP\/1\.1 200 /);
	}
	expect(fake.seen.map(({ body, bodyTooLarge }) => [body.length, bodyTooLarge])).toEqual([
		[limit, false],
		[0, true]
	]);
});

test('HT-05: a body declared too long gets 413 before a byte of it came, and the connection closes', async () => {
	const { port, load } = await serve({ limits: { lingerTimeout: 50 } });
	const wire = await openWire(port);
	wire.send(head('POST /ws/oauth2/token/', port, form, 'Content-Length: 10000000000'));
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"invalid_request"/is);
	await expect.poll(() => load().connections).toBe(0);
});

test('HT-05: endless chunks get 413, are cut off, and leave memory flat', async () => {
	const { port, fake, load } = await serve({ limits: { lingerTimeout: 200 } });
	const wire = await openWire(port);
	wire.send(head('POST /ws/oauth2/token/', port, form, 'Transfer-Encoding: chunked'));
	const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`;
	const before = process.memoryUsage().rss;
	let sent = 0;
	const pour = () => {
		while (!wire.isClosed && wire.socket.writable && sent < 200_000_000) {
			sent += chunk.length;
			if (!wire.socket.write(chunk)) {
				wire.socket.once('drain', pour);
				return;
			}
		}
	};
	pour();
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"invalid_request"/is);
	expect(sent).toBeLessThan(50_000_000);
	expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
	expect(fake.seen).toMatchObject([{ bodyTooLarge: true }]);
	await expect.poll(() => load().connections).toBe(0);
});

test('HT-05: chunks within the limit are one body', async () => {
	const { port } = await serve();
	const wire = await openWire(port);
	wire.send(head('POST /ws/x', port, form, 'Transfer-Encoding: chunked'));
	for (const part of ['2\r\na=\r\n', '1\r\n1\r\n', '0\r\n\r\n']) wire.send(part);
	await wire.until('"a=1"');
	wire.close();
});

test('HT-06: a page that responds without reading its body leaves a usable connection', async () => {
	const pages: PageHandler = (request, response) => {
		request.on('data', () => request.pause()); // as SvelteKit does when its buffer is full
		response.writeHead(request.method === 'POST' ? 405 : 200).end('page');
	};
	const { port } = await serve({ pages: async () => pages });
	const wire = await openWire(port);
	const length = 300 * 1024;
	wire.send(head('POST /page', port, form, `Content-Length: ${length}`) + 'x'.repeat(length));
	await wire.until('405');
	wire.send(head('GET /page', port));
	expect(await wire.until('HTTP/1.1 200')).toMatch(/page$|200/);
	wire.close();
});

test('HT-06: a body longer than any page takes is rejected and the connection closed', async () => {
	const { port } = await serve({ limits: { lingerTimeout: 50 } });
	const wire = await openWire(port);
	wire.send(head('POST /page', port, form, 'Content-Length: 99999999') + 'x'.repeat(100_000));
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 413 .*connection: close/is);
});

test('HT-05: long bodies under way together stay within a budget; one that has ended makes room', async () => {
	const { port } = await serve({ limits: { maxBodyBytes: 70 * 1024 } });
	const long = head('POST /account', port, form, `Content-Length: ${40 * 1024}`, 'Connection: close');
	const first = await openWire(port);
	const announced = [form, `Content-Length: ${40 * 1024}`, 'Connection: close', 'Expect: 100-continue'];
	first.send(head('POST /account', port, ...announced));
	await expect.poll(() => first.received).toMatch(/^HTTP\/1\.1 100 /);
	first.send('x'.repeat(39 * 1024));
	const second = await openWire(port);
	second.send(long + 'x'.repeat(40 * 1024));
	expect(await second.end()).toMatch(/^HTTP\/1\.1 503 /);
	first.send('x'.repeat(1024));
	expect(await first.end()).toMatch(/HTTP\/1\.1 200 /);
	const third = await openWire(port);
	third.send(long + 'x'.repeat(40 * 1024));
	expect(await third.end()).toMatch(/^HTTP\/1\.1 200 /);
});
