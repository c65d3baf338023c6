import { existsSync, readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { builtHost, dataFolder, startServer } from '../../run/server.js';
import { expect, sendSecret, test, tokensOf } from './fixtures.ts';
import type { Page } from '@playwright/test';

/** One call; with a token, as a client makes it. */
type Call = (method: string, path: string, body?: string, token?: string) => Promise<{ status: number; text: string }>;

for (const base of ['', '/demo'] as const) {
	test.describe(base === '' ? 'at the root' : `below ${base}`, () => {
		test.use({ base });

		test('a snapshot goes from the browser to a server and back, and a damaged or foreign one nowhere', async ({
			served,
			site
		}) => {
			const data = dataFolder();
			const running = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
			try {
				const onServer = callServer(running.origin, readFileSync(join(data.path, 'tls', 'ca.pem'), 'utf8'));
				const inBrowser = callBrowser(served, site.base);
				const { access_token } = await tokensOf(served, site);
				const limits = () => onServer('GET', '/ws/v2.0/ratelimits', undefined, access_token);
				expect((await limits()).status).toBe(401);

				const taken = await inBrowser('GET', '/control/snapshot');
				expect(taken.text).not.toContain(access_token);
				expect((await onServer('PUT', '/control/snapshot', taken.text)).status).toBe(200);
				expect((await limits()).status, 'the token that the browser gave is good on the server').toBe(200);

				await onServer('POST', '/control/clock', '{"advance":7200}');
				await onServer('POST', '/control/accounts', '{"username":"from-the-server","password":"x"}');
				const back = await onServer('GET', '/control/snapshot');
				const foreign = ['{"format":"something else","version":1}', back.text.replace('from-the-server', 'forged')];
				for (const text of [...foreign, back.text.slice(0, -20)]) {
					expect((await inBrowser('PUT', '/control/snapshot', text)).status).toBe(400);
				}
				expect((await inBrowser('GET', '/control/accounts')).text).not.toMatch(/from-the-server|forged/);
				expect((await inBrowser('PUT', '/control/snapshot', back.text)).status).toBe(200);
				expect((await inBrowser('GET', '/control/accounts')).text).toContain('from-the-server');
				expect((await inBrowser('GET', '/control/clock')).text).toContain('"offset":7200000');
				expect(await sendSecret(served, site.base)).toBe(400);
				expect(site.leaks()).toEqual([]);
			} finally {
				await running.close();
				data.remove();
			}
		});
	});
}

test('GitHub Pages leaves no file out', ({ folders }) => {
	for (const folder of Object.values(folders)) expect(existsSync(join(folder, '.nojekyll'))).toBe(true);
});

function headersOf(token: string | undefined): Record<string, string> {
	return { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: `OAuth ${token}` }) };
}

function callServer(origin: string, ca: string): Call {
	return (method, path, body, token) =>
		new Promise((resolve, reject) => {
			const request = httpsRequest(origin + path, { method, ca, headers: headersOf(token) }, (response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', reject);
				response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
			});
			request.on('error', reject);
			request.end(body);
		});
}

function callBrowser(page: Page, base: string): Call {
	return (method, path, body, token) =>
		page.evaluate(
			async ({ url, method, body, headers }) => {
				const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
				return { status: response.status, text: await response.text() };
			},
			{ url: base + path, method, body, headers: headersOf(token) }
		);
}
