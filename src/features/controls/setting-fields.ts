import { durationText } from '#lib/typed-duration.ts';
import {
	choiceSettings,
	defaultSettings,
	numberGroups,
	switchSettings,
	type Settings,
	type SettingsChange
} from '#api/control/settings.ts';

/** Settings that one click applies. */
export type SettingsPreset = { readonly name: string; readonly hint: string; readonly settings: Settings };

const most = 1_000_000;
const { limits } = defaultSettings;

/** The presets, in the order of their buttons. */
export const settingsPresets: readonly SettingsPreset[] = [
	{ name: 'Defaults', hint: 'The settings of a new sandbox', settings: defaultSettings },
	{
		name: 'Quick class',
		hint: 'Limit 20, access token 2 minutes, code 1 minute',
		settings: {
			...defaultSettings,
			lifetimes: { ...defaultSettings.lifetimes, code: 60, access_token: 120 },
			limits: { ...limits, character: 20 }
		}
	},
	{
		name: 'No limits',
		hint: '1,000,000 requests per window',
		settings: {
			...defaultSettings,
			limits: { ...limits, character: most, ratelimits: most, blacklist_after_refused: most }
		}
	}
];

/** All numbers, in the order of the fields. */
export const numberSettings = numberGroups.flatMap(({ settings }) => settings);

/** The settings by path: `limits.window`. */
export function valuesOf(settings: Settings | SettingsChange): ReadonlyMap<string, number | boolean | string> {
	const pathsOf = (values: object, prefix = ''): [string, number | boolean | string][] =>
		Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
			if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string')
				return [[prefix + name, value]];
			return typeof value === 'object' && value !== null ? pathsOf(value, `${name}.`) : [];
		});
	return new Map(pathsOf(settings));
}

/** Whether settings are equal. */
export function isSameSettings(one: Settings, other: Settings): boolean {
	const others = valuesOf(other);
	return [...valuesOf(one)].every(([path, value]) => others.get(path) === value);
}

/** One line for each setting: `Limits: Window 60 seconds`. */
export function describeSettings(change: SettingsChange): string[] {
	const values = valuesOf(change);
	const lineOf = (path: string, name: string, unit = '') => {
		const value = values.get(path);
		if (value === undefined) return [];
		if (typeof value === 'boolean') return [`${name}: ${value ? 'on' : 'off'}`];
		if (unit === 'seconds' && typeof value === 'number') return [`${name} ${durationText(value)}`];
		return [`${name} ${value.toLocaleString('en')} ${unit}`.trim()];
	};
	return [
		...numberGroups.flatMap(({ label: group, settings }) =>
			settings.flatMap(({ path, label, unit }) => lineOf(path, `${group}: ${label}`, unit))
		),
		...switchSettings.flatMap(({ path, label }) => lineOf(path, label)),
		...choiceSettings.flatMap(({ path, label, options }) => {
			const value = change[path];
			return value === undefined ? [] : [`${label}: ${options[value] ?? value}`];
		})
	];
}
