/**
 * A path, or a text with one, for reading: its spaces and letters are decoded. An escape that hides a separator or a control
 * character stays. Lines do not break at its spaces.
 */
export function readablePath(text: string): string {
	try {
		const decoded = decodeURI(text.replaceAll('%20', '\u00a0'));
		return /\p{C}/u.test(decoded) ? text : decoded;
	} catch {
		return text;
	}
}
