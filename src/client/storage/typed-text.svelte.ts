import { untrack } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import { storedText, storeText, type TextStorage } from './web-storage.ts';

/** What the browser could not store, by its key. It lives as long as the page. */
const unstored = new SvelteMap<string, string>();

/**
 * Keeps what a user typed. Where storage is blocked or full, this page keeps it, and says so. An empty text is deleted.
 * @param storage a function, because a browser that blocks storage throws where it is named. Default: `localStorage`
 */
export function keepTyped(key: string, text: string, storage?: () => TextStorage): void {
	if (storeText(key, text, storage) || text === '') unstored.delete(key);
	else unstored.set(key, text);
}

/** What `keepTyped` kept. Empty without a text. */
export function typedText(key: string, storage?: () => TextStorage): string {
	return untrack(() => unstored.get(key)) ?? storedText(key, storage);
}

/** Whether this page alone has something that a user typed. Reactive. */
export const isTextUnstored = (): boolean => unstored.size > 0;
