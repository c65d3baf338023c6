import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from './fixtures.ts';

/** The most bytes that a first visit transfers, with the documents, fonts and workers. */
const limits = { '/limits': 320_000, '/inspector': 285_000, '/learn': 215_000 };
/** The files of the pages. */
const files = join(import.meta.dirname, '../../build/kit/client');

/** The bytes of a script or style sheet in the package, which has them in the best quality of Brotli. */
const packed = (path: string) => brotliCompressSync(readFileSync(join(files, path))).length;

for (const [path, most] of Object.entries(limits))
	test(`a first visit of ${path} costs less than ${most / 1000} kB`, async ({ page }) => {
		// The limits of a page are computed by a worker, which is the last file that it loads.
		const isLoaded = path === '/limits' ? page.waitForEvent('worker') : undefined;
		await page.goto(path, { waitUntil: 'load' });
		await isLoaded;
		const transferred = () =>
			page.evaluate(() =>
				[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].flatMap((entry) =>
					entry instanceof PerformanceResourceTiming && entry.transferSize > 0
						? { path: new URL(entry.name).pathname, size: entry.transferSize, body: entry.encodedBodySize }
						: []
				)
			);
		let count = 0;
		const isStill = async () => count === (count = (await transferred()).length);
		await expect.poll(isStill, { intervals: [1000] }).toBe(true);
		const bytes = (await transferred())
			.map(({ path, size, body }) => (/\.(?:js|css)$/.test(path) ? size - body + packed(path) : size))
			.reduce((sum, size) => sum + size, 0);
		console.log(`${path}: ${bytes} bytes`);
		expect(bytes).toBeLessThan(most);
	});
