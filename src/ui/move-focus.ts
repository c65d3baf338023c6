/**
 * Moves the focus through the rows of a list with the arrow keys.
 * @param event a key pressed in the list
 * @param rows selects what can have the focus
 */
export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }, rows: string): void {
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	if (step === undefined) return;
	const all = [...event.currentTarget.querySelectorAll<HTMLElement>(rows)];
	const at = all.findIndex((row) => row === document.activeElement);
	if (at < 0) return;
	event.preventDefault();
	all[at + step]?.focus();
}
