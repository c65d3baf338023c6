import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { ClientProcess } from '#tooling/program/client-exam/client-process.ts';

/** Starts a Node program. @param code gets the object `fork`, which starts another one */
function start(code: string): ClientProcess {
	const fork = `const fork = (code, options = {}) => require('node:child_process').spawn(process.execPath, ['-e', code], { stdio: 'inherit', ...options });`;
	const client = new ClientProcess([process.execPath, '-e', fork + code], process.env, randomUUID());
	onTestFinished(() => client.kill());
	return client;
}

/** Waits until the client has printed the ids of its processes, one in each line. */
async function idsOf(client: ClientProcess, count: number): Promise<number[]> {
	const ids = () => (client.output.match(/^\d+$/gm) ?? []).map(Number);
	await expect.poll(() => ids().length, { interval: 20 }).toBe(count);
	return ids();
}

function isRunning(id: number): boolean {
	try {
		return process.kill(id, 0);
	} catch {
		return false;
	}
}

const tick = 'setInterval(() => {}, 1000);';
const print = 'console.log(process.pid);';

it('ends a client with the processes that it started', async () => {
	const client = start(`${print} fork('${print} ${tick}'); ${tick}`);
	const ids = await idsOf(client, 2);
	await client.stop();
	await expect.poll(() => ids.filter(isRunning), { interval: 20 }).toEqual([]);
});

it('ends a client that ignores SIGTERM', async () => {
	const client = start(`process.on('SIGTERM', () => {}); ${print} ${tick}`);
	const ids = await idsOf(client, 1);
	await client.stop(200);
	await expect.poll(() => ids.filter(isRunning), { interval: 20 }).toEqual([]);
});

it.runIf(process.platform === 'linux')('ends a process that left the group of the client', async () => {
	const client = start(`fork('${print} ${tick}', { detached: true }).unref();`);
	const ids = await idsOf(client, 1);
	await client.ended;
	await client.stop();
	await expect.poll(() => ids.filter(isRunning), { interval: 20 }).toEqual([]);
});

it('reads megabytes of output, and keeps the last lines without control characters', async () => {
	const client = start(`process.stdout.write('x'.repeat(8e6) + '\\n'); process.stdout.write('\\u001b[31mlast\\n');`);
	await client.ended;
	await expect.poll(() => client.output).toContain('\ufffd[31mlast');
	expect(client.output.length).toBeLessThanOrEqual(4000);
});

it('says how a client ended', async () => {
	expect(await start('process.exit(7)').ended).toMatch(/ended \(exit code 7\)\.$/);
	const missing = new ClientProcess(['no-such-program', 'x'], process.env, randomUUID());
	expect(await missing.ended).toBe('There is no program no-such-program.');
});

it('names a long command in one line', async () => {
	const sentence = await start(`// ${'a'.repeat(200)}\n\nprocess.exit(7)`).ended;
	expect(sentence).not.toContain('\n');
	expect(sentence.length).toBeLessThan(120);
});

it('reports a client that ends before it responds', async () => {
	const client = start('console.log("no port"); process.exit(1)');
	const ready = client.ready('http://127.0.0.1:9/', 30_000, new AbortController().signal);
	await expect(ready).rejects.toThrow('ended (exit code 1).');
});

it('reports a page that does not respond in time', async () => {
	const client = start(tick);
	const ready = client.ready('http://127.0.0.1:9/login', 200, new AbortController().signal);
	await expect(ready).rejects.toThrow(/^http:\/\/127\.0\.0\.1:9\/login does not respond/);
});
