// Runs the built command-line client (`build/cli`), as `npm run companion` does after the build.
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
/** @type {{ main: (args: readonly string[], root: string) => Promise<number> }} */
const { main } = await import(pathToFileURL(join(root, 'build', 'cli', 'main.js')).href);
process.exitCode = await main(process.argv.slice(2), root);
