import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import node from '@sveltejs/adapter-node';
import fallback from '@sveltejs/adapter-static';
import { vitePreprocess } from '@sveltejs/vite-plugin-svelte';

const isStatic = process.env.TOLLGATE_TARGET === 'static';
const base = basePath(process.env.TOLLGATE_BASE ?? '');

/**
 * The path below which the application stands: empty, or with a leading slash and none at the end.
 * @param {string} value
 * @returns {'' | `/${string}`}
 */
function basePath(value) {
	const path = value.replace(/^\/|\/$/g, '');
	return path === '' ? '' : `/${path}`;
}

/**
 * The hash under which the one script in app.html may run: it sets the theme before the first paint.
 * @returns {`sha256-${string}`}
 */
function themeScript() {
	const [, script = ''] =
		/<script>([^]*?)<\/script>/.exec(readFileSync(new URL('src/app.html', import.meta.url), 'utf8')) ?? [];
	return `sha256-${createHash('sha256').update(script).digest('base64')}`;
}

/**
 * Static files: one page that shows every address, under both names by which hosts look for it.
 * @returns {import('@sveltejs/kit').Adapter}
 */
function staticFiles() {
	const folder = process.env.TOLLGATE_OUT ?? 'build/static';
	const { name, adapt } = fallback({ pages: folder, assets: folder, fallback: '404.html' });
	return {
		name,
		async adapt(builder) {
			await adapt(builder);
			const page = readFileSync(`${folder}/404.html`, 'utf8');
			const early = `<head>\n\t\t<script src="${base}/early.js"></script>`;
			// GitHub Pages would leave out what begins with an underscore.
			writeFileSync(`${folder}/.nojekyll`, '');
			for (const file of ['404.html', 'index.html']) writeFileSync(`${folder}/${file}`, page.replace('<head>', early));
		}
	};
}

/** @type {import('@sveltejs/kit').Config} */
export default {
	preprocess: vitePreprocess(),
	kit: {
		adapter: isStatic ? staticFiles() : node({ out: 'build/kit' }),
		// The two builds don't touch each other's output; only the one without a server has a worker.
		...(isStatic ? { outDir: '.svelte-kit/static', files: { serviceWorker: 'src/hosts/browser/service-worker' } } : {}),
		// Styles stand in the page itself, packed with it: nothing keeps the first paint waiting.
		inlineStyleThreshold: 40_000,
		serviceWorker: { register: false },
		paths: { base, relative: false },
		// The documentation names its pages itself; a crawler would call the service.
		prerender: { crawl: false },
		// For pages; the service's own documents come with a policy of their own. Styles may stand in attributes (gauges, diagrams).
		csp: {
			mode: 'auto',
			directives: {
				'default-src': ['self'],
				'script-src': ['self', themeScript()],
				'style-src': ['self', 'unsafe-inline'],
				'img-src': ['self', 'data:'],
				'object-src': ['none'],
				'base-uri': ['none'],
				'form-action': ['self'],
				'frame-ancestors': ['none']
			}
		},
		// The service's forms carry their own proof, and its token endpoint takes forms from any program (design, fact 1).
		csrf: { trustedOrigins: ['*'] }
	}
};
