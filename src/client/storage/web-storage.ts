import { parseJson, type JsonValue } from '../rate-limit/json-value.ts';

/** The part of `localStorage` or `sessionStorage` that is used. */
export type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A function, because a browser that blocks storage throws where it is named. */
type Place = () => TextStorage;

const ofBrowser: Place = () => localStorage;

/** A stored text. Empty without one, and where storage is blocked. */
export function storedText(key: string, storage = ofBrowser): string {
	try {
		return storage().getItem(key) ?? '';
	} catch {
		return '';
	}
}

/** A stored value, as JSON. Undefined without one. Another program or version may have written it. */
export function storedJson(key: string, storage = ofBrowser): JsonValue | undefined {
	return parseJson(storedText(key, storage));
}

/** Stores a text. An empty one is deleted. Where storage is blocked or full, a page works without it. Returns whether it was stored. */
export function storeText(key: string, text: string, storage = ofBrowser): boolean {
	try {
		if (text === '') storage().removeItem(key);
		else storage().setItem(key, text);
		return true;
	} catch {
		return false;
	}
}

/** Calls a function when another tab of this browser changes a stored text. Returns a function that ends it. */
export function followStored(key: string, changed: () => void): () => void {
	const follow = (event: StorageEvent) => (event.key === key || event.key === null) && changed();
	addEventListener('storage', follow);
	return () => removeEventListener('storage', follow);
}
