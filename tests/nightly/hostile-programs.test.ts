import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inAllBrowsers } from './all-browsers.ts';
import { openExercise, runInPage } from './exercise-page.ts';
import { endOf, hostilePrograms, hostileSource } from './hostile-programs.ts';

// What programs of visitors reach, in three engines and both builds.

/** What a server received that must receive nothing. */
const received: string[] = [];
const outside = createServer((request, response) => {
	received.push(request.url ?? '');
	response.writeHead(200, { 'access-control-allow-origin': '*' }).end();
});
let outsideOrigin = '';

beforeAll(async () => {
	await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
	const address = outside.address();
	outsideOrigin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterAll(() => void outside.close());

/** What a page would show of a program that got out. */
const traces = `JSON.stringify({
	url: location.href,
	title: document.title,
	cookie: document.cookie,
	local: Object.keys(localStorage),
	frames: [...document.querySelectorAll('iframe')].filter((frame) => frame.title === 'Program').length,
	polluted: ({}).isAdmin ?? null
})`;

inAllBrowsers((place) => {
	let before: string;
	beforeAll(async () => {
		const { tab, origin } = place();
		await openExercise(tab, origin, 'exchange-the-code');
		before = await tab.evaluate(traces);
	});

	test.each(hostilePrograms)('contains a program that tries $name', async (hostile) => {
		const { tab, origin } = place();
		const { last } = await runInPage(tab, hostileSource(hostile, origin, outsideOrigin), hostile.within);
		expect(last).toMatch(endOf(hostile));
		expect(await tab.evaluate(traces)).toBe(before);
		expect(received).toEqual([]);
	});

	test('a frame of a program that opens another document ends the run, and the next run has a new frame', async () => {
		const { tab, origin } = place();
		const waits = hostileSource({ name: '', body: '  await new Promise(() => {});' }, origin, outsideOrigin);
		const leave = `(() => { const leave = setInterval(() => {
			const inner = document.querySelector('iframe[title=Program]')?.contentDocument?.querySelector('iframe');
			if (inner) { clearInterval(leave); setTimeout(() => { inner.srcdoc = 'other'; }, 500); }
		}, 50); return ''; })()`;
		await tab.evaluate(leave);
		expect((await runInPage(tab, waits)).last).toContain('Stopped. The frame of the program left its document.');
		const returns = hostileSource({ name: '', body: '' }, origin, outsideOrigin);
		expect((await runInPage(tab, returns)).last).toContain('Your client returned []');
	});
});
