// `npm run build`: builds pages and server, also where the sources have not changed.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotReady, build } from './prepare.js';

try {
	await build(join(dirname(fileURLToPath(import.meta.url)), '../../..'), (line) => console.log(line));
} catch (error) {
	if (!(error instanceof NotReady)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
