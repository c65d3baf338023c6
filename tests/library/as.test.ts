import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const tollgate = join(import.meta.dirname, '../../build/host/tollgate.js');

it('the program of the package runs a command at the real URLs, with the pages of the sandbox', () => {
	const script = `
const page = await fetch(process.env.TOLLGATE_BASE_URL + '/inspector');
console.log(page.status, (await page.text()).includes('<title>Inspector'));
const api = await fetch('https://api.github.com/user');
console.log(api.status, (await api.json()).message);
console.log(process.argv.at(-1));`;
	const command = [process.execPath, '--input-type=module', '-e', script, '--', '--client-id'];
	const { stdout, stderr, status } = spawnSync(process.execPath, [tollgate, 'as', 'github', '--', ...command], {
		encoding: 'utf8'
	});
	expect(stdout).toBe('200 true\n401 Bad credentials\n--client-id\n');
	expect(stderr).toContain('Tollgate as GitHub.');
	expect(status).toBe(0);
});

it('names the providers where one is unknown', () => {
	const { stderr, status } = spawnSync(process.execPath, [tollgate, 'as', 'gitlab', '--', 'true'], {
		encoding: 'utf8'
	});
	expect(stderr).toMatch(/^No provider "gitlab" is simulated\. Use one of .*discord, .* See tollgate help as\.\n$/);
	expect(status).toBe(2);
});
