import open from 'open';
import type { CliEnvironment } from './environment.server.ts';

/**
 * Opens a URL in the user's browser.
 * @param url http or https
 * @param env `BROWSER=none` opens nothing, `BROWSER=PROGRAM` starts that program with the URL
 * @returns whether a program was started
 */
export async function openBrowser(url: string, env: CliEnvironment['env']): Promise<boolean> {
	const { BROWSER: program } = env;
	if (program === 'none') return false;
	try {
		await open(url, program ? { app: { name: program } } : {});
		return true;
	} catch {
		return false;
	}
}
