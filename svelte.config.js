import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import fallback from '@sveltejs/adapter-static';
import { build, minifySync } from 'vite';
import { utilities } from './src/tooling/utilities.js';
import { compressFolder, quality } from './src/tooling/compress-folder.js';
import { basePlaceholder, headPlaceholder } from './src/tooling/write-static.js';

const isStatic = process.env.TOLLGATE_TARGET === 'static';
/** The path of the base URL. */
const base = isStatic ? basePlaceholder : '';

/**
 * The hash that allows the inline script in app.html.
 * @returns {`sha256-${string}`}
 */
function inlineScript() {
	const [, script = ''] =
		/<script>([^]*?)<\/script>/.exec(readFileSync(new URL('src/app.html', import.meta.url), 'utf8')) ?? [];
	return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/**
 * Static files: prerendered pages, and one page that starts the app at any other URL. Static hosts look for it under both names.
 * Each page begins with the network guard.
 * @returns {import('@sveltejs/kit').Adapter}
 */
function staticFiles() {
	const folder = 'build/static-template';
	const { name, adapt } = fallback({ pages: folder, assets: folder, fallback: '404.html' });
	return {
		name,
		async adapt(builder) {
			await adapt(builder);
			const page = readFileSync(`${folder}/404.html`, 'utf8').replace('</head>', `${headPlaceholder}</head>`);
			for (const name of ['404', 'index']) writeFileSync(`${folder}/${name}.html`, page);
			const guard = readFileSync(new URL('src/hosts/browser/network-guard.js', import.meta.url), 'utf8');
			// Every visit downloads it.
			const { code } = minifySync('network-guard.js', guard);
			const script = `<head><script>${code.replaceAll('%base%', base)}</script>`;
			for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
				if (!file.endsWith('.html')) continue;
				writeFileSync(
					`${folder}/${file}`,
					readFileSync(`${folder}/${file}`, 'utf8').replace('<head>', () => script)
				);
			}
			await build({ mode: 'service-worker', logLevel: 'warn' });
			// What the service begins with. The owner of the site may replace it.
			writeFileSync(`${folder}/world.json`, '{ "format": "tollgate-world", "version": 1 }\n');
			// GitHub Pages leaves out names that begin with an underscore, unless this file exists.
			writeFileSync(`${folder}/.nojekyll`, '');
		}
	};
}

/**
 * The pages for the node host, which serves their files and loads SvelteKit's server as Vite has built it.
 * @returns {import('@sveltejs/kit').Adapter}
 */
function nodeHost() {
	const folder = 'build/kit';
	return {
		name: 'tollgate-node',
		async adapt(builder) {
			builder.rimraf(folder);
			builder.writeClient(`${folder}/client`);
			builder.writePrerendered(`${folder}/client`);
			builder.writeServer(`${folder}/server`);
			await compressFolder(`${folder}/client`, quality.fast);
			const parts = { Server: 'index', manifest: 'manifest' };
			const lines = Object.entries(parts).map(([name, file]) => `export { ${name} } from './server/${file}.js';\n`);
			writeFileSync(`${folder}/server.js`, lines.join(''));
		}
	};
}

/** @type {import('@sveltejs/kit').Config} */
export default {
	preprocess: utilities(),
	// Short names of the classes of components, which pages repeat a thousand times. Five digits of base 36 are 60 million names.
	compilerOptions: { cssHash: ({ hash, filename }) => `s-${hash(filename).slice(-5)}` },
	kit: {
		adapter: isStatic ? staticFiles() : nodeHost(),
		// The two builds do not share output. Only the static build has a service worker.
		...(isStatic ? { outDir: '.svelte-kit/static' } : {}),
		// Styles are inlined, so that the first paint does not wait for them.
		inlineStyleThreshold: 40_000,
		serviceWorker: { register: false },
		paths: { base, relative: false },
		// The documentation names its pages itself; a crawler would call the service.
		prerender: { crawl: false },
		// For the app's pages. The service's pages have a policy of their own. Gauges and diagrams use style attributes.
		csp: {
			mode: 'hash', // a nonce would differ in each response, and pages are rendered once
			directives: {
				'default-src': ['self'],
				'script-src': ['self', inlineScript()],
				'style-src': ['self', 'unsafe-inline'],
				'img-src': ['self', 'data:'],
				// The style sheet of service pages, which the studio shows in a frame.
				'font-src': ['self', 'data:'],
				'object-src': ['none'],
				'base-uri': ['none'],
				'form-action': ['self'],
				'frame-ancestors': ['none']
			}
		},
		// The service's forms carry a CSRF token, and its token endpoint accepts forms from any client.
		csrf: { trustedOrigins: ['*'] }
	}
};
