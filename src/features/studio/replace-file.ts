import { scanJson } from '#lib/file/scan-json.ts';
import type { WorldDraft } from './world-draft.svelte.ts';

/**
 * Replaces the file of a draft by a text.
 * @returns why the text is no file, for users. Empty if it is one
 */
export function replaceFile(draft: WorldDraft, text: string): string {
	const { mistake } = scanJson(text);
	if (mistake !== undefined) return `It is not JSON: there is ${mistake}.`;
	const content: unknown = JSON.parse(text);
	if (typeof content !== 'object' || content === null || Array.isArray(content)) return 'It is not a JSON object.';
	draft.replace(content);
	return '';
}
