import * as v from 'valibot';
import { storedJson, storeText } from '#client/storage/web-storage.ts';

/** A text that the page could not store before it ended, and what was stored when it was typed. */
const draftSchema = v.object({ source: v.string(), kept: v.string() });
export type Draft = v.InferOutput<typeof draftSchema>;

const keyOf = (place: string) => `tollgate-draft${place}`;

/** Writes at once, where a database would need time that the page may not have. @param place the path of the site and the exercise */
export const writeDraft = (place: string, draft: Draft): void => storeText(keyOf(place), JSON.stringify(draft));

export function readDraft(place: string): Draft | undefined {
	const parsed = v.safeParse(draftSchema, storedJson(keyOf(place)));
	return parsed.success ? parsed.output : undefined;
}

export const deleteDraft = (place: string): void => storeText(keyOf(place), '');
