/** A text with values in place of their names: `{code}`. */
export function fillText(text: string, valueOf: (name: string) => string | number): string {
	return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(valueOf(name)));
}
