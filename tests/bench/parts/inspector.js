// The inspector in Chromium with a full log and with many requests a second, and what a reader of the log costs the server.
import { get } from 'node:https';
import { startChromium } from '../chromium.js';
import { placement, startBenched, startLoad } from '../machine.js';
import { control } from '../sign-in.js';
import { heading, median, percent, table, target, whole } from '../report.js';
import { measure, targetOf } from './throughput.js';

/** @typedef {import('../machine.js').Benched} Benched */

const exchanges = 10_000;
const turns = 5;
/** Pixels in each frame: one notch of a wheel. At 60 frames per second, no hand turns it faster. */
const wheelStep = 120;
/** Pixels in each frame while the thumb of the scrollbar moves from one end to the other within two seconds. */
const dragStep = 2500;

/** @type {import('../run.js').Part} */
export const inspector = {
	names: ['inspector'],
	async run() {
		const load = startLoad();
		try {
			await measurePage(load);
			await measureServer(load);
		} finally {
			load.close();
		}
	}
};

/** Counts the frames that take longer than 50 ms. @param {ReturnType<typeof startLoad>} load */
async function measurePage(load) {
	heading(`The inspector in Chromium: ${placement}`);
	const server = await startBenched('node');
	const { context, close } = await startChromium();
	try {
		const character = { script: 'character', port: server.port, target: await targetOf(server) };
		await control('PATCH', `${server.origin}/control/sandboxes/root`, { traffic_entries: exchanges });
		const page = await context.newPage();
		await page.goto(`${server.origin}/inspector`);
		await page.getByText('Timeline').waitFor();
		await load.run({ ...character, connections: 4, rounds: exchanges, every: 4 });
		await page.getByText(new RegExp(`${exchanges}/${exchanges}`)).waitFor({ timeout: 60_000 });
		const wheel = await longFrames(page, () => scroll(page, wheelStep, 300));
		const jumps = await longFrames(page, () => scroll(page, dragStep, 120));
		const fed = await longFrames(page, () => load.run({ ...character, connections: 4, seconds: 10, every: 20 }));
		table(
			['while', 'frames over 50 ms', 'longest ms'],
			[
				['the wheel turns a notch in each frame', String(wheel.length), longest(wheel)],
				[`the scrollbar is dragged through ${whole(exchanges)} exchanges`, String(jumps.length), longest(jumps)],
				['200 requests per second arrive', String(fed.length), longest(fed)]
			]
		);
		target('no frame over 50 ms', wheel.length + jumps.length + fed.length === 0);
	} finally {
		await close();
		await server.close();
	}
}

/**
 * The durations of long frames while something happens, in milliseconds.
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<unknown>} act
 * @returns {Promise<number[]>}
 */
async function longFrames(page, act) {
	const end = await page.evaluateHandle(() => {
		/** @type {number[]} */
		const durations = [];
		const add = (/** @type {PerformanceEntryList} */ list) => durations.push(...list.map(({ duration }) => duration));
		const observer = new PerformanceObserver((list) => add(list.getEntries()));
		observer.observe({ type: 'long-animation-frame' });
		return () => {
			add(observer.takeRecords());
			observer.disconnect();
			return durations;
		};
	});
	await act();
	return end.evaluate((read) => read());
}

/**
 * Scrolls the list up, then down again.
 * @param {import('@playwright/test').Page} page
 * @param {number} step pixels in each frame
 * @param {number} frames in each direction
 */
async function scroll(page, step, frames) {
	await page.mouse.move(600, 400);
	for (const direction of [-1, 1]) {
		for (let frame = 0; frame < frames; frame += 1) {
			await page.mouse.wheel(0, direction * step);
			await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
		}
	}
}

/** Refreshes per second beside the bare server, without and with a reader of the log. @param {ReturnType<typeof startLoad>} load */
async function measureServer(load) {
	heading(`A token refresh with flows, labels and credential events in the log: ${placement}`);
	const servers = [await startBenched('node'), await startBenched('node'), await startBenched('bare')];
	const [, followed] = servers;
	try {
		const reader = get(`${followed?.origin ?? ''}/control/traffic/stream`, { rejectUnauthorized: false }, (response) =>
			response.resume()
		);
		const targets = await Promise.all(servers.map(targetOf));
		/** @type {number[][]} */
		const rates = servers.map(() => []);
		for (let turn = 0; turn <= turns; turn += 1) {
			for (const [index, server] of servers.entries()) {
				const sent = targets[index];
				if (sent === undefined) continue;
				const job = { script: 'refresh', port: server.port, target: sent, connections: 24, seconds: 2 };
				const { perCoreSecond } = await measure(server, () => load.run(job));
				// The first turn only warms up.
				if (turn > 0) rates[index]?.push(perCoreSecond);
			}
		}
		reader.destroy();
		const [node = NaN, read = NaN, bare = NaN] = rates.map(median);
		table(
			['server', 'per core second', 'of bare'],
			[
				['bare', whole(bare), percent(1)],
				['node', whole(node), percent(node / bare)],
				['node, one reader of the log', whole(read), percent(read / bare)]
			]
		);
		target(
			`the node host does at least 45 % of what the bare server does: ${percent(node / bare)}`,
			node / bare >= 0.45
		);
	} finally {
		await Promise.all(servers.map((server) => server.close()));
	}
}

/** @param {number[]} durations */
function longest(durations) {
	return durations.length === 0 ? '-' : Math.max(...durations).toFixed(0);
}
