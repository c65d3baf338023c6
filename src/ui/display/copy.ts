/**
 * Puts a text on the clipboard. Works on plain-HTTP pages too, where the modern clipboard does not exist.
 * @param text what to copy, whole
 * @returns whether it is there now
 */
export async function copyText(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return copyBySelection(text);
	}
}

function copyBySelection(text: string): boolean {
	const focused = document.activeElement;
	const field = document.createElement('textarea');
	field.value = text;
	field.readOnly = true;
	field.className = 'visually-hidden';
	(focused?.closest('dialog') ?? document.body).append(field);
	field.select();
	const done = document.execCommand('copy');
	field.remove();
	if (focused instanceof HTMLElement) focused.focus();
	return done;
}
