import type { SandboxStatus } from '#api/control/status.ts';
import { downloadFile } from '#client/download-file.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';

/** The largest snapshot that a service reads, in bytes. */
const maxSize = 4 * 1024 * 1024;

/** Why a file is no snapshot, for users. */
export class SnapshotFileError extends Error {
	override name = 'SnapshotFileError';
}

/** Downloads a snapshot of a sandbox as a file. */
export async function saveSnapshot(api: ControlApi, { id, name }: SandboxStatus): Promise<void> {
	downloadFile(
		`tollgate-${name ?? id}.json`,
		'application/json',
		JSON.stringify(await api.request('GET /control/snapshot'))
	);
}

/**
 * Reads a file that a user chose. The service checks what is in it.
 * @throws SnapshotFileError
 */
export async function readSnapshotFile(file: File): Promise<unknown> {
	if (file.size > maxSize) throw new SnapshotFileError('The file is larger than 4 MiB. Choose a snapshot.');
	try {
		const content: unknown = JSON.parse(await file.text());
		if (typeof content === 'object' && content !== null && !Array.isArray(content)) return content;
	} catch {
		// Like any other file.
	}
	throw new SnapshotFileError('The file is not a snapshot. Choose a JSON file with a snapshot.');
}
