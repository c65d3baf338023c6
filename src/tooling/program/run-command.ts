import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code of a command whose program did not start. */
export const notStarted = 127;

/** The variable with which all Node programs of a command load a module before their own. @param hook the URL of the module */
export function withNodeHook(hook: string): { readonly NODE_OPTIONS: string } {
	return { NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${hook}`].filter((text) => text).join(' ') };
}

/**
 * Runs the command of a user with the terminal of this process, and passes signals on to all of its programs.
 * @param command the program and its arguments
 * @param print gets why it did not start
 * @returns its exit code, as a shell has it
 */
export async function runCommand(
	command: readonly string[],
	env: NodeJS.ProcessEnv,
	print: (line: string) => void
): Promise<number> {
	const [program = '', ...args] = command;
	const isWindows = process.platform === 'win32';
	// A terminal sends its signals to all programs of the command. Without one, the command gets a group that signals are sent to.
	const isGroup = !isWindows && !process.stdin.isTTY;
	const child = spawn(program, args, { env, stdio: 'inherit', shell: isWindows, detached: isGroup });
	// This process has work to do after the command has ended.
	const forward = (signal: NodeJS.Signals) => {
		if (signal === 'SIGINT' && process.stdin.isTTY) return;
		if (child.pid === undefined) return;
		if (isWindows) spawn('taskkill', ['/pid', String(child.pid), '/t', '/f']);
		else process.kill(isGroup ? -child.pid : child.pid, signal);
	};
	for (const signal of signals) process.on(signal, forward);
	const exitCode = await new Promise<number>((resolve) => {
		child.on('error', (error: NodeJS.ErrnoException) => {
			print(
				error.code === 'ENOENT' ? `There is no program ${program}.` : `Cannot start ${program} (${error.code ?? ''}).`
			);
			resolve(notStarted);
		});
		child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
	});
	for (const signal of signals) process.off(signal, forward);
	return exitCode;
}
