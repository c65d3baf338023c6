import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { paintFirst } from '#hosts/kit/paint-first.ts';

const end = `<script nonce="n">
	{
		__sveltekit_1 = { base: "" };
		Promise.all([
			import("/_app/immutable/entry/start.js"),
			import("/_app/immutable/entry/app.js")
		]).then(([kit, app]) => {
			kit.start(app, element, {});
		});
	}
</script>`;

test('the application is fetched after the paint, and all of its scripts together', () => {
	const { preload, transformPageChunk } = paintFirst();
	expect([
		preload({ type: 'js', path: '/_app/immutable/entry/start.js' }),
		preload({ type: 'js', path: '/_app/immutable/nodes/0.js' }),
		preload({ type: 'css', path: '/_app/immutable/assets/0.css' })
	]).toEqual([false, false, true]);
	const script = transformPageChunk({ html: end });
	const [waits = '', then = ''] = script.split('.then(() => Promise.all([');
	expect(waits).toContain('PerformanceObserver');
	expect(waits).toContain('["/_app/immutable/entry/start.js","/_app/immutable/nodes/0.js"]');
	expect(waits).not.toContain('import(');
	expect(then).toContain('import("/_app/immutable/entry/app.js")');
});

test('the ground of a page, painted before anything stands on it, is no paint yet', async () => {
	const { transformPageChunk } = paintFirst();
	const script = /<script[^>]*>([^]*)<\/script>/.exec(transformPageChunk({ html: end }))?.[1] ?? '';
	const fetched: string[] = [];
	let paint = (_name: string) => {};
	class PerformanceObserver {
		static supportedEntryTypes = ['paint'];
		constructor(told: (paints: object, observer: PerformanceObserver) => void) {
			paint = (painted) => told({ getEntriesByName: (name: string) => (name === painted ? [{}] : []) }, this);
		}
		observe() {}
		disconnect() {}
	}
	const load = (path: string) => {
		fetched.push(path);
		return new Promise(() => {});
	};
	const [document, nothing] = [{ hidden: false }, () => 0];
	const page = { PerformanceObserver, load, document, setTimeout: nothing, addEventListener: nothing };
	runInNewContext(script.replaceAll('import(', 'load('), page);
	paint('first-paint');
	await new Promise((resolve) => setImmediate(resolve));
	expect(fetched).toEqual([]);
	paint('first-contentful-paint');
	await expect.poll(() => fetched).toHaveLength(2);
});

test('a page without a script of the application is left as it is', () => {
	expect(paintFirst().transformPageChunk({ html: '<h1>Tollgate</h1>' })).toBe('<h1>Tollgate</h1>');
});
