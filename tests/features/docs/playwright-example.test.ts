import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';
import { findHeadlessBrowser } from '../../run/browser.js';
import { freePort } from '../../tooling/exam/free-port.ts';

const root = join(import.meta.dirname, '../../..');

/** An application that knows the real URLs of GitHub only. */
const app = `import { createServer } from 'node:http';
const [, , port] = process.argv;
const redirectUri = 'http://localhost:' + port + '/callback';
createServer(async (request, response) => {
	const url = new URL(request.url, redirectUri);
	const query = new URLSearchParams({ client_id: 'my-app', redirect_uri: redirectUri, state: 's', scope: 'user' });
	if (url.pathname === '/login')
		return response.writeHead(302, { location: 'https://github.com/login/oauth/authorize?' + query }).end();
	if (url.pathname !== '/callback') return response.end('ready');
	const form = { client_id: 'my-app', client_secret: 'my-secret', code: url.searchParams.get('code') };
	const exchanged = await fetch('https://github.com/login/oauth/access_token', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: new URLSearchParams(form)
	});
	const { access_token } = await exchanged.json();
	const headers = { authorization: 'Bearer ' + access_token, 'user-agent': 'app' };
	const { login } = await (await fetch('https://api.github.com/user', { headers })).json();
	response.end('Hello ' + login);
}).listen(port, 'localhost');
`;

// Runs both examples of the page "Simulated providers": the test and its command, with the built package.
test('the example for Playwright signs in to an application that knows the real URLs only', async () => {
	const page = await loadDocPage('providers');
	const codeOf = (title: string) => {
		const block = page?.blocks.find((one) => one.kind === 'code' && one.title === title);
		return block?.kind === 'code' ? block.code : '';
	};
	const port = await freePort();
	const folder = await temporaryFolder();
	mkdirSync(join(folder, 'node_modules'));
	symlinkSync(root, join(folder, 'node_modules/tollgate'));
	symlinkSync(join(root, 'node_modules/@playwright'), join(folder, 'node_modules/@playwright'));
	const config = {
		webServer: { command: `${process.execPath} app.mjs ${port}`, url: `http://localhost:${port}/` },
		use: { launchOptions: { executablePath: findHeadlessBrowser(), chromiumSandbox: false } }
	};
	const files = {
		'package.json': '{"type":"module"}',
		'app.mjs': app,
		'playwright.config.mjs': `export default ${JSON.stringify(config)};`,
		'sign-in.spec.ts': codeOf('sign-in.spec.ts').replaceAll('localhost:3000', `localhost:${port}`)
	};
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	const command = codeOf('playwright.sh')
		.replaceAll('localhost:3000', `localhost:${port}`)
		.replace('npx tollgate', `${process.execPath} ${join(root, 'build/host/tollgate.js')}`)
		.replace('npx playwright', `${process.execPath} ${join(root, 'node_modules/@playwright/test/cli.js')}`);
	const run = promisify(execFile)('sh', ['-euc', command], { cwd: folder });
	const { stdout } = await run.catch((error: unknown) => {
		throw new Error(JSON.stringify(error, undefined, '\t').replaceAll(String.raw`\n`, '\n'));
	});
	expect(stdout).toContain('1 passed');
});
