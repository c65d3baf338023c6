/**
 * Moves the focus between the lines of the sidebar: up and down to the next line, right opens a door and left closes it.
 * @param event `keydown` in the sidebar
 */
export function moveInLines(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
	const { key, currentTarget: sidebar, target } = event;
	if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
	const line = target.closest<HTMLElement>('li a, li button, .line');
	if (line === null) return;
	const step = { ArrowDown: 1, ArrowUp: -1 }[key];
	if (step !== undefined) {
		const lines = [...sidebar.querySelectorAll<HTMLElement>('li a, li button, button.line')].filter((one) =>
			one.checkVisibility()
		);
		lines[(lines.indexOf(line) + step + lines.length) % lines.length]?.focus();
	} else if (key === 'ArrowRight' || key === 'ArrowLeft') {
		const door = line.closest('ul > li:has(> [aria-expanded])')?.querySelector<HTMLElement>('[aria-expanded]');
		if (!door) return;
		const isOpen = door.getAttribute('aria-expanded') === 'true';
		if (isOpen === (key === 'ArrowLeft')) door.click();
		if (key === 'ArrowLeft') door.focus();
	} else return;
	event.preventDefault();
}
