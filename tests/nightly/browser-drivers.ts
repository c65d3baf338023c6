import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { WebSocket } from 'undici';
import * as v from 'valibot';
import { vi } from 'vitest';
import { findHeadlessBrowser, launchArguments } from '../run/browser.js';

/** One tab of a browser that Playwright does not drive. */
export type Tab = {
	open(url: string): Promise<void>;
	/** Evaluates an expression in the page. Its value must be a string. */
	evaluate(expression: string): Promise<string>;
	/** As `evaluate`, in the first frame of the page, or with 2 in the first frame of that one. Also of other sites. */
	evaluateInFrame?(depth: number, expression: string): Promise<string>;
	/** Types by the keyboard. */
	type?(text: string): Promise<void>;
	close(): Promise<void>;
};

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
	return spawnSync('which', [program]).status === 0;
}

/** The first tab of a browser. Closing it ends the browser. */
export type FirstTab = Tab & {
	/** Opens another tab, in its own window: a tab behind another one is hidden. */
	openTab(): Promise<Tab>;
};

/** Opens Chromium and drives it with Playwright. It accepts the server's certificate. */
export async function openChromium(): Promise<FirstTab> {
	const executablePath = findHeadlessBrowser();
	const browser = await chromium.launch({
		chromiumSandbox: false,
		args: launchArguments,
		...(executablePath === undefined ? {} : { executablePath })
	});
	const context = await browser.newContext({ ignoreHTTPSErrors: true });
	const openTab = async (): Promise<Tab> => {
		const page = await context.newPage();
		return {
			open: async (url) => void (await page.goto(url)),
			evaluate: (expression) => page.evaluate<string>(expression),
			type: (text) => page.keyboard.type(text),
			close: () => page.close()
		};
	};
	return { ...(await openTab()), openTab, close: () => browser.close() };
}

/** Opens Firefox and drives it with WebDriver BiDi, which it speaks itself. It accepts the server's certificate. */
export async function openFirefox(): Promise<FirstTab> {
	const profile = mkdtempSync(join(tmpdir(), 'tollgate-firefox-'));
	const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank'];
	const firefox = await start('firefox-esr', args, /ws:\/\/[\w.:]+/);
	const socket = new WebSocket(`${firefox.found}/session`);
	await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
	const pending = new Map<number, (message: string) => void>();
	socket.addEventListener('message', ({ data }) => {
		const { id } = v.parse(v.object({ id: v.nullish(v.number()) }), JSON.parse(String(data)));
		pending.get(id ?? 0)?.(String(data));
	});
	const send = async <S extends v.GenericSchema>(method: string, params: object, schema: S) => {
		const id = pending.size + 1;
		const response = new Promise<string>((resolve) => pending.set(id, resolve));
		socket.send(JSON.stringify({ id, method, params }));
		return v.parse(schema, v.parse(v.object({ result: v.unknown() }), JSON.parse(await response)).result);
	};
	await send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } }, v.unknown());
	const node = v.object({ context: v.string(), children: v.nullish(v.array(v.unknown())) });
	const tree = v.object({ contexts: v.array(node) });
	const [first] = (await send('browsingContext.getTree', {}, tree)).contexts;
	const value = v.object({ result: v.object({ value: v.string() }) });
	/** The frame of a page, some levels below it. */
	const frameOf = async (root: string, depth: number): Promise<string> => {
		const { contexts } = await send('browsingContext.getTree', { root }, tree);
		let [found] = contexts;
		for (let level = 0; level < depth; level++) found = v.parse(node, found?.children?.[0]);
		return found?.context ?? '';
	};
	const evaluateIn = async (context: string, expression: string) =>
		(await send('script.evaluate', { expression, target: { context }, awaitPromise: true }, value)).result.value;
	const tabOf = (context: string) => ({
		open: async (url: string) => {
			await send('browsingContext.navigate', { context, url, wait: 'complete' }, v.unknown());
		},
		evaluate: (expression: string) => evaluateIn(context, expression),
		evaluateInFrame: async (depth: number, expression: string) => evaluateIn(await frameOf(context, depth), expression),
		close: async () => {
			await send('browsingContext.close', { context }, v.unknown());
		}
	});
	return {
		...tabOf(first?.context ?? ''),
		openTab: async () => {
			const { context } = await send('browsingContext.create', { type: 'window' }, v.object({ context: v.string() }));
			return tabOf(context);
		},
		close: async () => {
			socket.close();
			await stop(firefox.child);
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}

/** Opens WebKitGTK and drives it with WebDriver, on a display that no user sees. It accepts the server's certificate. */
export async function openWebKit(): Promise<Tab> {
	const display = await start('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], /\d+/);
	const port = String(20_000 + Math.floor(Math.random() * 20_000));
	const env = { DISPLAY: `:${display.found}`, GDK_BACKEND: 'x11' };
	const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env: { ...process.env, ...env }, stdio: 'ignore' });
	const send = async <S extends v.GenericSchema>(path: string, body: object, schema: S) => {
		const init = { method: 'POST', body: JSON.stringify(body) };
		const response = await fetch(`http://127.0.0.1:${port}/session${path}`, init);
		return v.parse(schema, v.parse(v.object({ value: v.unknown() }), await response.json()).value);
	};
	await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/status`), 10_000);
	const capabilities = { alwaysMatch: { acceptInsecureCerts: true } };
	const { sessionId } = await send('', { capabilities }, v.object({ sessionId: v.string() }));
	return {
		open: async (url) => {
			await send(`/${sessionId}/url`, { url }, v.unknown());
		},
		evaluate: (expression) =>
			send(`/${sessionId}/execute/sync`, { script: `return ${expression}`, args: [] }, v.string()),
		close: async () => {
			await fetch(`http://127.0.0.1:${port}/session/${sessionId}`, { method: 'DELETE' });
			await stop(driver);
			await stop(display.child);
		}
	};
}

/** Starts a program and waits for what it prints when it is ready. */
function start(program: string, args: string[], ready: RegExp): Promise<{ child: ChildProcess; found: string }> {
	const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
	return new Promise((resolve, reject) => {
		let output = '';
		const read = (chunk: Buffer) => {
			output += chunk.toString();
			const found = ready.exec(output)?.[0];
			if (found !== undefined) resolve({ child, found });
		};
		child.stdout.on('data', read);
		child.stderr.on('data', read);
		child.once('exit', () => reject(new Error(`${program} ended: ${output}`)));
	});
}

async function stop(child: ChildProcess): Promise<void> {
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill();
	await ended;
}
