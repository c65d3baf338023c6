/**
 * Keeps the keyboard focus inside a part of the page. When the focused element is removed or disabled, the focus moves to the
 * panel that contained it, or to the first panel, instead of the top of the page.
 * @param root element whose panels change
 * @returns function that stops it
 */
export function restoreFocus(root: HTMLElement): () => void {
	let last: HTMLElement | undefined;
	let wasVisible = false;
	let panels: readonly HTMLElement[] = [];

	function remember({ target }: FocusEvent): void {
		if (!(target instanceof HTMLElement)) return;
		last = target;
		wasVisible = target.matches(':focus-visible');
		panels = enclosingPanels(target, root);
	}

	function forget({ relatedTarget }: FocusEvent): void {
		// The focus moved to another element, so it is not lost.
		if (relatedTarget !== null) last = undefined;
	}

	function restore(): void {
		if (last === undefined || (last.isConnected && !last.matches(':disabled'))) return;
		last = undefined;
		if (document.activeElement !== document.body && document.activeElement !== null) return;
		const panel = panels.find(({ isConnected }) => isConnected) ?? root.querySelector('section');
		if (panel instanceof HTMLElement) focusElement(panel, wasVisible);
	}

	const observer = new MutationObserver(restore);
	observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
	root.addEventListener('focusin', remember);
	root.addEventListener('focusout', forget);
	return () => {
		observer.disconnect();
		root.removeEventListener('focusin', remember);
		root.removeEventListener('focusout', forget);
	};
}

/**
 * Focuses an element that is not in the tab order.
 * @param element the element
 * @param scrolls whether the page scrolls to it
 */
export function focusElement(element: HTMLElement, scrolls = true): void {
	element.tabIndex = -1;
	element.focus({ preventScroll: !scrolls });
}

/** The panels around an element, innermost first. */
function enclosingPanels(target: HTMLElement, root: HTMLElement): readonly HTMLElement[] {
	const panels: HTMLElement[] = [];
	for (let element = target.parentElement; element !== null && element !== root; element = element.parentElement) {
		if (element.tagName === 'SECTION') panels.push(element);
	}
	return panels;
}
