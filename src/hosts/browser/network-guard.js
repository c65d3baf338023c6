// Runs before anything else in each page of the static build. Until the service worker controls the page, the browser itself
// blocks every request that a script or form could send to the service. The page reloads once it is controlled (register.ts).
// It may read world.json and the exercises of instructors, which are no part of the service.
(() => {
	// Requests for scripts and styles leave the site. They shall not contain the query of the page.
	const referrer = document.createElement('meta');
	referrer.name = 'referrer';
	referrer.content = 'strict-origin';
	document.head.append(referrer);

	const home = new URL('%base%/', location.href).href;
	const worker = `${home}service-worker.js`;
	const world = `${home}world.json`;
	const lessons = `${home}_app/lessons.json`;
	const isControlled = () => 'serviceWorker' in navigator && navigator.serviceWorker.controller?.scriptURL === worker;
	const block = () => {
		const policy = document.createElement('meta');
		policy.httpEquiv = 'Content-Security-Policy';
		policy.content = `connect-src ${world} ${lessons}; form-action 'none'`;
		document.head.append(policy);
	};
	if (isControlled()) {
		// The browser may delete the worker while the page is open: from then on its requests would reach the network.
		navigator.serviceWorker.addEventListener('controllerchange', () => isControlled() || block());
		// A worker responds to this kind of request. Without one, the browser looks into its cache only, never into the network.
		const { fetch, Request } = globalThis;
		globalThis.fetch = (input, init) => {
			const { href } = new URL(input instanceof Request ? input.url : input, location.href);
			const isOwn = href.startsWith(home) && href !== world && !href.startsWith(`${home}_app/`);
			return fetch(input, isOwn ? { ...init, cache: 'only-if-cached', mode: 'same-origin' } : init);
		};
	} else block();

	// Scripts that cannot be loaded leave a blank page: those of an earlier version are gone, or the network was cut. The newest
	// document may help, but only once: it must not reload without end.
	const reloaded = 'tollgate-loaded-again';
	const recover = () => {
		const app = document.getElementById('app');
		if (app === null || app.querySelector(':scope > :not(script)') !== null) return;
		let last = Date.now();
		try {
			last = Number(sessionStorage.getItem(reloaded) ?? 0);
			sessionStorage.setItem(reloaded, String(Date.now()));
		} catch {
			// Storage is blocked: the message is shown at once.
		}
		if (Date.now() - last > 60_000) {
			location.reload();
			return;
		}
		const message = document.createElement('main');
		message.style.cssText =
			'max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif';
		message.innerHTML =
			'<h1>This page could not be loaded</h1><p>Some of its files could not be downloaded. Check the network, then <a href="">reload the page</a>.</p>';
		app.append(message);
	};
	addEventListener('unhandledrejection', recover);

	// The page is blank until its scripts have run, which takes a while on a slow network.
	const style = document.createElement('style');
	style.textContent =
		"@keyframes wait { from { opacity: 0 } } #app:not(:has(> :not(script)))::before, #app:not(:has(> :not(script)))::after { content: 'Loading…'; display: block; padding: 4rem 1rem 0; text-align: center; font: 1rem system-ui, sans-serif; animation: wait 0s 1s both } #app:not(:has(> :not(script)))::after { content: 'This takes longer than usual. Check the network, then reload the page.'; animation-delay: 20s }";
	document.head.append(style);
})();
