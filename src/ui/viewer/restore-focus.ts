/**
 * Keeps the focus in a part of the page. Where what has it goes away (a panel that closes, a button whose work is done),
 * it goes to the panel that it stood in, or else to the first one: whoever works by keyboard goes on from there, and not
 * from the top of the page.
 * @param root in which panels come and go
 * @returns what ends it
 */
export function restoreFocus(root: HTMLElement): () => void {
	let last: HTMLElement | undefined;
	let wasVisible = false;
	let homes: readonly HTMLElement[] = [];

	function note({ target }: FocusEvent): void {
		if (!(target instanceof HTMLElement)) return;
		last = target;
		wasVisible = target.matches(':focus-visible');
		homes = panelsAround(target, root);
	}

	function leave({ relatedTarget }: FocusEvent): void {
		// Gone to somewhere else, not lost.
		if (relatedTarget !== null) last = undefined;
	}

	function mend(): void {
		if (last === undefined || (last.isConnected && !last.matches(':disabled'))) return;
		last = undefined;
		if (document.activeElement !== document.body && document.activeElement !== null) return;
		const home = homes.find(({ isConnected }) => isConnected) ?? root.querySelector('section');
		if (home instanceof HTMLElement) moveFocus(home, wasVisible);
	}

	const observer = new MutationObserver(mend);
	observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
	root.addEventListener('focusin', note);
	root.addEventListener('focusout', leave);
	return () => {
		observer.disconnect();
		root.removeEventListener('focusin', note);
		root.removeEventListener('focusout', leave);
	};
}

/**
 * Moves the focus to something that Tab does not stop at.
 * @param scrolls whether the page follows
 */
export function moveFocus(to: HTMLElement, scrolls = true): void {
	to.tabIndex = -1;
	to.focus({ preventScroll: !scrolls });
}

/** From the inside out. */
function panelsAround(target: HTMLElement, root: HTMLElement): readonly HTMLElement[] {
	const around: HTMLElement[] = [];
	for (let at = target.parentElement; at !== null && at !== root; at = at.parentElement) {
		if (at.tagName === 'SECTION') around.push(at);
	}
	return around;
}
