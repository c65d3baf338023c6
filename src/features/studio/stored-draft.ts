import { storedJson, storeText, type TextStorage } from '#client/storage/web-storage.ts';

const keyOf = (baseUrl: string) => `tollgate-studio ${baseUrl}`;

/** The world file that a tab edited before a reload or another page. Undefined if there is none. */
export function readDraft(storage: () => TextStorage, baseUrl: string): object | undefined {
	const stored = storedJson(keyOf(baseUrl), storage);
	return typeof stored === 'object' && stored !== null ? stored : undefined;
}

/**
 * Keeps a world file until the tab is closed. Without storage the studio still works.
 * @param text of the file; undefined: nothing was changed, or it is used
 */
export function writeDraft(storage: () => TextStorage, baseUrl: string, text: string | undefined): void {
	storeText(keyOf(baseUrl), text ?? '', storage);
}
