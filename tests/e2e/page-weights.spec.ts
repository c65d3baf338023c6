import { expect, test } from './fixtures.ts';

/** The most bytes that a first visit transfers, with the documents, fonts and workers. */
const limits = { '/limits': 320_000, '/inspector': 285_000, '/learn': 215_000 };

for (const [path, most] of Object.entries(limits))
	test(`a first visit of ${path} costs less than ${most / 1000} kB`, async ({ page }) => {
		// The limits of a page are computed by a worker, which is the last file that it loads.
		const isLoaded = path === '/limits' ? page.waitForEvent('worker') : undefined;
		await page.goto(path, { waitUntil: 'load' });
		await isLoaded;
		const transferred = () =>
			page.evaluate(() =>
				[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].reduce(
					(sum, entry) => sum + (entry instanceof PerformanceResourceTiming ? entry.transferSize : 0),
					0
				)
			);
		let bytes = 0;
		const isStill = async () => bytes === (bytes = await transferred());
		await expect.poll(isStill, { intervals: [1000] }).toBe(true);
		console.log(`${path}: ${bytes} bytes`);
		expect(bytes).toBeLessThan(most);
	});
