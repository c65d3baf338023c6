const textFields = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select';

/**
 * Whether a key press belongs to a text field or an open dialog, so that single-key shortcuts must ignore it.
 * @param target of the key event
 */
export function isTyping(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches(textFields) || target.closest('dialog[open]') !== null;
}
