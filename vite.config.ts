import { sveltekit } from '@sveltejs/kit/vite';
import type { UserConfig } from 'vite';
import { defineConfig } from 'vitest/config';
import { devHost } from './src/tooling/vite/dev-server.ts';
import { declarations } from './src/tooling/vite/declarations.ts';
import { browserBuild } from './src/tooling/vite/browser-build.ts';
import { stillIcons } from './src/tooling/vite/static-icons.ts';
import { docs } from './src/tooling/vite/docs.ts';

const isStatic = process.env.TOLLGATE_TARGET === 'static';

/** A program's own bundle for Node, apart from SvelteKit's. */
function programOf(entry: string, outDir: string): UserConfig {
	return {
		publicDir: false,
		ssr: { noExternal: true, external: ['@peculiar/x509'] },
		build: {
			ssr: true,
			rolldownOptions: { input: { main: entry } },
			outDir,
			target: 'node20',
			sourcemap: true
		}
	};
}

/** The package's entries, for other people's tests; whoever uses them brings MSW. */
const library: UserConfig = {
	publicDir: false,
	plugins: [declarations(import.meta.dirname, ['hosts/library/tollgate', 'hosts/library/msw'], 'build/library/types')],
	build: {
		lib: {
			entry: { tollgate: 'src/hosts/library/tollgate.ts', msw: 'src/hosts/library/msw.ts' },
			formats: ['es']
		},
		rolldownOptions: { external: ['msw'] },
		outDir: 'build/library',
		target: 'es2022',
		minify: false
	}
};

/** What `vite build --mode NAME` builds instead of the pages. */
const programs = new Map([
	['host', programOf('src/hosts/node/main.server.ts', 'build/host')],
	['companion', programOf('src/client/cli/main.server.ts', 'build/companion')],
	['library', library]
]);

/** What every page is made of, in two files instead of two dozen: a page's first load waits for round trips, not for bytes. */
const sharedChunks = [
	{ name: 'svelte', test: /node_modules\/(?:svelte|@sveltejs|clsx|esm-env|devalue)\//, priority: 2 },
	{
		name: 'ui',
		test: /src\/ui\/(?:shell\/(?!CommandPalette|KeyboardShortcuts)|controls|display|overlays|flow|gauges)/,
		priority: 1
	}
];

/**
 * Chromium's hint to compile a whole file beside the main thread, since its page calls nearly all of it at once. What every
 * page shares is called in part only.
 */
function postBanner({ name }: { name: string }): string {
	return sharedChunks.some((shared) => shared.name === name) ? '' : '//# allFunctionsCalledOnLoad';
}

export default defineConfig(
	({ mode }) =>
		programs.get(mode) ?? {
			plugins: [
				stillIcons(),
				docs(import.meta.dirname),
				sveltekit(),
				browserBuild(isStatic),
				devHost(import.meta.dirname)
			],
			environments: {
				client: { build: { rolldownOptions: { output: { codeSplitting: { groups: sharedChunks }, postBanner } } } }
			},
			build: { cssTarget: ['chrome123', 'safari17.5', 'firefox128'] },
			// What is built is run as it was built.
			// A slow machine fails no test: the times only end what hangs.
			test: {
				include: ['tests/**/*.test.ts'],
				maxWorkers: '100%', // by default one core is left idle, of two
				testTimeout: 120_000,
				hookTimeout: 180_000,
				expect: { poll: { timeout: 60_000 } },
				server: { deps: { external: [/\/build\//] } }
			}
		}
);
