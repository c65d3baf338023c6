// Finds redis-server on this machine, or installs Debian's package.
import { spawnSync } from 'node:child_process';

/**
 * Whether this machine can run `redis-server`.
 * @returns {boolean}
 */
export function hasRedis() {
	return spawnSync('redis-server', ['--version'], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

/** Installs Debian's package where that is possible. Prints a warning if the tests with Redis will be skipped. */
export function ensureRedis() {
	if (hasRedis()) return;
	if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0) {
		console.log("redis-server not found. Installing Debian's package …");
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
		spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', 'redis-server'], { stdio: 'inherit', env });
	}
	if (!hasRedis()) console.warn(`\n${'!'.repeat(80)}\n${skippedTests}\n${'!'.repeat(80)}\n`);
}

/** Says what is not tested without Redis. */
export const skippedTests =
	'SKIPPED: redis-server was not found and could not be installed. The store in Redis and several processes are not tested. Install redis-server, and run the tests again.';
