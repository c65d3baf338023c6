// The script of the service's pages: the chosen theme (see src/features/shell/theme.svelte.ts), buttons that copy text, the form of a response to an application, and the panel of
// a guided demo while one runs in this tab. It runs before the first paint. The pages also work without it.
try {
	const choice = localStorage.getItem('tollgate:theme');
	if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
} catch {
	// Storage is blocked: the system theme applies.
}

const guide = new URL('guide.js', document.currentScript.src).href;
addEventListener('DOMContentLoaded', () => {
	try {
		if (sessionStorage.getItem('tollgate:guide') !== null) void import(guide);
	} catch {
		// Storage is blocked: no demo runs.
	}
});

addEventListener('DOMContentLoaded', () => document.querySelector('form[data-submit]')?.submit());

addEventListener('click', async ({ target }) => {
	const button = target.closest('[data-copy]');
	if (button === null) return;
	try {
		await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
		button.textContent = 'Copied';
	} catch {
		button.textContent = 'Select the text and copy it';
	}
});

// A service worker that was only unregistered still controls this page of the static build, but not the next one: a form would reach
// the network. So the page starts the service again in place of it.
const { serviceWorker } = navigator;
const scope = new URL('.', document.currentScript.src).href;
let isRegistered = false;
addEventListener('submit', async (event) => {
	if (isRegistered || !serviceWorker?.controller) return;
	event.preventDefault();
	const registration = await serviceWorker.getRegistration();
	isRegistered = registration?.scope === scope;
	if (isRegistered) event.target.requestSubmit(event.submitter);
	else location.reload();
	isRegistered = false;
});

// The service worker of the static build was deleted. A form would now reach the network, so the page starts the service again.
serviceWorker?.addEventListener('controllerchange', () => {
	if (serviceWorker.controller === null) location.reload();
});
