import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder for a user's data: `$XDG_DATA_HOME/tollgate`, on Windows `%LOCALAPPDATA%\tollgate`, else `~/.local/share/tollgate`.
 * For a user without a home it is `.tollgate`.
 */
export function defaultDataFolder({ XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
	const given = XDG_DATA_HOME || LOCALAPPDATA;
	if (given) return join(given, 'tollgate');
	try {
		return join(homedir(), '.local/share/tollgate');
	} catch {
		return '.tollgate';
	}
}
