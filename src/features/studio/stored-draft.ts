import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';

const keyOf = (baseUrl: string) => `tollgate-studio ${baseUrl}`;
const worldKeyOf = (baseUrl: string) => `${keyOf(baseUrl)} world`;

/** The world file that a tab edited before a reload or another page. Undefined if there is none. */
export function readDraft(storage: () => TextStorage, baseUrl: string): object | undefined {
	const stored = parseJson(typedText(keyOf(baseUrl), storage));
	return typeof stored === 'object' && stored !== null ? stored : undefined;
}

/** The id of the world of the sandbox that this file began with. Undefined: the demo world. */
export function readDraftWorld(storage: () => TextStorage, baseUrl: string): string | undefined {
	return typedText(worldKeyOf(baseUrl), storage) || undefined;
}

/**
 * Keeps a world file until the tab is closed. Without storage the studio still works.
 * @param text of the file; undefined: nothing was changed, or it is used
 * @param world id of the world that it began with
 */
export function writeDraft(
	storage: () => TextStorage,
	baseUrl: string,
	text: string | undefined,
	world?: string
): void {
	keepTyped(keyOf(baseUrl), text ?? '', storage);
	keepTyped(worldKeyOf(baseUrl), (text && world) ?? '', storage);
}
