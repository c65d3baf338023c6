// Runs before anything else in each page of the static build. Until the service worker controls the page, the browser itself
// blocks every request that a script or form could send to the service. The page reloads once it is controlled (register.ts).
// It may read world.json, which is no part of the service.
(() => {
	// Requests for scripts and styles leave the site. They shall not contain the query of the page.
	const referrer = document.createElement('meta');
	referrer.name = 'referrer';
	referrer.content = 'strict-origin';
	document.head.append(referrer);
	const worker = new URL('%base%/service-worker.js', location.href).href;
	if ('serviceWorker' in navigator && navigator.serviceWorker.controller?.scriptURL === worker) return;
	const world = new URL('%base%/world.json', location.href).href;
	const policy = document.createElement('meta');
	policy.httpEquiv = 'Content-Security-Policy';
	policy.content = `connect-src ${world}; form-action 'none'`;
	document.head.append(policy);
})();
