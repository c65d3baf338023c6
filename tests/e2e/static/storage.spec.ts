import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { builtHost, dataFolder, startServer } from '../../run/server.js';
import { openViewer, signIn, users } from '../demo-clients.ts';
import {
	anotherTab,
	call,
	control,
	exchange,
	expect,
	authorize,
	openServed,
	stopWorker,
	sharedTest,
	test,
	tokensOf,
	type Site
} from './fixtures.ts';

const isMoved = { offset: 60_000 };
const isFresh = { offset: 0 };

test('closing and opening the browser loses nothing', async ({ site, launchOptions }) => {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-profile-'));
	try {
		const first = await chromium.launchPersistentContext(folder, launchOptions);
		const page = await openServed(await first.newPage(), site);
		const { access_token } = await tokensOf(page, site);
		await control(page, site, 'POST', 'clock', { advance: 60 });
		await first.close();
		const second = await chromium.launchPersistentContext(folder, launchOptions);
		const again = await openServed(await second.newPage(), site);
		expect(await control(again, site, 'GET', 'clock')).toMatchObject(isMoved);
		expect((await call(again, '/ws/v2.0/character/Mara%20Vell', { token: access_token })).status).toBe(200);
		await again.goto(`${site.url}account`);
		await expect(again.getByText('player-one').first()).toBeVisible();
		await second.close();
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
});

test('BR-06 without storage the service runs in memory, and the page says so', async ({ page, site }) => {
	site.change('/service-worker.js', (body) => `Object.defineProperty(self, 'indexedDB', { value: undefined });${body}`);
	await openServed(page, site);
	await expect(page.getByText('Not stored')).toBeVisible();
	await expect(page.getByText('The browser offers no storage')).toBeVisible();
	expect((await exchange(page, site, await authorize(page, site))).status).toBe(200);
});

test('BR-06 PS-04 with a full disk the service goes on in memory, and no used code comes back', async ({
	page,
	site
}) => {
	site.change('/service-worker.js', (body) => fillsUp + body);
	await openServed(page, site);
	const code = await authorize(page, site);
	await page.evaluate(() => navigator.serviceWorker.controller?.postMessage('fill up'));
	expect((await exchange(page, site, code)).status).toBe(200);
	await page.reload();
	await expect(page.getByText("The browser's storage is full.")).toBeVisible();
	expect((await exchange(page, site, code)).status).toBe(400);
	await stopWorker(page);
	expect((await exchange(page, site, code)).status, 'also after a restart').toBe(400);
});

/** Makes a worker's disk full after a message. */
const fillsUp = `
	const { put } = IDBObjectStore.prototype;
	let isFull = false;
	addEventListener('message', ({ data }) => (isFull ||= data === 'fill up'));
	IDBObjectStore.prototype.put = function (...values) {
		if (isFull) throw new DOMException('', 'QuotaExceededError');
		return put.apply(this, values);
	};
`;

test('BR-06 data of a newer version is not touched', async ({ served, site }) => {
	await control(served, site, 'POST', 'clock', { advance: 60 });
	await served.evaluate(
		(name) =>
			new Promise((resolve, reject) => {
				const request = indexedDB.open(name, 99);
				request.onsuccess = () => resolve(request.result.close());
				request.onerror = reject;
			}),
		`tollgate${site.base}`
	);
	await served.reload();
	await expect(served.getByText('This browser has data of a newer version of Tollgate.')).toBeVisible();
	expect(await control(served, site, 'GET', 'clock')).toMatchObject(isFresh);
});

sharedTest(
	'BR-06 a database that the user deletes is replaced by the demo data',
	{ tag: '@nightly' },
	async ({ served, site }) => {
		await control(served, site, 'POST', 'clock', { advance: 60 });
		await served.evaluate(
			(name) =>
				new Promise((resolve, reject) => {
					const request = indexedDB.deleteDatabase(name);
					request.onsuccess = resolve;
					request.onerror = reject;
				}),
			`tollgate${site.base}`
		);
		expect(await control(served, site, 'GET', 'clock')).toMatchObject(isFresh);
	}
);

test(
	'"Clear data" deletes everything in all tabs, and nothing of another deployment',
	{ tag: '@nightly' },
	async ({ served, site, context, folders }) => {
		site.add('/demo', folders['/demo']);
		const other: Site = { ...site, base: '/demo', url: `${site.origin}/demo/` };
		const lower = await anotherTab(context, other);
		await control(lower, other, 'POST', 'clock', { advance: 60 });
		await openViewer(lower, other.base);
		await signIn(lower, 'player-two');
		await openViewer(served);
		await signIn(served, 'player-one');
		await control(served, site, 'POST', 'clock', { advance: 60 });
		const account = await context.newPage();
		await account.goto(`${site.url}account`);
		await expect(account.getByText('player-one').first()).toBeVisible();

		await clearData(served);
		await expect(account.getByLabel('Username')).toBeVisible();
		await openViewer(served);
		await expect(users(served)).toBeHidden();
		expect(await control(served, site, 'GET', 'clock')).toMatchObject(isFresh);
		await lower.reload();
		await expect(users(lower)).toBeVisible();
		expect(await control(lower, other, 'GET', 'clock')).toMatchObject(isMoved);
		expect(site.leaks()).toEqual([]);
	}
);

sharedTest('a snapshot moves from the browser to a server and back', { tag: '@nightly' }, async ({ served, site }) => {
	const data = dataFolder();
	const running = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
	try {
		const onServer = serverCalls(running.origin, readFileSync(join(data.path, 'tls', 'ca.pem'), 'utf8'));
		const { access_token } = await tokensOf(served, site);
		const exported = await call(served, '/control/snapshot');
		expect((await onServer('PUT', '/control/snapshot', exported.text)).status).toBe(200);
		expect((await onServer('GET', '/ws/v2.0/ratelimits', undefined, access_token)).status).toBe(200);
		await onServer('POST', '/control/clock', '{"advance":60}');
		const { text } = await onServer('GET', '/control/snapshot');
		const damaged = text.slice(0, -20);
		expect((await call(served, '/control/snapshot', { method: 'PUT', body: damaged })).status).toBe(400);
		expect((await call(served, '/control/snapshot', { method: 'PUT', body: text })).status).toBe(200);
		await stopWorker(served);
		expect(await control(served, site, 'GET', 'clock')).toMatchObject(isMoved);
		expect((await call(served, '/ws/v2.0/ratelimits', { token: access_token })).status).toBe(200);
	} finally {
		await running.close();
		data.remove();
	}
});

async function clearData(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Clear data' }).click();
	const reloaded = page.waitForEvent('load');
	await page.getByRole('dialog').getByRole('button', { name: 'Clear data' }).click();
	await reloaded;
}

type ServerCall = (
	method: string,
	path: string,
	body?: string,
	token?: string
) => Promise<{ status: number; text: string }>;

function serverCalls(origin: string, ca: string): ServerCall {
	return (method, path, body, token) =>
		new Promise((resolve, reject) => {
			const authorization = token === undefined ? {} : { Authorization: `OAuth ${token}` };
			const headers = { 'Content-Type': 'application/json', ...authorization };
			const request = httpsRequest(origin + path, { method, ca, headers }, (response) => {
				const chunks: Buffer[] = [];
				response.on('data', (chunk: Buffer) => chunks.push(chunk));
				response.on('error', reject);
				response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
			});
			request.on('error', reject);
			request.end(body);
		});
}
