// The built node host (`build/host`) as a program of its own, the way `npm start` runs it once all is built.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** @type {{ main: (root: string) => Promise<boolean> }} */
const { main } = await import(pathToFileURL(join(root, 'build', 'host', 'main.js')).href);
process.exitCode = (await main(root)) ? 0 : 1;
