import { StoreUnavailable } from '#store/errors.ts';
import { ConfigError } from '../read-setting.server.ts';
import { DiskError } from './disk/disk-error.ts';
import { RedisError } from './redis/redis-error.ts';

const noSpace: readonly [string, string] = ['the disk is full', 'Free some space'];

/** Why a file or folder cannot be written, and what to do. */
const writeErrors = new Map<string, readonly [reason: string, remedy: string]>([
	['EACCES', ['this user may not write there', 'Change the permissions']],
	['EPERM', ['this user may not write there', 'Change the permissions']],
	// What mkdir says of a read-only file system, too.
	['ENOENT', ['a folder of the path is missing or read-only', 'Make the folder']],
	['EROFS', ['the file system is read-only', 'Mount a volume there']],
	['ENOTDIR', ['a part of the path is a file', 'Remove the file']],
	['ENOSPC', noSpace],
	['EDQUOT', noSpace]
]);

/** Why the server could not start, for the user who started it. */
export function sentenceFor(error: unknown): string {
	if (error instanceof ConfigError || error instanceof DiskError || error instanceof RedisError) return error.message;
	if (error instanceof StoreUnavailable) return `Tollgate could not start: ${error.message}`;
	if (!(error instanceof Error)) return 'Tollgate could not start.';
	const code = 'code' in error ? error.code : undefined;
	const at = 'port' in error ? `port ${String(error.port)}` : 'the port';
	const host = 'address' in error ? String(error.address) : 'HOST';
	if (code === 'EADDRINUSE')
		return `Tollgate could not start: ${at} is already in use. Stop the other program, or set PORT (or MANAGEMENT_PORT) to another one.`;
	const write = writeErrors.get(String(code));
	if ('path' in error || (write !== undefined && !('port' in error))) {
		// A write to an open file names no path.
		const path = 'path' in error ? String(error.path) : 'to DATA_DIR';
		const [reason, remedy] = write ?? ['of an error of the file system', 'Change the permissions'];
		return `Tollgate could not start: it cannot write ${path} (${String(code)}), because ${reason}. ${remedy}, or set DATA_DIR to another folder.`;
	}
	if (code === 'EACCES' && 'port' in error)
		return `Tollgate could not start: this user may not open ${at}. Choose one above 1023, for example PORT=8443.`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
		return `Tollgate could not start: this machine has no address ${host} (HOST or MANAGEMENT_HOST).`;
	return `Tollgate could not start: ${error.stack ?? error.message}`;
}
