import { afterAll, describe, expect, test } from 'vitest';
import { staticBuild } from '../run/builds.js';
import { builtHost, dataFolder, startServer } from '../run/server.js';
import { serveStatic } from '../run/static-server.js';
import { isInstalled, openFirefox, openWebKit, type Tab } from './browser-drivers.ts';

// The main journey in the engines that the end-to-end tests do not run in.

const data = dataFolder();
const builds = {
	server: () => startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path }),
	static: () => serveStatic(staticBuild(''), '')
};

afterAll(data.remove);

const browsers = [
	{ name: 'Firefox', programs: ['firefox-esr'], packages: 'firefox-esr', open: openFirefox },
	{ name: 'WebKitGTK', programs: ['WebKitWebDriver', 'Xvfb'], packages: 'webkit2gtk-driver xvfb', open: openWebKit }
];

for (const { name, programs, packages, open } of browsers) {
	const missing = programs.filter((program) => !isInstalled(program));
	const note = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not found, install ${packages})`;
	describe.skipIf(missing.length > 0)(`${name}${note}`, () => {
		test.each(['server', 'static'] as const)(
			'signs in, looks characters up and reloads with the %s build',
			async (build) => {
				const server = await builds[build]();
				const tab = await open();
				try {
					await journey(tab, server.origin);
				} finally {
					await tab.close();
					await server.close();
				}
			}
		);
	});
}

async function journey(tab: Tab, origin: string): Promise<void> {
	await tab.open(`${origin}/viewer`);
	await click(tab, 'Sign in with Tollgate');
	await click(tab, 'player-one');
	await click(tab, 'Allow');
	await click(tab, 'Mara Vell');
	await shows(tab, 'h2, h3', 'Mara Vell');
	await shows(tab, '[role=meter], meter', '599');
	await tab.open(`${origin}/viewer`);
	await shows(tab, '[role=meter], meter', '599');
	await click(tab, 'Half/Life');
	await shows(tab, 'h2, h3', 'Half/Life');
	await shows(tab, '[role=meter], meter', '598');
}

/** Clicks the button with a text, once it is there and enabled. */
async function click(tab: Tab, text: string): Promise<void> {
	const button = `[...document.querySelectorAll('button:not(:disabled, [aria-disabled=true])')].find((one) => one.textContent.trim() === '${text}')`;
	await until(tab, `(() => { const button = ${button}; button?.click(); return button ? 'done' : location.href; })()`);
}

/** Waits for an element whose text or value contains a text. */
async function shows(tab: Tab, selector: string, text: string): Promise<void> {
	const elements = `[...document.querySelectorAll('${selector}')]`;
	const match = `(one) => (one.textContent + one.getAttribute('aria-valuenow') + one.value).includes('${text}')`;
	await until(tab, `${elements}.some(${match}) ? 'done' : document.body.innerText.slice(0, 2000)`);
}

/** Evaluates an expression until it is `done`. A page that is left in the meantime is no error. */
async function until(tab: Tab, expression: string): Promise<void> {
	const evaluate = () => tab.evaluate(expression).catch(String);
	await expect.poll(evaluate, { timeout: 60_000, interval: 200 }).toBe('done');
}
