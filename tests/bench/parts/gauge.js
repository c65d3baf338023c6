// From the arrival of a response to the paint of its gauge, at the Character Viewer in Chromium.
import { startChromium } from '../chromium.js';
import { startBenched } from '../machine.js';
import { heading, percentile, table, target } from '../report.js';

const warmUp = 20;
const asked = 120;
const goal = 50;

/** @type {import('../run.js').Part} */
export const gauge = {
	names: ['gauge'],
	async run() {
		heading(`From a response to the paint of its gauge: ${asked} responses, one after the other, in milliseconds`);
		const server = await startBenched('node');
		const { context, close } = await startChromium();
		try {
			const page = await context.newPage();
			await signIn(page, server.origin);
			const { fromHeaders, fromBody } = await ask(page);
			table(
				['measured from', 'median', 'p95', 'longest'],
				[
					['the first byte of its headers', ...shown(fromHeaders)],
					['its last byte, read by the page', ...shown(fromBody)]
				]
			);
			console.log('  To the end of the frame that shows it; frames come every 16.7 ms.');
			target(`p95 under ${goal} ms from the first byte`, percentile(fromHeaders, 0.95) < goal);
		} finally {
			await close();
			await server.close();
		}
	}
};

/**
 * Signs a demo user in at the viewer, and shows a character.
 * @param {import('@playwright/test').Page} page
 * @param {string} origin
 */
async function signIn(page, origin) {
	await page.goto(`${origin}/viewer`);
	await page.getByRole('button', { name: 'Sign in with Tollgate' }).click();
	await page.getByRole('button', { name: 'player-one' }).click();
	await page.locator('button[value=approve]').click();
	await page.getByRole('button', { name: 'Mara Vell' }).click();
	await page.getByRole('heading', { name: 'Mara Vell' }).waitFor();
}

/**
 * Requests the character again each time the gauge of the last response was painted. Only the browser's resource timing knows
 * when the headers arrived.
 * @param {import('@playwright/test').Page} page
 */
async function ask(page) {
	return page.evaluate(
		async ({ count, warmUp }) => {
			performance.setResourceTimingBufferSize(10_000);
			const button = [...document.querySelectorAll('button')].find(({ innerText }) => innerText.includes('Reload'));
			const needle = document.querySelector('[role=meter]');
			const painted = () => performance.getEntriesByName('tollgate:gauge');
			/** @type {number[]} */
			const fromHeaders = [];
			/** @type {number[]} */
			const fromBody = [];
			for (let round = 0; round < warmUp + count; round += 1) {
				const before = painted().length;
				const shownBefore = needle?.getAttribute('aria-valuenow');
				button?.click();
				while (painted().length === before) await new Promise((resolve) => setTimeout(resolve, 5));
				// What is measured is the paint of this response: the gauge has moved by then.
				if (needle?.getAttribute('aria-valuenow') === shownBefore) throw new Error('The gauge has not moved');
				const { startTime = NaN, duration = NaN } = painted().at(-1) ?? {};
				const response = performance
					.getEntriesByType('resource')
					.findLast(({ name }) => name.includes('/ws/v2.0/character/'));
				if (!(response instanceof PerformanceResourceTiming)) throw new Error('The response has no timing');
				if (round < warmUp) continue;
				fromHeaders.push(startTime + duration - response.responseStart);
				fromBody.push(duration);
			}
			return { fromHeaders, fromBody };
		},
		{ count: asked, warmUp }
	);
}

/** @param {number[]} times */
function shown(times) {
	return [0.5, 0.95, 1].map((share) => percentile(times, share).toFixed(1));
}
