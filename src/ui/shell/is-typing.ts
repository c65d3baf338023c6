const fields = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select';

/**
 * Whether a key press belongs to where it happened: somebody types, or a dialog is open.
 * @param target of the event
 */
export function isTyping(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches(fields) || target.closest('dialog[open]') !== null;
}
