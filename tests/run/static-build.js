// The static build, made when its sources have changed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt } from '../../src/hosts/node/prepare.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * @param {'' | '/demo'} base the path below which it is to stand
 * @returns {Promise<string>} its folder
 */
export async function staticBuild(base) {
	const out = `build/static-for-tests${base.replace('/', '-')}`;
	await ensureBuilt(root, (line) => console.log(line), {
		stamp: `${out}.sources`,
		sources: ['src', 'static', 'svelte.config.js', 'package-lock.json', 'tsconfig.json', 'vite.config.ts'],
		steps: [{ name: 'static files', parameters: [] }],
		environment: { TOLLGATE_TARGET: 'static', TOLLGATE_BASE: base, TOLLGATE_OUT: out }
	});
	return join(root, out);
}
