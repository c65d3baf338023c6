/** The longest text that is read, in characters. */
const maxText = 1_000_000;

/** Reads no more of a body. Does not wait: a body with a second reader is canceled when that one ends. */
export function abandon(body: ReadableStream | null): void {
	void body?.cancel().catch(() => undefined);
}

/** The start of a body. A client that sends more, or breaks off, is read no further. */
export async function textOf(response: Response | undefined): Promise<string> {
	const reader = response?.body?.getReader();
	if (reader === undefined) return '';
	const decoder = new TextDecoder();
	let text = '';
	try {
		while (text.length < maxText) {
			const { done, value } = await reader.read();
			if (done) break;
			text += decoder.decode(value, { stream: true });
		}
	} catch {
		return text;
	}
	void reader.cancel().catch(() => undefined);
	return text.slice(0, maxText);
}
