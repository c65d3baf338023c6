import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** An empty folder that is deleted when the test has ended. */
export async function temporaryFolder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), 'tollgate-'));
	onTestFinished(() => rm(path, { recursive: true }));
	return path;
}
