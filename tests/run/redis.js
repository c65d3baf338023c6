// Finds redis-server on this machine, or installs Debian's package.
import { canRun, installPackages } from './debian.js';

/**
 * Whether this machine can run `redis-server`.
 * @returns {boolean}
 */
export function hasRedis() {
	return canRun('redis-server');
}

/** Installs Debian's package where that is possible. Prints a warning if the tests with Redis will be skipped. */
export async function ensureRedis() {
	if (hasRedis()) return;
	await installPackages('redis-server');
	if (!hasRedis()) console.warn(`\n${'!'.repeat(80)}\n${skippedTests}\n${'!'.repeat(80)}\n`);
}

/** Says what is not tested without Redis. */
export const skippedTests =
	'SKIPPED: redis-server was not found and could not be installed. The store in Redis and several processes are not tested. Install redis-server, and run the tests again.';
