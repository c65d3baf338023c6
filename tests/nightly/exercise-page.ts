import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Tab } from './browser-drivers.ts';

/** What the page of an exercise shows. */
const shownRun = v.object({
	hasEditor: v.boolean(),
	isRunning: v.boolean(),
	/** The last line of the console. */
	last: v.string(),
	/** The conditions that failed, and how many are open. */
	failed: v.array(v.string()),
	open: v.number(),
	/** The number of lines of the program that are marked. */
	marked: v.number()
});
export type ShownRun = v.InferOutput<typeof shownRun>;

/** What the page shows. The user allows access if asked. */
const look = `(() => {
	const text = (element) => element?.textContent.trim() ?? '';
	const all = (selector) => [...document.querySelectorAll(selector)];
	const frame = document.querySelector('iframe[title^="Page in"]');
	[...(frame?.contentDocument?.querySelectorAll('button') ?? [])].find((button) => text(button) === 'Allow')?.click();
	return JSON.stringify({
		hasEditor: all('.cm-content').length > 0,
		isRunning: all('button').some((button) => text(button) === 'Stop'),
		last: text(all('[role=log] p').at(-1)),
		failed: all('.task li.failed').map((item) => item.dataset.condition),
		open: all('.task li.open').length,
		marked: all('.cm-marked').length
	});
})()`;

/**
 * Looks until the page shows something.
 * @param within milliseconds
 * @throws {Error} with what it shows instead
 */
async function waitFor(tab: Tab, isShown: (run: ShownRun) => boolean, within: number): Promise<ShownRun> {
	const end = performance.now() + within;
	for (;;) {
		const found = await tab.evaluate(look).catch(String);
		const run = v.safeParse(v.pipe(v.string(), v.parseJson(), shownRun), found);
		if (run.success && isShown(run.output)) return run.output;
		if (performance.now() > end) throw new Error(`The page shows after ${within} ms: ${found}`);
		await sleep(100);
	}
}

/** Opens an exercise, and waits for its editor. @param site base URL without a trailing slash */
export async function openExercise(tab: Tab, site: string, id: string): Promise<void> {
	// WebKit suspends a page that is left, also while it stores its progress. Until then, no other page can read it.
	await sleep(1000);
	await tab.open(`${site}/write/${id}`);
	await waitFor(tab, ({ hasEditor }) => hasEditor, 60_000);
}

/** Selects the program in the editor. */
const select = `(() => {
	const editor = document.querySelector('.cm-content');
	const control = /Mac/.test(navigator.platform) ? { metaKey: true } : { ctrlKey: true };
	editor.focus();
	editor.dispatchEvent(new KeyboardEvent('keydown', { ...control, key: 'a', code: 'KeyA', keyCode: 65, bubbles: true, cancelable: true }));
	return '';
})()`;

/**
 * Types a program over the one in the editor, which indents the lines, and runs it. The user allows access.
 * @param type types into the page
 */
export async function typeAndRun(tab: Tab, program: string, type: (text: string) => Promise<void>): Promise<ShownRun> {
	await tab.evaluate(select);
	await type(program.replaceAll(/^ +/gm, ''));
	await tab.evaluate(run);
	return waitFor(tab, ({ isRunning }) => !isRunning, 60_000);
}

const run = `(() => {
	[...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Run').click();
	return '';
})()`;

/** Pastes a program over the one in the editor. */
async function paste(tab: Tab, program: string): Promise<void> {
	await tab.evaluate(select);
	await tab.evaluate(`(() => {
		// Firefox gives events of scripts no data.
		const clipboardData = { getData: () => ${JSON.stringify(program)} };
		const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData });
		document.querySelector('.cm-content').dispatchEvent(event);
		return '';
	})()`);
}

/**
 * Pastes a program over the one in the editor, and runs it. The user allows access.
 * @param within milliseconds
 */
export async function runInPage(tab: Tab, program: string, within = 30_000): Promise<ShownRun> {
	await paste(tab, program);
	await tab.evaluate(run);
	return waitFor(tab, ({ isRunning }) => !isRunning, within);
}

/** Pastes a program over the one in the editor, and takes the exam. @returns how many rules failed, and what the page says of the run */
export async function takeExamInPage(tab: Tab, program: string): Promise<{ failed: number; said: string }> {
	await paste(tab, program);
	await tab.evaluate(run);
	await waitFor(tab, ({ isRunning }) => !isRunning, 240_000);
	const said = await tab.evaluate(`document.querySelector('.panel .hint').textContent.replace(/\\s+/g, ' ')`);
	return { failed: Number(await tab.evaluate(`document.querySelector('.panel dd').textContent`)), said };
}
