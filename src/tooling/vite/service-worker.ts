import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import * as v from 'valibot';
import type { Plugin } from 'vite';
import { isAhead, offlineFilesPath, type OfflineFiles } from '#hosts/browser/offline-files.ts';
import { providerFilesPath, type ProviderFilesOfVersion } from '#hosts/browser/load-providers.ts';
import { removeTexts } from '../remove-texts.js';
import { readProviders } from './content.js';
import { minifyAgain } from './minify-again.ts';

const source = '\0service-worker-version';
/** What SvelteKit writes apart from pages. */
const versionFile = v.object({ version: v.string() });

/**
 * Vite plugin for the service worker: `$service-worker` has the version, a file beside the worker lists what it keeps for use offline,
 * another one has the files of the simulated providers, and the declarations lose the texts that the service does not read. It works on
 * modules, so that the schemas of what is removed go as well. SvelteKit's own build of service workers takes no plugins.
 * @param folder the built static files
 */
export function serviceWorker(folder: string): Plugin {
	const readVersion = () =>
		v.parse(versionFile, JSON.parse(readFileSync(join(folder, '_app/version.json'), 'utf8'))).version;
	return {
		name: 'tollgate-service-worker',
		enforce: 'post',
		resolveId: {
			filter: { id: /^\$service-worker$/ },
			order: 'pre',
			handler: () => source
		},
		load: {
			filter: { id: /service-worker-version$|\/src\/service\/provider\/provider-files\.ts$/ },
			handler: (id) =>
				id === source
					? `export const version = ${JSON.stringify(readVersion())};`
					: 'export const providerFiles = undefined;'
		},
		async generateBundle(_, bundle) {
			for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = await minifyAgain(file.code);
			const isOfWorker = new Set([
				'/program-frame.html',
				'/service.css',
				...readdirSync('static').map((name) => `/${name}`)
			]);
			const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
				.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length).split(sep).join('/'))
				.filter((path) => (path.startsWith('/_app/immutable/') || isOfWorker.has(path)) && isAhead(path))
				.toSorted();
			const list: OfflineFiles = { version: readVersion(), paths };
			const providers: ProviderFilesOfVersion = {
				version: readVersion(),
				files: readProviders('src/content/providers')
			};
			for (const [path, content] of [
				[offlineFilesPath, list],
				[providerFilesPath, providers]
			] as const)
				this.emitFile({ type: 'asset', fileName: path.slice(1), source: JSON.stringify(content) });
		},
		transform: {
			filter: { id: /\/src\/(?:api|service)\/.*\.ts$/ },
			handler: (code) => ({ code: removeTexts(code), map: null })
		}
	};
}
