// The only script of the service's pages: the chosen theme (see src/features/shell/theme.svelte.ts), and buttons that copy text.
// It runs before the first paint. The pages also work without it.
try {
	const choice = localStorage.getItem('tollgate:theme');
	if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice;
} catch {
	// Storage is blocked: the system theme applies.
}

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
