import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

const canMount = process.platform === 'linux' && process.getuid?.() === 0;
if (!canMount) {
	console.warn(
		'SKIPPED: only root on Linux can mount a small file system. A full disk is not tested. Run the tests again as root.'
	);
}

/** `describe`, on a machine that can mount a file system. */
export const describeWithSmallDisk = describe.skipIf(!canMount);

/** A file system of a few megabytes. */
export type SmallDisk = {
	readonly folder: string;
	/**
	 * Takes all space but some bytes. LevelDB then fails in the middle of a record.
	 * @param left how many bytes stay free
	 */
	fill(left?: number): Promise<void>;
	/** Makes the space available again. */
	free(): Promise<void>;
};

/** Mounts a file system until the test has ended. */
export async function mountSmallDisk(megabytes = 3): Promise<SmallDisk> {
	const folder = await temporaryFolder();
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
	// Lazily: a process that the test has killed may still have a file open.
	onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
	const filler = join(folder, 'filler');
	return {
		folder,
		async fill(left = 0) {
			const { bavail, bsize } = await statfs(folder);
			await writeFile(filler, new Uint8Array(Math.max(0, bavail * bsize - left)), { flag: 'a' });
		},
		free: () => rm(filler)
	};
}
