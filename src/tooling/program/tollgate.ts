#!/usr/bin/env node
// `npx tollgate`: the program of the package.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unsupportedNode } from '../unsupported-node.js';

/** The folder of the package: this file is in its `build/host`. */
const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '../..');

const reason = unsupportedNode(packageFolder);
if (reason === undefined) {
	const { runProgram } = await import('./run-program.ts');
	process.exitCode = await runProgram(process.argv.slice(2), packageFolder);
} else {
	console.error(reason);
	process.exitCode = 1;
}
