import * as v from 'valibot';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';

/** A text that the page could not store before it ended, and what was stored when it was typed. */
const draftSchema = v.object({ source: v.string(), kept: v.string() });
export type Draft = v.InferOutput<typeof draftSchema>;

const keyOf = (place: string) => `tollgate-draft${place}`;

/** Writes at once, where a database would need time that the page may not have. @param place the path of the site and the exercise */
export function writeDraft(place: string, draft: Draft): void {
	keepTyped(keyOf(place), JSON.stringify(draft));
}

export function readDraft(place: string): Draft | undefined {
	const parsed = v.safeParse(draftSchema, parseJson(typedText(keyOf(place))));
	return parsed.success ? parsed.output : undefined;
}

export function deleteDraft(place: string): void {
	keepTyped(keyOf(place), '');
}
