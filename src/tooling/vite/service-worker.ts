import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import * as v from 'valibot';
import type { Plugin } from 'vite';
import { removeTexts } from '../remove-texts.js';

const source = '\0service-worker-files';
/** What SvelteKit writes apart from pages. */
const versionFile = v.object({ version: v.string() });

/**
 * Vite plugin for the service worker: `$service-worker` names the files that were built, and the declarations lose the texts that the
 * service does not read. It works on modules, so that the schemas of what is removed go as well. SvelteKit's own build of service
 * workers takes no plugins.
 * @param folder the built static files
 */
export function serviceWorker(folder: string): Plugin {
	return {
		name: 'tollgate-service-worker',
		enforce: 'post',
		resolveId: {
			filter: { id: /^\$service-worker$/ },
			order: 'pre',
			handler: () => source
		},
		load: {
			filter: { id: /service-worker-files$/ },
			handler() {
				const all = readdirSync(folder, { recursive: true, withFileTypes: true })
					.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
					.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).split(sep).join('/'));
				const isBuilt = (path: string) => path.startsWith('/_app/immutable/');
				const isStatic = new Set(readdirSync('static').map((name) => `/${name}`));
				const { version } = v.parse(versionFile, JSON.parse(readFileSync(join(folder, '_app/version.json'), 'utf8')));
				const listOf = (paths: readonly string[]) => `${JSON.stringify(paths.toSorted())}.map((path) => base + path)`;
				return `const base = new URL('.', location.href).pathname.slice(0, -1);
					export const build = ${listOf(all.filter(isBuilt))};
					export const files = ${listOf(all.filter((path) => isStatic.has(path)))};
					export const version = ${JSON.stringify(version)};`;
			}
		},
		transform: {
			filter: { id: /\/src\/(?:api|service)\/.*\.ts$/ },
			handler: (code) => ({ code: removeTexts(code), map: null })
		}
	};
}
