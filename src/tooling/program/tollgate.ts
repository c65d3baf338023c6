#!/usr/bin/env node
// `npx tollgate`: the program of the package.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runWithMemorySettings, unsupportedNode } from '../node-process.js';

/** The folder of the package: this file is in its `build/host`. */
const packageFolder = join(dirname(fileURLToPath(import.meta.url)), '../..');

const reason = unsupportedNode(packageFolder);
if (reason === undefined) {
	const args = process.argv.slice(2);
	// The server goes on without a reader.
	if (args.length > 0) endAtClosedPipe();
	// Only npx ends with its program. A script of another project may start the server and end before it.
	const exitCode = args.length === 0 ? await runWithMemorySettings(process.env.npm_command === 'exec') : undefined;
	process.exitCode = exitCode ?? (await (await import('./run-program.ts')).runProgram(args, packageFolder));
} else {
	console.error(reason);
	process.exitCode = 1;
}

/** Ends a command whose output is closed, for example by `head`: as at SIGTERM, so that it can end what it has started. */
function endAtClosedPipe(): void {
	let isClosed = false;
	const end = ({ code }: NodeJS.ErrnoException) => {
		if (code !== 'EPIPE' || isClosed) return;
		isClosed = true;
		if (!process.emit('SIGTERM', 'SIGTERM')) process.exit();
	};
	for (const stream of [process.stdout, process.stderr]) stream.on('error', end);
}
