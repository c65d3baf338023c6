import { spawn } from 'node:child_process';
import type { CliEnvironment } from './environment.server.ts';

/**
 * Opens the system's browser at an address: the program that `BROWSER` names, else what the system has for it.
 * @param address http or https
 * @param env `BROWSER=none` opens nothing
 * @param platform as `process.platform` has it
 * @returns whether a program was started; the person has the address in any case
 */
export function openSystemBrowser(address: string, env: CliEnvironment['env'], platform: string): Promise<boolean> {
	const [program, ...parameters] = opener(env.BROWSER, platform);
	if (program === undefined) return Promise.resolve(false);
	return new Promise((resolve) => {
		const child = spawn(program, [...parameters, address], { stdio: 'ignore', detached: true });
		child.once('error', () => resolve(false));
		child.once('spawn', () => {
			child.unref();
			resolve(true);
		});
	});
}

function opener(chosen: string | undefined, platform: string): readonly string[] {
	if (chosen === 'none') return [];
	if (chosen) return [chosen];
	if (platform === 'darwin') return ['open'];
	// `start` would read the & of the address as a command of its own.
	if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
	return ['xdg-open'];
}
