// Finds a Chromium or Chrome on this machine, or installs one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './debian.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const places = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/snap/bin/chromium',
	...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
		join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe')
	)
];

/** Chromium's arguments in tests. It works as root and sends no background requests. */
export const launchArguments = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	// A redirect URI of a client that does not exist fails at once, also where name servers do not respond.
	'--host-resolver-rules=MAP *.example ~NOTFOUND'
];

/**
 * The path of a browser that starts: `TOLLGATE_BROWSER`, else the first Chromium or Chrome in a usual place.
 * @returns {string | undefined}
 */
export function findBrowser() {
	const chosen = process.env.TOLLGATE_BROWSER;
	if (chosen !== undefined && chosen !== '') return chosen;
	return [...names.flatMap(inPath), ...places].find((path) => existsSync(path) && starts(path));
}

/**
 * The path of Chromium's headless shell if it is installed, which needs half the processor time, else that of `findBrowser`.
 * @returns {string | undefined}
 */
export function findHeadlessBrowser() {
	const shell = inPath('chromium-headless-shell').find((path) => existsSync(path));
	return (process.env.TOLLGATE_BROWSER ?? '') === '' && shell !== undefined ? shell : findBrowser();
}

/** Installs Debian's package of the headless shell if there is no browser, where that is possible. */
export async function installHeadlessShell() {
	if (findHeadlessBrowser() === undefined) await installPackages('chromium-headless-shell');
}

/**
 * The browser of `findHeadlessBrowser`. If there is none, installs Playwright's.
 * @returns {string} its path
 * @throws {Error} if none can be installed
 */
export function ensureHeadlessBrowser() {
	return findHeadlessBrowser() ?? installFromPlaywright() ?? fail();
}

/**
 * The browser of `findBrowser`. If there is none, installs Debian's package (as root) or Playwright's download.
 * @returns {Promise<string>} its path
 * @throws {Error} if none can be installed
 */
export async function ensureBrowser() {
	if (findBrowser() === undefined) await installPackages('chromium');
	return findBrowser() ?? installFromPlaywright() ?? fail();
}

/**
 * @param {string} name
 * @returns {string[]} where a program of this name may be
 */
function inPath(name) {
	return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
}

/** @param {string} path */
function starts(path) {
	if (process.platform === 'win32') return true; // chrome.exe has no --version
	return spawnSync(path, ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

function installFromPlaywright() {
	console.log("Chromium not found. Downloading Playwright's …");
	const cli = join('node_modules', '@playwright', 'test', 'cli.js');
	spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' });
	const script = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
	const path = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout.trim();
	return path !== '' && existsSync(path) ? path : undefined;
}

/** @returns {never} */
function fail() {
	throw new Error(
		'Chromium was not found and could not be installed. Install Chromium or Chrome, or set its path: TOLLGATE_BROWSER=/path/to/chrome npm test'
	);
}
