import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/**
 * Packs the package with `npm run package`, and installs it in another project.
 * @param project an empty folder
 */
export async function installPackage(project: string): Promise<void> {
	const packed = await run('npm', ['run', 'package', '--', '--json', '--pack-destination', project], { cwd: root });
	const [tarball = ''] = /tollgate-[\w.-]+\.tgz/.exec(packed.stdout) ?? [];
	await writeFile(join(project, 'package.json'), '{"name":"other","private":true,"type":"module"}');
	const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', join(project, tarball)];
	await run('npm', install, { cwd: project });
}
