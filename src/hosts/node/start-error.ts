import { ConfigError } from '../config.server.ts';
import { DiskError } from './disk/disk-error.ts';
import { RedisError } from './redis/redis-error.ts';

/** Why the server could not start, for the user who started it. */
export function sentenceFor(error: unknown): string {
	if (error instanceof ConfigError || error instanceof DiskError || error instanceof RedisError) return error.message;
	if (!(error instanceof Error)) return 'Tollgate could not start.';
	const code = 'code' in error ? error.code : undefined;
	const at = 'port' in error ? `port ${String(error.port)}` : 'the port';
	const host = 'address' in error ? String(error.address) : 'HOST';
	if (code === 'EADDRINUSE')
		return `Tollgate could not start: ${at} is already in use. Stop the other program or choose another port: PORT=8444 npm start`;
	if ('path' in error)
		return `Tollgate could not start: it cannot write ${String(error.path)} (${String(code)}). Free some space, change the permissions or choose another folder: DATA_DIR=/path npm start`;
	if (code === 'EACCES' && 'port' in error)
		return `Tollgate could not start: this user may not open ${at}. Choose one above 1023: PORT=8443 npm start`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
		return `Tollgate could not start: this machine has no address ${host} (HOST).`;
	return `Tollgate could not start: ${error.stack ?? error.message}`;
}
