// The static build, made when its sources have changed; at the root it is that of `npm run build:static`.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, staticFiles } from '../../src/tooling/ensure-build.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/**
 * @param {'' | '/demo'} base the path below which it is to stand
 * @returns {Promise<string>} its folder
 */
export async function staticBuild(base) {
	const out = `build/static${base.replace('/', '-')}`;
	await ensureBuilt(root, (line) => console.log(line), staticFiles(base, out));
	return join(root, out);
}
