import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** MSW keeps the public suffix list to judge cookies by, 298 kB of it: for one origin its own host name says the same. */
const suffixes = 'tldts';
const mswScript = 'mockServiceWorker.js';

/**
 * Vite's plugin for the build that has no server: tells the application's code which of the two builds it is in
 * (`__BROWSER_HOST__`), puts MSW's script beside our worker, and what guards the network before the application has come. In the other build the name is false, and nothing is added.
 */
export function browserBuild(isStatic: boolean): Plugin {
	return {
		name: 'tollgate-browser-build',
		enforce: 'pre',
		config: () => ({ define: { __BROWSER_HOST__: JSON.stringify(isStatic) } }),
		resolveId: (id) => (isStatic && id === suffixes ? `\0${suffixes}` : null),
		load: (id) => (id === `\0${suffixes}` ? 'export const getDomain = (host) => host;' : null),
		generateBundle() {
			if (!isStatic || this.environment.name !== 'client') return;
			const path = createRequire(import.meta.url).resolve(`msw/${mswScript}`);
			this.emitFile({ type: 'asset', fileName: mswScript, source: readFileSync(path) });
			const early = new URL('#hosts/browser/early.js', import.meta.url);
			this.emitFile({ type: 'asset', fileName: 'early.js', source: readFileSync(early) });
		}
	};
}
