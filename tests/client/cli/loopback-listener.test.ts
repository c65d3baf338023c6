import { request, type IncomingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openListener, type Listener } from '#client/cli/loopback-listener.server.ts';
import { Problem } from '#client/problems.ts';
import { codeOf } from '../workbench.ts';

const open: Listener[] = [];
const never = new AbortController().signal;

afterEach(async () => {
	await Promise.all(open.splice(0).map((listener) => listener.close()));
});

async function listener(): Promise<Listener> {
	const opened = await openListener();
	open.push(opened);
	return opened;
}

/** Sends a request; follows nothing. */
function send(url: string, more: { method?: string; headers?: Record<string, string> } = {}) {
	return new Promise<{ status: number; location: string | undefined; body: string; headers: IncomingHttpHeaders }>(
		(resolve, reject) => {
			request(url, { agent: false, ...more }, (answer) => {
				let body = '';
				answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
				answer.once('end', () => {
					const { headers, statusCode = 0 } = answer;
					resolve({ status: statusCode, location: headers.location, body, headers });
				});
			})
				.once('error', reject)
				.end();
		}
	);
}

describe('the listener of a sign-in', () => {
	test('gives the answer on, and takes the code out of the address', async () => {
		const { redirect_uri, answer } = await listener();
		const came = answer((query) => Promise.resolve(query.toString()), never);
		const first = await send(`${redirect_uri}/?code=c&state=s`);
		expect(first).toMatchObject({ status: 303, location: '/signed-in' });
		expect(await came).toBe('code=c&state=s');
		expect((await send(`${redirect_uri}/signed-in`)).body).toContain('You are signed in');
		expect((await send(`${redirect_uri}/?code=c&state=s`)).status).toBe(410);
	});

	test('waits on when the state is not ours, and says what else went wrong', async () => {
		const { redirect_uri, answer } = await listener();
		const codes = ['state_missing', 'state_unknown', 'access_denied'];
		const came = answer(() => Promise.reject(new Problem(codes.shift() ?? 'none')), never);
		const end = codeOf(came);
		expect((await send(`${redirect_uri}/?code=x`)).status).toBe(400);
		expect((await send(`${redirect_uri}/?code=x&state=y`)).status).toBe(400);
		expect(await send(`${redirect_uri}/?error=access_denied&state=z`)).toMatchObject({ location: '/not-signed-in' });
		expect(await end).toBe('access_denied');
		expect((await send(`${redirect_uri}/not-signed-in`)).body).toContain('You did not agree');
	});

	test('an answer with two states proves nothing: refused, and the waiting goes on', async () => {
		const { redirect_uri, answer } = await listener();
		const came = answer((query) => {
			const ambiguous = query.getAll('state').length > 1;
			return ambiguous ? Promise.reject(new Problem('answer_ambiguous')) : Promise.resolve('signed in');
		}, never);
		expect((await send(`${redirect_uri}/?code=x&state=y&state=z`)).status).toBe(400);
		expect(await send(`${redirect_uri}/?code=c&state=s`)).toMatchObject({ status: 303, location: '/signed-in' });
		expect(await came).toBe('signed in');
	});

	test('two answers at once: both are asked about, one settles it', async () => {
		const { redirect_uri, answer } = await listener();
		let asked = 0;
		const came = answer(async () => {
			asked += 1;
			if (asked > 1) throw new Problem('state_used');
			return 'first';
		}, never);
		const statuses = await Promise.all([1, 2].map(() => send(`${redirect_uri}/?code=c&state=s`)));
		expect(await came).toBe('first');
		expect(statuses.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
	});

	test.each([
		['another path', '/elsewhere', {}],
		['no answer in it', '/', {}],
		['another method', '/?code=x', { method: 'POST' }],
		['HEAD, as link scanners send it', '/?code=x', { method: 'HEAD' }],
		['another host name, as after DNS rebinding', '/?code=x', { headers: { host: 'evil.example' } }]
	])('%s: 404, and nobody is asked', async (_, path, more) => {
		const { redirect_uri, answer } = await listener();
		const stop = new AbortController();
		const end = codeOf(answer(() => Promise.reject(new Error('asked')), stop.signal));
		expect((await send(redirect_uri + path, more)).status).toBe(404);
		stop.abort();
		expect(await end).toBe('stopped');
	});

	test('its pages are kept by nobody, framed by nobody, load nothing, and tell nobody where they were opened', async () => {
		const { redirect_uri } = await listener();
		const { headers } = await send(redirect_uri);
		expect(headers).toMatchObject({
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'no-referrer',
			'x-content-type-options': 'nosniff',
			'x-frame-options': 'DENY'
		});
		expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
	});

	test('stopped before or while waiting; then nothing listens', async () => {
		const opened = await listener();
		expect(await codeOf(opened.answer(() => Promise.resolve(), AbortSignal.abort()))).toBe('stopped');
		await opened.close();
		await expect(send(opened.redirect_uri)).rejects.toThrow();
	});

	test('listens on this machine alone, under either address of localhost', async () => {
		const { redirect_uri } = await listener();
		const { port, host } = new URL(redirect_uri);
		expect((await send(`http://127.0.0.1:${port}/`, { headers: { host } })).body).toContain('nothing here');
	});
});
