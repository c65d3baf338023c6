import { chromium } from '@playwright/test';
import { afterAll, describe, expect, test } from 'vitest';
import { findHeadlessBrowser, launchArguments } from '../run/browser.js';
import { staticBuild } from '../run/builds.js';
import { builtHost, dataFolder, startServer } from '../run/server.js';
import { serveStatic } from '../run/static-server.js';
import { isInstalled, openFirefox, type Tab } from './browser-drivers.ts';

// A browser has six connections to a host over HTTP/1.1. A page that keeps one takes it from all others.

/** How long a request of a tab may take, and how long the others may wait for events when a tab has ended, in milliseconds. */
const longest = 1_000;

/** A browser with many tabs. */
type TestBrowser = { openTab(): Promise<Tab & { readonly endings?: Endings }>; close(): Promise<void> };

/** Other ways to end a tab than to close it. `resume` undoes the last one. */
type Endings = { crash(): Promise<void>; freeze(): Promise<void>; resume(): Promise<void> };

const data = dataFolder();
afterAll(data.remove);

const builds = {
	server: () => startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path, CLASS_SEATS: '3' }),
	static: () => serveStatic(staticBuild(''), '')
};

const browsers = [
	{ name: 'Chromium', open: openChromium, isMissing: false },
	{ name: 'Firefox', open: openWindows, isMissing: !isInstalled('firefox-esr') }
];

for (const { name, open, isMissing } of browsers) {
	describe.skipIf(isMissing)(`${name}${isMissing ? ' (skipped: firefox-esr not found)' : ''}`, () => {
		test.each(['server', 'static'] as const)('ten tabs of the %s build work, whichever ends', async (build) => {
			const server = await builds[build]();
			const browser = await open();
			try {
				const tabs = await openTabs(browser, server.origin, build);
				await expectResponses(tabs);
				await expectTakeover(tabs, server.origin, (tab) => tab.close());
				if (tabs.some(({ endings }) => endings !== undefined)) {
					await expectTakeover(tabs, server.origin, ({ endings }) => endings?.crash());
					const frozen = await expectTakeover(tabs, server.origin, ({ endings }) => endings?.freeze());
					await frozen.endings?.resume();
					tabs.push(frozen);
				}
				await expectTakeover(tabs, server.origin, (tab) => tab.close());
				await expectResponses(tabs);
			} finally {
				await browser.close();
				await server.close();
			}
		});
	});
}

type OpenTab = Awaited<ReturnType<TestBrowser['openTab']>>;

/** Ten tabs of pages that show events as they happen. The last ones show the traffic of the root sandbox. */
async function openTabs(browser: TestBrowser, origin: string, build: keyof typeof builds): Promise<OpenTab[]> {
	const tabs: OpenTab[] = [];
	const open = async (...paths: string[]) => {
		for (const path of paths) {
			const tab = await browser.openTab();
			await tab.open(origin + path);
			tabs.push(tab);
		}
	};
	await open('/viewer');
	const [first] = tabs;
	if (first === undefined) throw new Error('No tab was opened.');
	if (build === 'server') {
		const code = await send(first, '/control/classes', { name: 'Ten tabs', seats: 3, hours: 1, lessons: [] }, 'code');
		const seat = new URL(await send(first, `/control/classes/${code}/seats`, {}, 'base_url')).pathname;
		await open(`/class/${code}`, `/class/${code}/wall`, `${seat}/`, `${seat}/viewer`);
	} else {
		await until(first, `navigator.serviceWorker.controller === null ? 'not controlled' : 'done'`);
		await open('/viewer', '/controls', '/learn/slow-is-fast', '/exam');
	}
	await open('/learn/one-letter-off', '/viewer', '/inspector', '/inspector', '/inspector');
	return tabs;
}

/** Sends a body of the control API from a tab. Returns a field of the response. */
function send(tab: Tab, path: string, body: object, field: string): Promise<string> {
	const init = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }`;
	return tab.evaluate(`fetch('${path}', ${init}).then((response) => response.json()).then((data) => data.${field})`);
}

/** A request of each tab gets a response in time, all at once. */
async function expectResponses(tabs: readonly Tab[]): Promise<void> {
	const expression = `(async () => {
		const start = performance.now();
		const response = await fetch('/ratelimiting', { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(20_000) });
		return (await response.text()) === '' ? 'empty' : String(Math.round(performance.now() - start));
	})()`;
	const slowest = async () => {
		const times = await Promise.all(tabs.map((tab) => tab.evaluate(expression).catch(String)));
		return Math.max(...times.map((time) => (/^\d+$/.test(time) ? Number(time) : Infinity)));
	};
	await expect.poll(slowest, { timeout: 60_000, interval: 500 }).toBeLessThan(longest);
}

/** Ends the tab that has the connection of the root sandbox. The others show a request that is sent afterwards. Returns the tab. */
async function expectTakeover(tabs: OpenTab[], origin: string, end: (tab: OpenTab) => Promise<void> | undefined) {
	const leaders = await Promise.all(tabs.map((tab) => tab.evaluate(isLeader(origin))));
	expect(leaders.filter((one) => one === 'true')).toHaveLength(1);
	const [leader] = tabs.splice(leaders.indexOf('true'), 1);
	const reader = tabs.at(-1);
	if (leader === undefined || reader === undefined) throw new Error('No tab is left.');
	const mark = `sent-${tabs.length}-${Math.round(performance.now())}`;
	await end(leader);
	const start = performance.now();
	await reader.evaluate(`fetch('/ws/v2.0/character/${mark}').then(String)`);
	await until(reader, `document.body.innerText.includes('${mark}') ? 'done' : 'not shown'`);
	const time = performance.now() - start;
	expect(time).toBeLessThan(longest);
	return leader;
}

/** An expression: whether this page has the connection of the root sandbox. */
function isLeader(origin: string): string {
	return `navigator.locks.request('probe ' + Math.random(), async ({ name }) => {
		const { held } = await navigator.locks.query();
		const own = held.find((lock) => lock.name === name).clientId;
		const stream = 'tollgate-stream ${origin}/control/traffic/stream';
		return String(held.some((lock) => lock.name === stream && lock.clientId === own));
	})`;
}

/** Waits until an expression is `done`. */
async function until(tab: Tab, expression: string): Promise<void> {
	await expect.poll(() => tab.evaluate(expression).catch(String), { timeout: 60_000, interval: 50 }).toBe('done');
}

async function openWindows(): Promise<TestBrowser> {
	const firefox = await openFirefox();
	return { openTab: firefox.openTab, close: firefox.close };
}

async function openChromium(): Promise<TestBrowser> {
	const executablePath = findHeadlessBrowser();
	const browser = await chromium.launch({
		chromiumSandbox: false,
		// A process for each tab, so that one can crash alone.
		args: [...launchArguments, '--process-per-tab'],
		...(executablePath === undefined ? {} : { executablePath })
	});
	const context = await browser.newContext({ ignoreHTTPSErrors: true });
	return {
		async openTab() {
			const page = await context.newPage();
			const devtools = await context.newCDPSession(page);
			const setState = async (state: 'frozen' | 'active') => {
				await devtools.send('Page.setWebLifecycleState', { state });
			};
			return {
				open: async (url) => void (await page.goto(url)),
				evaluate: (expression) => page.evaluate<string>(expression),
				close: () => page.close(),
				endings: {
					crash: async () => {
						const crashed = page.waitForEvent('crash');
						devtools.send('Page.crash').catch(() => undefined);
						await crashed;
					},
					freeze: () => setState('frozen'),
					resume: () => setState('active')
				}
			};
		},
		close: () => browser.close()
	};
}
