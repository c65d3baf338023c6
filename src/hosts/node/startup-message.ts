import type { World } from '#service/world/world.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { ConfigError } from '../read-setting.server.ts';
import { DiskError } from './disk/disk-store.server.ts';
import { RedisError } from './redis/redis-error.ts';

const demoLines = [
	'  Accounts   player-one, player-two, player-three (password: demo)',
	'  Clients    character-viewer / viewer-secret (web application)',
	'             pocket-companion / companion-secret (installed application)'
];

/** The accounts and clients of a world, without secrets. */
function linesOf({ accounts, applications }: World): string[] {
	const usernames = accounts.map(({ username }) => username);
	const shown = usernames.slice(0, 5).join(', ');
	const clients = applications.slice(0, 5).map(({ client_id, kind }) => {
		return `${client_id} (${kind === 'web' ? 'web' : 'installed'} application)`;
	});
	return [
		`  Accounts   ${shown}${usernames.length > 5 ? ', …' : ''}`,
		...clients.map((client, at) => `  ${at === 0 ? 'Clients  ' : '         '}  ${client}`)
	];
}

/**
 * The message of a start: the addresses, the demo accounts and clients, and how to trust the certificate.
 * @param origin `https://host[:port]`
 * @param caFile the certificate authority created on this machine. Undefined if TLS_CERT is set
 * @param hasAdminKey whether controlling the root sandbox takes a key
 * @param world of the server; absent for the demo world
 */
export function startupMessage(
	origin: string,
	caFile: string | undefined,
	hasAdminKey: boolean,
	world?: World
): string {
	const lines = [
		'',
		`  ${(world?.brand.name ?? 'Tollgate').padEnd(10)} ${origin}`,
		'',
		`  Base URL   ${origin}`,
		`  Viewer     ${origin}/viewer`,
		`  Docs       ${origin}/docs/`,
		...(world === undefined ? demoLines : linesOf(world)),
		hasAdminKey
			? `  Control    ${origin}/docs/control-api/ (send X-Tollgate-Key: your ADMIN_KEY)`
			: `  Control    ${origin}/control/sandbox (this machine only)`
	];
	if (caFile !== undefined) {
		lines.push(
			'',
			'  Self-signed certificate. To trust it:',
			`    curl      curl --cacert ${caFile} ${origin}/control/health`,
			`    Node      NODE_EXTRA_CA_CERTS=${caFile} node client.js`,
			`    Browser   import ${caFile} as an authority, or accept the warning once`
		);
	}
	lines.push('', '  Press Ctrl+C to stop.', '');
	return lines.join('\n');
}

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
