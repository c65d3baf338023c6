/**
 * Copies text to the clipboard. Also works on plain HTTP pages, which have no Clipboard API.
 * @param text the text
 * @returns whether it was copied
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
