import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Plugin } from 'vite';
import { importSource } from '../import-source.js';
import { removeEndpointTexts } from '../remove-texts.js';
import type * as demo from './demo-world.ts';

/**
 * Vite plugin that tells the code whether this is the static build (`__BROWSER_HOST__`), its pages what the demo world is
 * (`__DEMO_WORLD__`), and the service worker which paths are pages of the app (`__APP_PAGES__`, a pattern).
 * @param isStatic true for the static build
 * @param root the project's folder
 */
export function browserBuild(isStatic: boolean, root = process.cwd()): Plugin {
	return {
		name: 'tollgate-browser-build',
		config: async () => ({
			define: {
				__BROWSER_HOST__: JSON.stringify(isStatic),
				__DEMO_WORLD__: JSON.stringify(isStatic ? await demoWorld(root) : null),
				__APP_PAGES__: JSON.stringify(pagePattern('src/routes'))
			}
		})
	};
}

/** Vite plugin that leaves the texts of endpoints out of pages: 60 kB of declarations whose schemas and limits pages use. */
export function withoutEndpointTexts(): Plugin {
	return {
		name: 'tollgate-endpoint-texts',
		apply: 'build',
		enforce: 'post',
		applyToEnvironment: ({ config }) => config.consumer === 'client',
		transform: {
			filter: { id: /\/src\/api\/.*\.ts$/ },
			handler: (code) => ({ code: removeEndpointTexts(code), map: null })
		}
	};
}

/** What every visitor may know of the demo world. Its module reads files of src/content, which the configuration of Vite cannot. */
async function demoWorld(root: string) {
	const { module } = await importSource<typeof demo>(root, 'src/tooling/vite/demo-world.ts');
	return module.demoWorld();
}

/** A pattern that matches the paths of SvelteKit's pages, with and without a trailing slash. */
function pagePattern(folder: string): string {
	const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => /(?:^|\/)\+page\.svelte$/.test(file))
		.map((file) => dirname(file).split('/').map(segmentPattern).join(''));
	return `^(?:${pages.join('|')})/?$`;
}

function segmentPattern(segment: string): string {
	if (segment === '.' || /^\(.+\)$/.test(segment)) return '';
	if (/^\[\.\.\..+\]$/.test(segment)) return '(?:/.*)?';
	if (/^\[\[.+\]\]$/.test(segment)) return '(?:/[^/]+)?';
	return /^\[.+\]$/.test(segment) ? '/[^/]+' : `/${segment.replaceAll('.', '\\.')}`;
}
