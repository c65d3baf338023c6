import { expect, test } from 'vitest';
import { createDocumentHost } from '#hosts/node/client-documents.server.ts';

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
	const locate = (name: string) => host.locate(new URL(`https://${name}.test/client.json`));
	const located = await Promise.all(Array.from({ length: 40 }, (_, at) => locate(`slow-${at}`)));
	expect(located).toEqual(located.map((_, at) => ({ cause: 'no_address', found: `slow-${at}.test` })));
	expect(most).toBe(2);
	release();
	// Those that waited too long are not asked for any more.
	await expect.poll(async () => locate('later')).toMatchObject({ cause: 'not_public' });
	expect(most).toBe(2);
});

test('only the developer of a local server learns the private address of a name', async () => {
	const lookup = () => Promise.resolve(['10.1.2.3']);
	const url = new URL('https://intranet.test/client.json');
	const located = (allowsLoopback: boolean) => createDocumentHost({ allowsLoopback, lookup }).locate(url);
	expect(await located(true)).toEqual({ cause: 'not_public', found: 'intranet.test: 10.1.2.3' });
	expect(await located(false)).toEqual({ cause: 'not_public', found: 'intranet.test' });
});
