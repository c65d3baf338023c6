import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { expect, test as base } from '@playwright/test';
import { builtHost, dataFolder, keyFingerprint, startServer } from '../run/server.js';

/** The built server of a worker, on its own port. */
export type Server = {
	/** `https://localhost:PORT`, the base URL of the root sandbox. */
	readonly origin: string;
	/** Certificate of the CA, PEM. */
	readonly authority: string;
	/** The file of this certificate. */
	readonly caFile: string;
	/** Calls the control API. The path is below the base URL: `/control/clock`. Rejects unless the status is 2xx. */
	control(method: string, path: string, body?: object): Promise<unknown>;
};

type Headers = Readonly<Record<string, string>>;

type TestFixtures = {
	/** Resets the demo data before every test. */
	resetServer: undefined;
};

type WorkerFixtures = {
	/** Environment variables of the server. */
	settings: Readonly<Record<string, string>>;
	server: Server;
};

const data = dataFolder();
process.once('exit', data.remove);

export const test = base.extend<TestFixtures, WorkerFixtures>({
	settings: [{}, { option: true, scope: 'worker' }],
	server: [
		async ({ settings }, use) => {
			const running = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path, ...settings });
			const caFile = join(data.path, 'tls', 'ca.pem');
			const authority = readFileSync(caFile, 'utf8');
			const key: Headers = settings.ADMIN_KEY === undefined ? {} : { 'X-Tollgate-Key': settings.ADMIN_KEY };
			const control: Server['control'] = (method, path, body) =>
				send(running.origin + path, authority, method, key, body);
			await use({ origin: running.origin, authority, caFile, control });
			await running.close();
		},
		{ scope: 'worker' }
	],
	launchOptions: [
		async ({ server, launchOptions }, use) => {
			expect(server.origin).not.toBe('');
			const trust = `--ignore-certificate-errors-spki-list=${keyFingerprint(data.path)}`;
			await use({ ...launchOptions, args: [...(launchOptions.args ?? []), trust] });
		},
		{ scope: 'worker' }
	],
	baseURL: async ({ server }, use) => use(server.origin),
	ignoreHTTPSErrors: false,
	resetServer: [
		async ({ server }, use) => {
			await server.control('POST', '/control/reset');
			await use(undefined);
		},
		{ auto: true }
	]
});

export { expect };

/** Sends a request from outside the browser. */
function send(url: string, ca: string, method: string, key: Headers, body: object | undefined): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const headers = body === undefined ? key : { ...key, 'Content-Type': 'application/json' };
		const request = httpsRequest(url, { method, ca, headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const text = Buffer.concat(chunks).toString();
				const status = response.statusCode ?? 0;
				if (status < 200 || status > 299) reject(new Error(`${method} ${url}: ${status} ${text}`));
				else resolve(text === '' ? undefined : JSON.parse(text));
			});
		});
		request.on('error', reject);
		request.end(body === undefined ? undefined : JSON.stringify(body));
	});
}
