// Offers the cases in a page of Chromium, whose requests reach the service worker through the browser. Only the nightly tests run them here.
import { offerCases } from './chromium-cases.ts';

const { serviceWorker } = navigator;
await serviceWorker.register('/chromium-worker.js', { type: 'module' });
if (serviceWorker.controller === null) {
	await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}
offerCases(fetch, true);
