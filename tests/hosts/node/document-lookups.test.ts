import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentHost } from '#hosts/node/client-documents.server.ts';
import type { DocumentHost } from '#service/core/options.ts';

/** Accepts connections, and never responds. */
const silent = createServer();
let port = 0;

beforeAll(async () => {
	await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
	const address = silent.address();
	port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});

afterAll(() => silent.close());

test('a name server that never responds holds two lookups, however many clients name it', async () => {
	let running = 0;
	let most = 0;
	let release = () => {};
	const held = new Promise<void>((done) => (release = done));
	const lookup = async () => {
		most = Math.max(most, ++running);
		await held;
		running--;
		return ['192.0.2.1'];
	};
	const host = createDocumentHost({ allowsLoopback: false, lookup, timeLimit: 50 });
	const locate = (name: string) => host.locate(new URL(`https://${name}.test/client.json`), name);
	const located = await Promise.all(Array.from({ length: 40 }, (_, at) => locate(`slow-${at}`)));
	const causes = located.map((found) => ('cause' in found ? found.cause : ''));
	// Only a name that was asked for has no address.
	expect(causes).toEqual(causes.map((_, at) => (at < 2 ? 'no_address' : 'busy')));
	expect(most).toBe(2);
	release();
	// Those that waited too long are not asked for any more.
	await expect.poll(async () => locate('later')).toMatchObject({ cause: 'not_public' });
	expect(most).toBe(2);
});

test('names of one client address are resolved one after the other, and others do not wait for them', async () => {
	let release = () => {};
	const held = new Promise<void>((done) => (release = done));
	const asked: string[] = [];
	const lookup = async (name: string) => {
		asked.push(name);
		if (name.startsWith('slow')) await held;
		return ['192.0.2.1'];
	};
	const host = createDocumentHost({ allowsLoopback: false, lookup, timeLimit: 5000 });
	const locate = (name: string, sharer: string) => host.locate(new URL(`https://${name}.test/client.json`), sharer);
	const greedy = Array.from({ length: 10 }, (_, at) => locate(`slow-${at}`, '192.0.2.1'));
	expect(await locate('other', '192.0.2.2')).toMatchObject({ cause: 'not_public' });
	expect(asked).toEqual(['slow-0.test', 'other.test']);
	release();
	const causes = (await Promise.all(greedy)).map((found) => ('cause' in found ? found.cause : ''));
	expect(causes).toEqual(Array<string>(10).fill('not_public'));
});

test('only the developer of a local server learns the private address of a name', async () => {
	const lookup = () => Promise.resolve(['10.1.2.3']);
	const url = new URL('https://intranet.test/client.json');
	const located = (allowsLoopback: boolean) => createDocumentHost({ allowsLoopback, lookup }).locate(url, 'a');
	expect(await located(true)).toEqual({ cause: 'not_public', found: 'intranet.test: 10.1.2.3' });
	expect(await located(false)).toEqual({ cause: 'not_public', found: 'intranet.test' });
});

const causeOf = async (host: DocumentHost, name: string, sharer: string) => {
	const result = await host.fetch(new URL(`https://${name}.test:${port}/slow-head`), '127.0.0.1', sharer);
	return 'cause' in result ? result.cause : '';
};

test('fetches at most four documents of one host at once, and the others in turn', async () => {
	const host = createDocumentHost({ allowsLoopback: true, timeLimit: 200 });
	let open = 0;
	let most = 0;
	const count = (socket: Socket) => {
		most = Math.max(most, ++open);
		socket.on('close', () => open--);
		socket.on('error', () => undefined);
	};
	silent.on('connection', count);
	const results = await Promise.all(Array.from({ length: 6 }, (_, at) => causeOf(host, 'one', `client-${at}`)));
	silent.off('connection', count);
	expect(results.slice(0, 4)).toEqual(Array<string>(4).fill('too_slow'));
	expect(most).toBe(4);
});

test('one client address holds four of the twenty fetches, whatever hosts it names', async () => {
	const host = createDocumentHost({ allowsLoopback: true, timeLimit: 200 });
	const greedy = Array.from({ length: 20 }, (_, at) => causeOf(host, `host-${at}`, '192.0.2.1'));
	expect(await causeOf(host, 'host-20', '192.0.2.2')).toBe('too_slow');
	expect((await Promise.all(greedy)).slice(0, 4)).toEqual(Array<string>(4).fill('too_slow'));
	expect(await causeOf(host, 'host-21', '192.0.2.1')).toBe('too_slow');
});

test('five addresses with slow documents do not keep another one out', async () => {
	const host = createDocumentHost({ allowsLoopback: true, timeLimit: 300 });
	const causes: string[] = [];
	const greedy = Array.from({ length: 40 }, async (_, at) =>
		causes.push(await causeOf(host, `host-${at}`, `192.0.2.${at % 5}`))
	);
	// Not busy: it got a place, and the server was too slow.
	expect(await causeOf(host, 'other', '192.0.2.99')).toBe('too_slow');
	await Promise.all(greedy);
	expect(causes.filter((cause) => cause === 'busy').length).toBeGreaterThan(0);
});
