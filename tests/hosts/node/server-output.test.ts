import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createServerOutput, type LogFormat } from '#hosts/node/server-output.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import type { WireRequest } from '#api/message.ts';

const now = Date.UTC(2026, 10, 23, 2);
const origin = 'https://tollgate.example';

/** A service whose exchanges go to a log, and what the log wrote. */
function logged(format: LogFormat) {
	const written: string[] = [];
	const write = (text: string) => void written.push(text);
	const output = createServerOutput(format, write, write, () => now);
	const { onExchange } = output;
	const service = createNodeService({
		origin,
		now: () => now,
		report: (fault) => output.report(fault),
		...(onExchange === undefined ? {} : { onLogged: onExchange })
	});
	const send = (method: string, target: string, body = '') => {
		const headers = body === '' ? [] : ['content-type', 'application/x-www-form-urlencoded'];
		const request: WireRequest = {
			method,
			target,
			headers,
			body: Buffer.from(body),
			bodyTooLarge: false,
			peer: '203.0.113.7'
		};
		return service.handle(request);
	};
	return { output, send, written };
}

test('LOG=json writes a line for each exchange, those of one turn together, without secrets', async () => {
	const { send, written } = logged('json');
	const fields = new URLSearchParams({
		grant_type: 'refresh_token',
		refresh_token: 'a-refresh-token-of-some-length',
		client_id: 'character-viewer',
		client_secret: 'viewer-secret'
	});
	const query = 'token=a-token-of-some-length&client_id=character-viewer';
	await Promise.all([send('POST', '/ws/oauth2/token/', fields.toString()), send('GET', `/ws/oauth2/revoke?${query}`)]);
	await nextTurn();
	expect(written).toHaveLength(1);
	const lines: unknown[] = written
		.join('')
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines).toContainEqual({
		time: '2026-11-23T02:00:00.000Z',
		level: 'info',
		id: expect.stringMatching(/^\S{16}$/),
		endpoint: 'token',
		method: 'POST',
		target: '/ws/oauth2/token/',
		status: 400,
		outcome: '4xx',
		error: 'invalid_grant',
		duration: expect.any(Number),
		address: '203.0.113.7'
	});
	expect(lines).toHaveLength(2);
	for (const secret of ['a-token', 'a-refresh', 'viewer-secret']) expect(written.join('')).not.toContain(secret);
});

test('a sandbox is logged by its digest, since its id is a capability', async () => {
	const { send, written } = logged('json');
	const created = await send('POST', '/control/sandboxes');
	const body = created.kind === 'response' ? created.body : '';
	const id = /~([\w-]{20})/.exec(body)?.[1] ?? '';
	expect(id).toHaveLength(20);
	const elsewhere = encodeURIComponent(`${origin}/~${id}/viewer`);
	await send('GET', `/~${id}/ws/v2.0/ratelimits?next=${elsewhere}`);
	await send('GET', `/ws/v2.0/ratelimits?a=~${id}&b=${encodeURIComponent(elsewhere)}`);
	await send('DELETE', `/%7E${id}/ws/v2.0/ratelimits`);
	await nextTurn();
	expect(written.join('')).toMatch(/"target":"\/~([0-9a-f]{8})\/ws\/v2\.0\/ratelimits[^\n]*"sandbox":"\1"/);
	expect(written.join('')).not.toContain(id);
});

test('LOG=text writes lines to read, LOG=off none', async () => {
	const text = logged('text');
	await text.send('GET', '/ws/v2.0/ratelimits');
	await nextTurn();
	expect(text.written.join('')).toMatch(
		/^2026-11-23T02:00:00\.000Z 401 invalid_token GET \/ws\/v2\.0\/ratelimits [\d.]+ ms 203\.0\.113\.7 \S{16}\n$/
	);
	const off = logged('off');
	await off.send('GET', '/ws/v2.0/ratelimits');
	await nextTurn();
	expect(off.written).toEqual([]);
});

test('LOG=text escapes characters that would forge a line or change the terminal', async () => {
	const { send, written } = logged('text');
	await send('GET', '/ws/v2.0/ratelimits?z=\n2026-11-23T00:00:00Z 200 GET /forged\u001b[31m\0\u2028\u202e');
	await nextTurn();
	expect(written.join('').trimEnd().split('\n')).toHaveLength(1);
	expect(written.join('')).toContain(
		'z=\\u{a}2026-11-23T00:00:00Z 200 GET /forged\\u{1b}[31m\\u{0}\\u{2028}\\u{202e} '
	);
});

test('LOG=json writes messages and faults as objects, too', async () => {
	const { output, written } = logged('json');
	output.note('Tollgate is listening.', { origin });
	output.report(new Error('a fault'), 'an-id');
	await nextTurn();
	expect(
		written
			.join('')
			.trimEnd()
			.split('\n')
			.map((line): unknown => JSON.parse(line))
	).toEqual([
		{ time: '2026-11-23T02:00:00.000Z', level: 'info', message: 'Tollgate is listening.', origin },
		{
			time: '2026-11-23T02:00:00.000Z',
			level: 'error',
			id: 'an-id',
			message: expect.stringMatching(/^Error: a fault\n/)
		}
	]);
});
