import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder for this user only, with its parents, unless it exists. (`mkdir` with `recursive` never ends below
 * `/proc`, which says ENOENT although the parent exists.)
 * @param path absolute
 * @throws NodeJS.ErrnoException
 */
export async function makeFolder(path: string): Promise<void> {
	if (!existsSync(dirname(path))) await makeFolder(dirname(path));
	try {
		await mkdir(path, { mode: 0o700 });
	} catch (error) {
		if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
	}
}
