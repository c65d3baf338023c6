import type { Page } from '@playwright/test';

/** The sum of the layout shifts of a page so far. */
export function layoutShift(page: Page): Promise<number> {
	return page.evaluate(
		() =>
			new Promise<number>((resolve) => {
				let sum = 0;
				new PerformanceObserver((list) => {
					for (const entry of list.getEntries()) if ('value' in entry) sum += Number(entry.value);
				}).observe({ type: 'layout-shift', buffered: true });
				requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(sum))));
			})
	);
}
