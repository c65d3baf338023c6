import { sveltekit } from '@sveltejs/kit/vite';
import { defineConfig, type UserConfig } from 'vite';
import type {} from 'vitest/config';
import { browserBuild, withoutEndpointTexts } from './src/tooling/vite/browser-build.ts';
import type * as declarations from './src/tooling/vite/declarations.ts';
import { devServer } from './src/tooling/vite/dev-server.ts';
import { docs } from './src/tooling/vite/docs.ts';
import { fonts } from './src/tooling/vite/fonts.ts';
import { icons } from './src/tooling/vite/icons.ts';
import { contentFiles, importSource, utilityStyles } from './src/tooling/vite/loaded-once.js';
import { onDemandChunks, pageChunks } from './src/tooling/vite/page-chunks.ts';
import { firstVisit } from './src/tooling/vite/minify-again.ts';
import { serviceWorker } from './src/tooling/vite/service-worker.ts';

const content = () => contentFiles(import.meta.dirname, importSource);
const isStatic = process.env.TOLLGATE_TARGET === 'static';

/** Everything is bundled but a package with native code. */
const bundled = { noExternal: true as const, external: ['classic-level'] };

/** A Node program, bundled apart from SvelteKit. */
function nodeProgram(input: Record<string, string>, outDir: string): UserConfig {
	return {
		publicDir: false,
		plugins: [content()],
		ssr: bundled,
		build: { ssr: true, rolldownOptions: { input }, outDir, target: 'node20' }
	};
}

/** What users of the npm package import: `tollgate`, `tollgate/msw`, `tollgate/playwright`, `tollgate/exam`. */
const libraryEntries = ['tollgate', 'msw', 'playwright', 'exam'];

/** The npm package. Its users install MSW and Playwright themselves. */
const library: UserConfig = {
	publicDir: false,
	plugins: [
		content(),
		{
			name: 'tollgate-declarations',
			// TypeScript is not installed where only the pages are built.
			async closeBundle() {
				const path = 'src/tooling/vite/declarations.ts';
				const { module } = await importSource<typeof declarations>(import.meta.dirname, path);
				const entries = libraryEntries.map((name) => `hosts/library/${name}`);
				module.writeDeclarations(import.meta.dirname, entries, 'build/library/types');
			}
		}
	],
	build: {
		lib: {
			entry: Object.fromEntries(libraryEntries.map((name) => [name, `src/hosts/library/${name}.ts`])),
			formats: ['es']
		},
		rolldownOptions: { external: ['msw'] },
		outDir: 'build/library',
		target: 'es2022',
		minify: false
	}
};

/** The server, and the program of the package. */
const hostPrograms = {
	main: 'src/hosts/node/main.server.ts',
	tollgate: 'src/tooling/program/tollgate.ts',
	/** What `tollgate watch` loads into the process of a client. */
	'watch-hook': 'src/tooling/program/watch/watch-hook.ts',
	/** What `tollgate as` loads into Node programs. */
	'route-hosts': 'src/tooling/program/as/route-hosts.js'
};

/** The service worker of the static build, whose adapter builds it when all other files are there. */
const serviceWorkerBuild: UserConfig = {
	publicDir: false,
	plugins: [content(), browserBuild(true), serviceWorker('build/static-template')],
	build: {
		rolldownOptions: {
			input: { 'service-worker': 'src/hosts/browser/service-worker.ts' },
			output: { entryFileNames: '[name].js', codeSplitting: false },
			// Unused schemas are left out, also where they are made of parts of others.
			treeshake: { propertyReadSideEffects: false, propertyWriteSideEffects: 'always' }
		},
		outDir: 'build/static-template',
		emptyOutDir: false,
		modulePreload: false
	}
};

/** What `vite build --mode NAME` builds instead of the pages. */
const modes = new Map([
	['host', nodeProgram(hostPrograms, 'build/host')],
	['cli', nodeProgram({ main: 'src/client/cli/main.server.ts' }, 'build/cli')],
	['library', library],
	['service-worker', serviceWorkerBuild]
]);

/** Tests that run a build. They have a project of their own, so that the others start without one. */
const testsOfBuilds = [
	'tests/conformance/{fuzz,kit}.test.ts',
	'tests/hosts/kit/{built,foreign-words}.test.ts',
	'tests/hosts/node/start.test.ts',
	'tests/library/*.test.ts',
	'tests/features/docs/{curl-walk,exam-example,playwright-example}.test.ts'
];
const nightlyTests = 'tests/nightly/*.test.ts';
/** Parts of `npm run test:nightly`, each under 20 minutes. `npm run test:nightly -- --project exam` runs one. */
const nightlyParts = {
	exam: ['tests/nightly/exam-{good,mutants}.test.ts'],
	'exam-standard': ['tests/nightly/exam-{standard,conditions}.test.ts'],
	'exam-hosts': ['tests/nightly/{exam-hosts,exam-restart,rules-speed,agent-mutants}.test.ts'],
	languages: ['tests/nightly/languages.test.ts', 'tests/features/console/snippets.test.ts'],
	clients: ['tests/nightly/*{client,import}*.test.ts', 'tests/nightly/lessons.test.ts'],
	stores: ['tests/nightly/{*disk,redis*,crash,many-sandboxes}.test.ts'],
	pages: ['tests/nightly/pages.test.ts'],
	mutations: ['tests/nightly/mutations.test.ts'],
	journeys: ['tests/nightly/journeys.test.ts'],
	browsers: ['tests/nightly/{*chromium,*browsers,*tabs}.test.ts'],
	write: ['tests/nightly/{hostile-programs,written-clients}.test.ts'],
	/** Each host runs all cases, in place of those that it can change and a tenth of the others. */
	conformance: ['tests/conformance/{kit,node,msw-node,replicas,chromium}.test.ts']
};
/** Parts by a virtual clock: nothing is measured, so two files run at a time. */
const parallelParts = ['exam', 'exam-standard'];
/** Folders of tests that draw values: the same ones in `npm test` (`tests/run/setup.js`), others each night. */
const drawnTests = 'tests/{api,evidence,features/{inspector,viewer},lib,service,store,ui}/**/*.test.ts';
const nightlyPatterns = Object.values(nightlyParts).flat();
/** Tests that the nightly run repeats with more runs. */
const repeatedTests = [
	'tests/service/control/snapshot-fuzz.test.ts',
	'tests/service/secrets.test.ts',
	'tests/service/provider-odd-requests.test.ts',
	'tests/course/lessons/any-order.test.ts',
	'tests/course/labs/labs.test.ts',
	'tests/evidence/back-off.test.ts'
];

/** `npm run test:nightly` runs the long tests (`--mode nightly`), `npm test` all others. */
function testProjects(mode: string) {
	const globalSetup = 'tests/run/vitest-setup.js';
	if (mode === 'nightly') {
		const part = (name: string, include: string[], exclude: string[] = []) => ({
			extends: true as const,
			test: {
				name,
				include,
				exclude,
				globalSetup: 'tests/nightly/setup.ts',
				// Others run one file at a time: several of them start browsers or measure.
				maxWorkers: parallelParts.includes(name) ? 2 : 1,
				// Of tests that are concurrent.
				maxConcurrency: 4,
				testTimeout: 300_000,
				hookTimeout: 300_000
			}
		});
		return [
			...Object.entries(nightlyParts).map(([name, include]) => part(name, include)),
			part('drawn', [drawnTests], [...repeatedTests, ...testsOfBuilds]),
			part('service', [nightlyTests, ...repeatedTests], nightlyPatterns)
		];
	}
	const exclude = [...testsOfBuilds, nightlyTests];
	return [
		{
			extends: true as const,
			test: {
				name: 'source',
				include: ['tests/**/*.test.ts'],
				exclude,
				// One module graph for all files of a worker saves a third of their processor time.
				isolate: false,
				// Threads need less processor time than processes.
				pool: 'threads',
				setupFiles: 'tests/run/setup.js',
				restoreMocks: true,
				unstubEnvs: true,
				// Programs of visitors import it as a text, which Node cannot load.
				server: { deps: { inline: [/oauth4webapi.*\?raw/] } }
			}
		},
		{ extends: true as const, test: { name: 'build', include: testsOfBuilds, globalSetup } }
	];
}

export default defineConfig(
	({ command, mode, isSsrBuild }) =>
		modes.get(mode) ?? {
			plugins: [
				content(),
				docs(import.meta.dirname),
				fonts(import.meta.dirname),
				icons(),
				utilityStyles(),
				sveltekit(),
				onDemandChunks(),
				browserBuild(isStatic),
				withoutEndpointTexts(),
				firstVisit(),
				devServer(import.meta.dirname)
			],
			// The server runs without the packages that only the build needs.
			...(command === 'build' && { ssr: bundled }),
			worker: {
				format: 'es',
				plugins: () => [content(), browserBuild(isStatic), withoutEndpointTexts()],
				// Vite leaves thousands of `/* @__PURE__ */` in a worker.
				rolldownOptions: { output: { comments: { annotation: false } } }
			},
			build: {
				cssTarget: ['chrome123', 'safari17.5', 'firefox128'],
				// Not one file for each combination of pages.
				...(isSsrBuild === true
					? {}
					: { rolldownOptions: { output: { codeSplitting: { groups: pageChunks(import.meta.dirname) } } } })
			},
			test: {
				maxWorkers: 4, // for two cores: many tests wait for a server or a clock
				// A machine that runs many times slower than usual still passes.
				testTimeout: 120_000,
				hookTimeout: 120_000,
				expect: { poll: { timeout: 10_000 } },
				// A build runs as it is, without Vite in between.
				server: { deps: { external: [/\/build\//] } },
				projects: testProjects(mode)
			}
		}
);
