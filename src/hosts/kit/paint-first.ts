/** Kit's own line that fetches the application, in the script at the end of each page. */
const begin = /Promise\.all\(\[\s*import\("[^"]+"\),\s*import\("[^"]+"\)\s*\]\)/;

/** The longest that the application waits for the first paint, in milliseconds: a page may never be painted. */
const longestWait = 1000;

/**
 * Resolves in the browser once the page shows something (its empty ground, painted alone, is nothing yet), at once where
 * nobody looks at it.
 * @param scripts to fetch then, all together: none waits for another to name it
 */
function painted(scripts: readonly string[]): string {
	return `new Promise((go) => {
						if (document.hidden || !PerformanceObserver.supportedEntryTypes.includes('paint')) return go();
						new PerformanceObserver((paints, observer) => {
							if (paints.getEntriesByName('first-contentful-paint').length > 0) go(observer.disconnect());
						}).observe({ type: 'paint', buffered: true });
						setTimeout(go, ${longestWait});
					}).then(() => {
						for (const href of ${JSON.stringify(scripts)}) {
							document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
						}
					})`;
}

/**
 * Marks the button that was pressed last in a part of the page that is not taken up yet: `Later.svelte` presses it again then.
 * What works without a script (links, forms, fields, `popovertarget`) needs none of it.
 */
const remember = `addEventListener('click', ({ target }) => {
						const pressed = target.closest('[data-waits] button:not([popovertarget])');
						if (pressed === null) return;
						document.querySelector('[data-pressed]')?.removeAttribute('data-pressed');
						pressed.dataset.pressed = '';
					}, true);`;

/**
 * Lets a page be painted before its scripts are asked for: it is whole without them, and they compete with its first paint
 * for the connection and for the processor. What SvelteKit is given to resolve a page with; for one page only.
 */
export function paintFirst() {
	const scripts: string[] = [];
	return {
		preload({ type, path }: { type: 'js' | 'css' | 'font' | 'asset'; path: string }): boolean {
			if (type === 'js') scripts.push(path);
			return type === 'css';
		},
		transformPageChunk({ html }: { html: string }): string {
			return html.replace(
				begin,
				(imports) => `${remember}

					${painted(scripts)}.then(() => ${imports})`
			);
		}
	};
}
