import { version } from '$app/environment';
import { base } from '$app/paths';
import { browserHost } from '#hosts/browser/boot.ts';
import { guardNetwork } from '#hosts/browser/guard.ts';
import type { ClientInit } from '@sveltejs/kit';

if (__BROWSER_HOST__) guardNetwork({ base, version });

/** The longest that a page may take to show something before the service starts all the same, in milliseconds. */
const longestWait = 3000;

/** Where there is no server the service starts once the page shows something, or when it is first asked: what asks it, waits. */
export const init: ClientInit = () => {
	if (!__BROWSER_HOST__) return;
	const start = () => void browserHost({ base, version });
	const painted = new PerformanceObserver((list) => {
		if (list.getEntriesByName('first-contentful-paint').length > 0) start();
	});
	painted.observe({ type: 'paint', buffered: true });
	setTimeout(start, longestWait);
};
