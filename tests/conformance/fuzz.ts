import { connect } from 'node:tls';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '#hosts/node/server.server.ts';
import { garbage, requests } from './fuzz-requests.ts';
import { startWhole } from './hosts/node.ts';
import { socketTransport } from './hosts/sockets.ts';
import { Sandbox } from './sandbox.ts';

/** How much a run sends. */
export type FuzzOptions = {
	/** Requests that are HTTP, and wrong in other ways. */
	readonly requests: number;
	/** How often each status must occur, which shows that the requests reach deep into the service. */
	readonly perStatus: number;
	/** Connections that send garbage. */
	readonly garbage: number;
	/** Connections that are reset before or during the response. */
	readonly resets: number;
	/** For each of the three tests, in milliseconds. */
	readonly timeout: number;
};

/** Sets another run: `TOLLGATE_SEED=7 npm run test:nightly`. */
const seed = Number(process.env.TOLLGATE_SEED ?? 20_000);

/** Declares the tests that send mutated requests, garbage and resets to the whole node host (HT-14). */
export function fuzz(options: FuzzOptions): void {
	const { timeout } = options;
	const faults: unknown[] = [];
	let server: RunningServer;

	beforeAll(async () => {
		const limits = {
			headersTimeout: 1_000,
			requestTimeout: 2_000,
			keepAliveTimeout: 2_000,
			checkInterval: 50,
			lingerTimeout: 50
		};
		server = await startWhole(limits, (fault) => faults.push(fault));
	});
	afterAll(() => server.close());

	it('HT-14 mutated requests never cause a 5xx or a hang', { timeout }, async () => {
		const transport = socketTransport(server.origin, () => Promise.resolve());
		const at = await Sandbox.create(transport);
		// A blacklisted address would stop most requests at the first check.
		await at.changeSettings({ limits: { character: 1_000_000, ratelimits: 1_000_000 } });
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const page = await user.authorize(at.companion);
		const redirect = encodeURIComponent(at.viewer.redirect_uri);
		const pool = [access_token, refresh_token, await user.code(), page.hidden('interaction')];
		const prefixes = [...Array<string>(8).fill(at.prefix), '/~unknown'];
		const samples = fc.sample(requests(pool, redirect, prefixes), { numRuns: options.requests, seed });
		const failures: string[] = [];
		const counts = new Map<number, number>();
		await inParallel(24, samples, async (sent) => {
			const { status = 0 } = (await transport.send(sent)) ?? {};
			if (status === 0 || status >= 500) failures.push(`${status}: ${JSON.stringify(sent)}`);
			counts.set(status, (counts.get(status) ?? 0) + 1);
		});
		expect(failures.slice(0, 5), `${failures.length} failures`).toEqual([]);
		for (const status of [200, 204, 303, 400, 401, 403, 404, 405, 413, 415]) {
			expect(counts.get(status) ?? 0, `responses with ${status}`).toBeGreaterThanOrEqual(options.perStatus);
		}
		expect((await at.character((await user.tokens()).access_token)).status, 'the service still works').toBe(200);
		expect(faults).toEqual([]);
		await transport.close();
	});

	it('HT-14 garbage never causes a 5xx, and no connection stays open', { timeout }, async () => {
		const { host, port } = new URL(server.origin);
		const failures: string[] = [];
		const statuses = new Set<string>();
		await inParallel(100, fc.sample(garbage(host), { numRuns: options.garbage, seed }), async (bytes) => {
			const received = await sendBytes(Number(port), bytes, timeout / 2);
			const lines = received?.match(/(?<=^|\r\n\r\n|\})HTTP\/1\.1 \d{3}/g) ?? [];
			for (const line of lines) statuses.add(line);
			if (received === undefined || lines.some((line) => / 5\d\d/.test(line)))
				failures.push(`${received?.slice(0, 300) ?? 'hang'}: ${JSON.stringify(bytes.toString('latin1'))}`);
		});
		expect(failures.slice(0, 5), `${failures.length} failures`).toEqual([]);
		expect([...statuses].sort()).toEqual(expect.arrayContaining(['HTTP/1.1 200', 'HTTP/1.1 400', 'HTTP/1.1 408']));
		await expect.poll(() => server.load().connections).toBe(0);
		expect(faults).toEqual([]);
	});

	it('HT-14 connections that clients reset leave nothing open', { timeout }, async () => {
		const { host, port } = new URL(server.origin);
		const body = 'grant_type=refresh_token&refresh_token=x&client_id=character-viewer&client_secret=viewer-secret';
		const form = `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`;
		const whole = Buffer.from(`POST /ws/oauth2/token/ HTTP/1.1\r\nHost: ${host}\r\n${form}\r\n\r\n${body}`);
		// Every length of the beginning, spread over the run.
		const stride = Math.max(1, Math.floor(whole.length / options.resets));
		await inParallel(50, [...Array(options.resets).keys()], (at) =>
			sendAndReset(Number(port), whole.subarray(0, (at * stride) % whole.length || undefined))
		);
		await expect.poll(() => server.load().connections).toBe(0);
		const received = await sendBytes(Number(port), Buffer.concat([whole, whole]), timeout / 2);
		expect(received).toMatch(/invalid_grant[^]*invalid_grant/);
		expect(faults).toEqual([]);
	});
}

async function inParallel<T>(count: number, jobs: readonly T[], work: (job: T) => Promise<void>): Promise<void> {
	const queue = jobs.values();
	const worker = async () => {
		for (const job of queue) await work(job);
	};
	await Promise.all(Array.from({ length: count }, worker));
}

/** Sends bytes. Returns what came until the server closed the connection, undefined where it did not in time. */
function sendBytes(port: number, bytes: Buffer, timeout: number): Promise<string | undefined> {
	return new Promise((resolve) => {
		let received = '';
		const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
		const timer = setTimeout(() => {
			resolve(undefined);
			socket.destroy();
		}, timeout);
		socket.once('secureConnect', () => socket.write(bytes));
		socket.on('data', (data) => (received += data.toString('latin1')));
		socket.on('error', () => undefined);
		socket.once('close', () => {
			clearTimeout(timer);
			resolve(received);
		});
	});
}

/** Sends bytes, and resets the connection once they are written. */
function sendAndReset(port: number, bytes: Buffer): Promise<void> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false });
		socket.once('secureConnect', () => socket.write(bytes, () => socket.destroy()));
		socket.on('error', () => undefined);
		socket.once('close', () => resolve());
	});
}
