import { defaultSettings, type Settings, type SettingsChange } from '#api/control/settings.ts';
import { spokenDuration } from '#lib/time-text.ts';

/** How many requests or clients the tools start at once. */
export const burst = 20;

/** The numbers that a text can name and add up, by their names. */
const counts: Readonly<Record<string, (settings: Settings) => number>> = {
	burst: () => burst,
	limit: ({ limits }) => limits.character,
	ratelimits: ({ limits }) => limits.ratelimits,
	cost: ({ limits }) => limits.slow_cost,
	blacklist: ({ limits }) => limits.blacklist_after_refused
};
const durations: Readonly<Record<string, (settings: Settings) => number>> = {
	window: ({ limits }) => limits.window,
	lifetime: ({ lifetimes }) => lifetimes.access_token,
	code_lifetime: ({ lifetimes }) => lifetimes.code
};
/** What the page of a lesson knows: see `fill-in.ts`. */
const ofPage = ['brand', 'base_url', 'scheme', 'other_scheme', 'curl'];
export const placeholders: readonly string[] = [...Object.keys(counts), ...Object.keys(durations), ...ofPage];

const pattern = /\{([a-z_]+)((?:[+-](?:[a-z_]+|\d+))*)\}/g;
const codeOf = new Set(['code', 'call']);

/** The first placeholder of a text that has no value. */
export function unknownPlaceholder(text: string): string | undefined {
	for (const [found, name = '', sum = ''] of text.matchAll(pattern)) {
		const others = sum.match(/[a-z_]+/g) ?? [];
		const isKnown = sum === '' ? placeholders.includes(name) : [name, ...others].every((one) => one in counts);
		if (!isKnown) return found;
	}
	return undefined;
}

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
		if (typeof part === 'string' && !codeOf.has(name)) Reflect.set(parts, name, filled(part, settings));
		else if (typeof part === 'object' && part !== null) fill(part, settings);
	}
}

function filled(text: string, settings: Settings): string {
	return text.replaceAll(pattern, (found, name: string, sum: string) => {
		if (unknownPlaceholder(found) !== undefined) return found;
		const duration = durations[name];
		if (duration !== undefined) return spokenDuration(duration(settings) * 1000);
		const first = counts[name];
		if (first === undefined) return found;
		const parts = sum.match(/[+-](?:[a-z_]+|\d+)/g) ?? [];
		const valueOf = (part: string) => counts[part]?.(settings) ?? Number(part);
		const total = parts.reduce(
			(left, part) => left + (part.startsWith('-') ? -1 : 1) * valueOf(part.slice(1)),
			first(settings)
		);
		return total.toLocaleString('en');
	});
}
