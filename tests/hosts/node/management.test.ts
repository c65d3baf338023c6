import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startManagement } from '#hosts/node/management.server.ts';
import { createMetrics } from '#hosts/node/metrics.server.ts';

it('reports that the process runs, whether it takes requests, and figures without an id or an address', async () => {
	const server: { reason?: string; store?: string } = {};
	const metrics = createMetrics({
		load: () => ({ connections: 3, streams: 1 }),
		sandboxes: async () => 2,
		maxSandboxes: 300,
		isReady: async () => server.reason === undefined
	});
	metrics.observe({ endpoint: 'token', outcome: '4xx', duration: 2 });
	metrics.observe({ endpoint: 'character', outcome: 'none', duration: 1 });
	const notReady = (excluded?: 'store') => server.reason ?? (excluded === 'store' ? undefined : server.store);
	const { port, close } = await startManagement({ host: '127.0.0.1', port: 0, metrics, notReady });
	onTestFinished(close);
	const get = async (path: string) => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`);
		return [response.status, await response.text()] as const;
	};
	expect(await get('/livez')).toEqual([200, '{"status":"ok"}']);
	expect(await get('/readyz')).toEqual([200, '{"status":"ok"}']);
	server.store = 'The store does not respond.';
	expect((await get('/readyz'))[0]).toBe(503);
	expect(await get('/readyz?exclude=store')).toEqual([200, '{"status":"ok"}']);
	server.reason = 'The server is stopping.';
	expect((await get('/readyz?exclude=store'))[0]).toBe(503);
	expect(await get('/readyz')).toEqual([503, '{"status":"not_ready","reason":"The server is stopping."}']);
	expect((await get('/control/status'))[0]).toBe(404);
	const [, text] = await get('/metrics');
	for (const line of [
		'tollgate_requests_total{endpoint="token",outcome="4xx"} 1',
		'tollgate_requests_total{endpoint="character",outcome="none"} 1',
		'tollgate_request_duration_seconds_bucket{le="0.0025",endpoint="token"} 1',
		'tollgate_open{kind="connections"} 3',
		'tollgate_sandboxes 2',
		'tollgate_sandboxes_max 300',
		'tollgate_ready 0'
	])
		expect(text).toContain(line);
	expect(text).toContain('process_resident_memory_bytes');
	expect(text, 'a gauge has no name of a counter').not.toMatch(/^# TYPE \S+_total gauge$/m);
});

it('takes 64 connections, and soon closes those whose request is not complete', { timeout: 15_000 }, async () => {
	const metrics = createMetrics({
		load: () => ({ connections: 0, streams: 0 }),
		sandboxes: async () => 1,
		maxSandboxes: 300,
		isReady: async () => true
	});
	const { port, close } = await startManagement({ host: '127.0.0.1', port: 0, metrics, notReady: () => undefined });
	onTestFinished(close);
	const open = new Set<number>();
	for (let number = 0; number < 80; number++) {
		const socket = connect(port, '127.0.0.1').on('error', () => undefined);
		onTestFinished(() => void socket.destroy());
		open.add(number);
		socket.on('close', () => open.delete(number));
		socket.write('GET /livez HTTP/1.1\r\nX: ');
		socket.resume();
	}
	await expect.poll(() => open.size).toBe(64);
	await expect.poll(() => open.size, { timeout: 9_000 }).toBe(0);
});
