import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../../conformance/sandbox.ts';
import { setUp } from './test-cli.ts';

const at = setUp();

describe('the connection', () => {
	test('each sandbox has its own sign-in', async () => {
		await at.cli.run(['login']);
		const other = await Sandbox.create(at.transport);
		expect((await at.cli.run(['show', 'Mara Vell', '--base-url', other.base_url])).code).toBe(3);
		expect((await at.cli.run(['login', '--base-url', `${other.base_url}//`])).code).toBe(0);
		expect(at.cli.files()).toHaveLength(2);
		expect((await at.cli.run(['show', 'Mara Vell', '--base-url', other.base_url])).code).toBe(0);
		await other.remove();
	});

	test('is rejected if no known CA signed the certificate, unless --ca names it', async () => {
		await at.cli.run(['login']);
		const file = join(at.cli.home, 'my ca.pem');
		writeFileSync(file, readFileSync(at.cli.caFile));
		rmSync(at.cli.caFile);
		expect(await at.cli.json(['limits'])).toMatchObject({ code: 5, data: { error: { code: 'untrusted' } } });
		expect((await at.cli.run(['limits', '--ca', file])).code).toBe(0);
		const missing = await at.cli.run(['limits', '--ca', join(at.cli.home, 'missing.pem')]);
		expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('missing.pem is missing') });
		const { err } = await at.cli.run(['show', 'Unknown', '--ca', file]);
		expect(err).toContain(`show "Half/Life" --base-url ${at.sandbox.base_url} --ca "${file}"\n`);
	});

	test('reports a closed port and a server without TLS', async () => {
		const service = await startHttpServer(() => '');
		const args = ['login', '--base-url', service.origin.replace('http:', 'https:')];
		const plain = await at.cli.json(args, { openBrowser: returnWithCode });
		expect(plain).toMatchObject({ code: 5, data: { error: { code: 'no_tls' } } });
		await service.close();
		const closed = await at.cli.json(args, { openBrowser: returnWithCode });
		expect(closed).toMatchObject({ code: 5, data: { error: { code: 'unreachable' } } });
	});

	test('removes control characters from what a service sends', async () => {
		const service = await startHttpServer((path) =>
			path.startsWith('/ws/oauth2/token')
				? { access_token: 'token', token_type: 'OAuth', expires_in: 3920 }
				: { name: 'X\u001b[2J\u202e', race: '\u0007beep' }
		);
		await at.cli.run(['login', '--base-url', service.origin], { openBrowser: returnWithCode });
		const { out } = await at.cli.run(['show', 'X', '--base-url', service.origin]);
		expect(out).toBe('X [2J\n  race         beep\n');
		await service.close();
	});
});

/** A browser that returns to the client at once. */
async function returnWithCode(url: string): Promise<boolean> {
	const { searchParams } = new URL(url);
	await fetch(`${searchParams.get('redirect_uri') ?? ''}/?code=code&state=${searchParams.get('state') ?? ''}`);
	return true;
}

/** A server without TLS that responds with JSON. */
async function startHttpServer(respond: (path: string) => unknown) {
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json').end(JSON.stringify(respond(request.url ?? '')));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address !== null ? String(address.port) : '';
	const close = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return { origin: `http://localhost:${port}`, close };
}
