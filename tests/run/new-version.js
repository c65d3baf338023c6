// Another version of the static build, for tests of updates: it has the same pages, and none of the files of the first version that
// have a hash in their names.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

const textFiles = new Set(['.html', '.js', '.css', '.json']);

/**
 * Writes another version of a static build.
 * @param {string} from folder of the first version
 * @param {string} to folder that does not exist yet
 */
export function writeNewVersion(from, to) {
	cpSync(from, to, { recursive: true });
	mkdirSync(join(to, '_app/next'));
	renameSync(join(to, '_app/immutable'), join(to, '_app/next/immutable'));
	/** @type {{ version: string }} */
	const { version } = JSON.parse(readFileSync(join(to, '_app/version.json'), 'utf8'));
	const rename = (/** @type {string} */ text) =>
		text.replaceAll('_app/immutable/', '_app/next/immutable/').replaceAll(version, `${version}1`);
	for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
		if (!textFiles.has(extname(name))) continue;
		const text = readFileSync(join(to, name), 'utf8');
		let renamed = rename(text);
		// The policy of a page has hashes of its scripts.
		for (const [, script = ''] of text.matchAll(/<script[^>]*>([^]*?)<\/script>/g))
			renamed = renamed.replaceAll(hashOf(script), hashOf(rename(script)));
		if (renamed !== text) writeFileSync(join(to, name), renamed);
	}
}

/** @param {string} script */
function hashOf(script) {
	return createHash('sha256').update(script).digest('base64');
}
