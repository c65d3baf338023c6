import { afterAll, describe, expect, test } from 'vitest';
import { createMomentLink } from '#features/inspector/moment/moment-link.ts';
import { momentOfFlow } from '#features/inspector/moment/moment.ts';
import { frameOf, openSite } from '../e2e/partner-site.ts';
import { recordFlow } from '../features/inspector/record-flow.ts';
import { builtHost, dataFolder, startServer } from '../run/server.js';
import { createTestService } from '../service/test-service.ts';
import { isInstalled, openFirefox, type Tab } from './browser-drivers.ts';

// The embedded pages in a frame of another site, in an engine that the end-to-end tests do not run in.

const data = dataFolder();
const buttons = `[...document.querySelectorAll('button:not(:disabled, [aria-disabled=true])')]`;
afterAll(data.remove);

const note = isInstalled('firefox-esr') ? '' : ' (skipped: firefox-esr not found)';

describe.skipIf(note !== '')(`Firefox${note}`, () => {
	test('does a lesson in a frame, opens the demo and a moment, and says where storage is blocked', async () => {
		const partner = await openSite();
		const settings = { PORT: '0', DATA_DIR: data.path, EMBED: partner.origin };
		const server = await startServer([process.execPath, builtHost], settings);
		const tab = await openFirefox();
		try {
			partner.show(frameOf(`${server.origin}/embed/lesson/whole-trip`));
			await tab.open(partner.origin);
			await click(tab, 1, 'Start');
			await run(tab, 1, `document.querySelector('input[type=radio]')`, 'found?.click()');
			await click(tab, 1, 'Save');
			await click(tab, 1, 'Sign in with Tollgate');
			// A page of the service takes clicks from its load event on, so a click is repeated until the window closes.
			const button = (text: string) => `${buttons}.find((one) => one.textContent.trim() === '${text}')`;
			const decide = async () => {
				const pressed = `(${button('Allow')} ?? ${button('player-one')})?.click() ?? ''`;
				await tab.evaluateInFrame?.(2, pressed).catch(() => '');
				return tab.evaluateInFrame?.(1, `${button('Next')} ? 'done' : ''`).catch(String);
			};
			await expect.poll(decide, { timeout: 60_000, interval: 500 }).toBe('done');
			await click(tab, 1, 'Next');
			await click(tab, 1, 'Look up');
			const types = () => tab.evaluate('got.map(({ type, source }) => `${source} ${type}`).join()');
			await expect.poll(types, { timeout: 60_000 }).toContain('tollgate completed');
			expect(await types()).toContain('tollgate ready');

			partner.show(frameOf(`${server.origin}/embed/demo`));
			await tab.open(`${partner.origin}/demo`);
			await click(tab, 1, 'Start');
			await click(tab, 1, 'Next');
			await expect.poll(types, { timeout: 60_000 }).toContain('tollgate step');

			const text = () => tab.evaluateInFrame?.(1, 'document.body.innerText').catch(String);
			const { entries } = await recordFlow(await createTestService().sandbox());
			const recorded = { all: entries, events: [], applications: new Map<string, string>() };
			const moment = momentOfFlow(entries[0]?.flow ?? '', recorded, 'character');
			partner.show(frameOf(await createMomentLink(`${server.origin}/embed`, moment)));
			await tab.open(`${partner.origin}/moment`);
			await expect.poll(text, { timeout: 60_000 }).toContain('/ws/oauth2/token');
			partner.show(frameOf(`${server.origin}/embed/moment#broken`));
			// The browser has the page, and asks the server whether it is still the same.
			await tab.open(`${partner.origin}/again`);
			await expect.poll(text, { timeout: 60_000 }).toContain('This link does not work');

			partner.show(`<iframe sandbox="allow-scripts" src="${server.origin}/embed/demo"></iframe>`);
			await tab.open(`${partner.origin}/sandboxed`);
			await expect.poll(text, { timeout: 60_000 }).toContain('This browser blocks storage here');
		} finally {
			await tab.close();
			await server.close();
			partner.close();
		}
	});
});

/** Clicks the button with a text in a frame, once it is there and enabled. */
async function click(tab: Tab, depth: number, text: string): Promise<void> {
	await run(tab, depth, `${buttons}.find((one) => one.textContent.trim() === '${text}')`, 'found?.click()');
}

/** Runs a statement with an element of a frame, once it is there. */
async function run(tab: Tab, depth: number, element: string, statement: string): Promise<void> {
	const expression = `(() => { const found = ${element}; ${statement}; return found ? 'done' : document.body.innerText.slice(0, 500); })()`;
	const evaluate = async () => tab.evaluateInFrame?.(depth, expression).catch(String);
	await expect.poll(evaluate, { timeout: 60_000, interval: 200 }).toBe('done');
}
