import { defaultSettings, type Settings, type SettingsChange } from '#api/control/settings.ts';
import { fillText, unfilled } from '#lib/fill-text.ts';
import { spokenDuration } from '#lib/time-text.ts';

/** How many requests or clients the tools start at once. */
export const burst = 20;

/** The numbers and durations that a text can name, by their names. Numbers can be added up. */
const values: Readonly<Record<string, (settings: Settings) => number | string>> = {
	burst: () => burst,
	limit: ({ limits }) => limits.character,
	ratelimits: ({ limits }) => limits.ratelimits,
	cost: ({ limits }) => limits.slow_cost,
	blacklist: ({ limits }) => limits.blacklist_after_refused,
	window: ({ limits }) => spokenDuration(limits.window * 1000),
	lifetime: ({ lifetimes }) => spokenDuration(lifetimes.access_token * 1000),
	code_lifetime: ({ lifetimes }) => spokenDuration(lifetimes.code * 1000)
};
/** What the page of a lesson knows: see `fill-in.ts`. */
const ofPage = ['brand', 'base_url', 'scheme', 'other_scheme', 'curl'];
export const placeholders: readonly string[] = [...Object.keys(values), ...ofPage];

const codeOf = new Set(['code', 'call']);

/** The first placeholder of a text that has no value. */
export const unknownPlaceholder = (text: string): string | undefined =>
	unfilled(text, (name) => values[name]?.(defaultSettings) ?? (ofPage.includes(name) ? '' : undefined));

/** The texts of a content file with their places. Code is none. */
export function textsOf(content: unknown, place: readonly string[] = []): { place: string; text: string }[] {
	if (typeof content === 'string') return [{ place: place.join('.'), text: content }];
	if (typeof content !== 'object' || content === null) return [];
	return Object.entries(content).flatMap(([name, part]) => (codeOf.has(name) ? [] : textsOf(part, [...place, name])));
}

type Started = { readonly start?: { readonly settings?: SettingsChange } };

/** The texts of a lesson with the numbers of its settings: `{limit+1}`, `{window}`. Code stays as it is, and so do the placeholders of the page. */
export function withNumbers<Content extends Started>(content: Content): Content {
	const { limits, lifetimes } = content.start?.settings ?? {};
	const settings: Settings = {
		...defaultSettings,
		limits: { ...defaultSettings.limits, ...limits },
		lifetimes: { ...defaultSettings.lifetimes, ...lifetimes }
	};
	const copy = structuredClone(content);
	fill(copy, settings);
	return copy;
}

function fill(parts: object, settings: Settings): void {
	for (const [name, part] of Object.entries<unknown>({ ...parts })) {
		if (typeof part === 'string' && !codeOf.has(name))
			Reflect.set(
				parts,
				name,
				fillText(part, (value) => values[value]?.(settings))
			);
		else if (typeof part === 'object' && part !== null) fill(part, settings);
	}
}
