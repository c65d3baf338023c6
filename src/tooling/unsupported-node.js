// Plain JavaScript without packages: it runs before anything is installed, and in versions of Node that are too old.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Compares the version of Node with `engines` in package.json.
 * @param {string} root the folder of package.json
 * @returns {string | undefined} why this version cannot run Tollgate
 */
export function unsupportedNode(root) {
	/** @type {{ engines: { node: string } }} */
	const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const required = engines.node.replace('>=', '');
	const [major = 0, minor = 0] = required.split('.').map(Number);
	const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
	if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return undefined;
	return `Tollgate needs Node.js ${required} or newer. This is ${process.versions.node}. Get a newer one at https://nodejs.org.`;
}
