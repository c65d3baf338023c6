// Finds a Chromium or Chrome on this machine, or gets one.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const places = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/snap/bin/chromium',
	...['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
		join(process.env[name] ?? '', 'Google', 'Chrome', 'Application', 'chrome.exe')
	)
];

/** What Chromium is started with in tests: it works as root, and stays off the network. */
export const launchArguments = [
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync'
];

/**
 * The path of a browser that starts: `TOLLGATE_BROWSER`, else the first Chromium or Chrome in a usual place.
 * @returns {string | undefined}
 */
export function findBrowser() {
	const chosen = process.env.TOLLGATE_BROWSER;
	if (chosen !== undefined && chosen !== '') return chosen;
	const folders = (process.env.PATH ?? '').split(delimiter);
	const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
	return [...paths, ...places].find((path) => existsSync(path) && starts(path));
}

/**
 * A browser, installed where there is none: Debian's package where we may, else Playwright's own download.
 * @returns {string} its path
 * @throws {Error} with what to do, where none can be had
 */
export function ensureBrowser() {
	return findBrowser() ?? installFromDebian() ?? installFromPlaywright() ?? fail();
}

/** @param {string} path */
function starts(path) {
	if (process.platform === 'win32') return true; // chrome.exe has no --version
	return spawnSync(path, ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

function installFromDebian() {
	if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
		return undefined;
	console.log("No Chromium here: installing Debian's package");
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
	spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', 'chromium'], { stdio: 'inherit', env });
	return findBrowser();
}

function installFromPlaywright() {
	console.log("No Chromium here: downloading Playwright's");
	const cli = join('node_modules', '@playwright', 'test', 'cli.js');
	spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit' });
	const ask = "import('@playwright/test').then(({ chromium }) => console.log(chromium.executablePath()))";
	const path = spawnSync(process.execPath, ['-e', ask], { encoding: 'utf8' }).stdout.trim();
	return path !== '' && existsSync(path) ? path : undefined;
}

/** @returns {never} */
function fail() {
	throw new Error(
		'No Chromium or Chrome was found, and none could be installed. Install one, or name it: TOLLGATE_BROWSER=/path/to/chrome npm test'
	);
}
