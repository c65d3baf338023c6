import { parseJson } from '#client/rate-limit/json-value.ts';

/** The part of `sessionStorage` that is used. */
type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (baseUrl: string) => `tollgate-studio ${baseUrl}`;

/** The world file that a tab edited before a reload or another page. Undefined if there is none. */
export function readDraft(storage: () => DraftStorage, baseUrl: string): object | undefined {
	try {
		const stored: unknown = parseJson(storage().getItem(keyOf(baseUrl)) ?? '');
		return typeof stored === 'object' && stored !== null ? stored : undefined;
	} catch {
		return undefined; // Storage is blocked.
	}
}

/**
 * Keeps a world file until the tab is closed. Without storage the studio still works.
 * @param text of the file; undefined: nothing was changed, or it is used
 */
export function writeDraft(storage: () => DraftStorage, baseUrl: string, text: string | undefined): void {
	try {
		if (text === undefined) storage().removeItem(keyOf(baseUrl));
		else storage().setItem(keyOf(baseUrl), text);
	} catch {
		// Blocked or full.
	}
}
