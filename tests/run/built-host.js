// Runs the built node host (`build/host`), as `npm start` does after the build.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** @type {{ main: (root: string) => Promise<boolean> }} */
const { main } = await import(pathToFileURL(join(root, 'build', 'host', 'main.js')).href);
process.exitCode = (await main(root)) ? 0 : 1;
