import * as v from 'valibot';

/** A text that the page could not store before it ended, and what was stored when it was typed. */
const draftSchema = v.object({ source: v.string(), kept: v.string() });
export type Draft = v.InferOutput<typeof draftSchema>;

const keyOf = (place: string) => `tollgate-draft${place}`;

/** Writes at once, where a database would need time that the page may not have. @param place the path of the site and the exercise */
export function writeDraft(place: string, draft: Draft): void {
	attempt(() => localStorage.setItem(keyOf(place), JSON.stringify(draft)));
}

export function readDraft(place: string): Draft | undefined {
	const found: unknown = attempt(() => JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null'));
	const parsed = v.safeParse(draftSchema, found);
	return parsed.success ? parsed.output : undefined;
}

export function deleteDraft(place: string): void {
	attempt(() => localStorage.removeItem(keyOf(place)));
}

/** Undefined where the browser blocks storage, or has no space. */
function attempt(act: () => unknown): unknown {
	try {
		return act();
	} catch {
		return undefined;
	}
}
