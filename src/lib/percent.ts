/**
 * Decodes percent-encoding.
 * @param text as sent
 * @param plusIsSpace true for a query or form, false for a path segment
 * @returns undefined for a malformed escape, or for bytes that are not UTF-8
 */
export function decodePercent(text: string, plusIsSpace: boolean): string | undefined {
	const spaced = plusIsSpace && text.includes('+') ? text.replaceAll('+', ' ') : text;
	if (!spaced.includes('%')) return isWellFormed(spaced) ? spaced : undefined;
	try {
		return decodeURIComponent(spaced);
	} catch {
		return undefined;
	}
}

function isWellFormed(text: string): boolean {
	for (let at = 0; at < text.length; at++) {
		if (text.charCodeAt(at) >= 0xd800) return !/[\ud800-\udfff]/u.test(text);
	}
	return true;
}
