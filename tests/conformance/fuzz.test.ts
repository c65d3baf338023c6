import { connect } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '#hosts/node/server.server.ts';
import { garbage, requests } from './fuzz-requests.ts';
import { startWhole } from './hosts/node.ts';
import { socketTransport } from './hosts/sockets.ts';
import { Sandbox } from './sandbox.ts';

// Another run: TOLLGATE_SEED=7 npx vitest run tests/conformance/fuzz.test.ts

const seed = Number(process.env.TOLLGATE_SEED ?? 20_000);
/** How long one connection may take, in milliseconds: far longer than any limit of the host below. */
const patience = 60_000;
const faults: unknown[] = [];
let server: RunningServer;

beforeAll(async () => {
	// A client that breaks off in the midst of a request is to be seen off soon.
	const limits = { headers: 2_000, request: 4_000, keepAlive: 4_000, check: 50, linger: 50 };
	server = await startWhole(limits, (fault) => faults.push(fault));
});
afterAll(() => server.close());

it('HT-14 eighteen thousand requests that nobody should send: no 5xx, no hang', { timeout: 240_000 }, async () => {
	const transport = socketTransport(server.origin, () => Promise.resolve());
	const at = await Sandbox.create(transport);
	// Nobody is to go silent, or most requests would end at the first check.
	await at.set({ limits: { character: 1_000_000, ratelimits: 1_000_000 } });
	const person = at.person();
	const { access_token, refresh_token } = await person.offline();
	const page = await person.authorize(at.companion);
	const redirect = encodeURIComponent(at.viewer.redirect_uri);
	const pool = [access_token, refresh_token, await person.code(), page.hidden('interaction')];
	const prefixes = [...Array<string>(8).fill(at.prefix), '/~unknown'];
	const wrong: string[] = [];
	const seen = new Map<number, number>();
	await inParallel(24, fc.sample(requests(pool, redirect, prefixes), { numRuns: 18_000, seed }), async (sent) => {
		const { status = 0 } = (await transport.send(sent)) ?? {};
		if (status === 0 || status >= 500) wrong.push(`${status}: ${JSON.stringify(sent)}`);
		seen.set(status, (seen.get(status) ?? 0) + 1);
	});
	expect(wrong.slice(0, 5), `${wrong.length} wrong`).toEqual([]);
	for (const status of [200, 204, 303, 400, 401, 403, 404, 405, 413, 415]) {
		expect(seen.get(status) ?? 0, `so many ${status}: the requests go deep`).toBeGreaterThan(5);
	}
	expect((await at.character((await person.tokens()).access_token)).status, 'all goes on').toBe(200);
	expect(faults).toEqual([]);
	await transport.close();
});

it('HT-14 two thousand connections with garbage: no 5xx, none stays open', { timeout: 240_000 }, async () => {
	const { host, port } = new URL(server.origin);
	const wrong: string[] = [];
	const answers = new Set<string>();
	await inParallel(100, fc.sample(garbage(host), { numRuns: 2_000, seed }), async (bytes) => {
		const answer = await throwAt(Number(port), bytes);
		const statuses = answer?.match(/(?<=^|\r\n\r\n|\})HTTP\/1\.1 \d{3}/g) ?? [];
		for (const status of statuses) answers.add(status);
		const isWrong = answer === undefined || statuses.some((status) => / 5\d\d/.test(status));
		if (isWrong) wrong.push(`${answer?.slice(0, 300) ?? 'hang'}: ${JSON.stringify(bytes.toString('latin1'))}`);
	});
	expect(wrong.slice(0, 5), `${wrong.length} wrong`).toEqual([]);
	expect([...answers].sort()).toEqual(expect.arrayContaining(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 408']));
	await expect.poll(() => server.load().connections).toBe(0);
	expect(faults).toEqual([]);
});

it(
	'HT-14 two thousand clients that break off, before or in the midst of an answer: nothing stays open',
	{ timeout: 240_000 },
	async () => {
		const { host, port } = new URL(server.origin);
		const body = 'grant_type=refresh_token&refresh_token=x&client_id=character-viewer&client_secret=viewer-secret';
		const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
		const whole = Buffer.from(`POST /ws/oauth2/token/ HTTP/1.1\r\nHost: ${host}\r\n${form}\r\n\r\n${body}`);
		await inParallel(50, [...Array(2_000).keys()], (at) =>
			breakOff(Number(port), whole.subarray(0, at % whole.length || undefined))
		);
		await expect.poll(() => server.load().connections).toBe(0);
		expect(await throwAt(Number(port), Buffer.concat([whole, whole]))).toMatch(/invalid_grant[^]*invalid_grant/);
		expect(faults).toEqual([]);
	}
);

async function inParallel<T>(count: number, jobs: readonly T[], work: (job: T) => Promise<void>): Promise<void> {
	const waiting = jobs.values();
	const worker = async () => {
		for (const job of waiting) await work(job);
	};
	await Promise.all(Array.from({ length: count }, worker));
}

/** Sends bytes; gives what came until the other end closed the connection, undefined where it did not. */
function throwAt(port: number, bytes: Buffer): Promise<string | undefined> {
	return new Promise((resolve) => {
		let answer = '';
		const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
		const timer = setTimeout(() => {
			resolve(undefined);
			socket.destroy();
		}, patience);
		socket.once('secureConnect', () => socket.write(bytes));
		socket.on('data', (data) => (answer += data.toString('latin1')));
		socket.on('error', () => undefined);
		socket.once('close', () => {
			clearTimeout(timer);
			resolve(answer);
		});
	});
}

/** Sends the beginning of a request, and resets the connection once it has gone out. */
function breakOff(port: number, bytes: Buffer): Promise<void> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
		socket.once('secureConnect', () => socket.write(bytes, () => socket.destroy()));
		socket.on('error', () => undefined);
		socket.once('close', () => resolve());
	});
}
