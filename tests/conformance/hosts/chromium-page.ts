// Runs the cases in a page of Chromium, whose requests the browser gives to the service worker. That is the slow way.
import { offerCases } from './chromium-cases.ts';

const { serviceWorker } = navigator;
await serviceWorker.register('/chromium-worker.js', { type: 'module' });
if (serviceWorker.controller === null) {
	await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}
offerCases(fetch, true);
