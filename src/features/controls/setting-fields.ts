import { defaultSettings, type Settings } from '#api/control/settings.ts';

/** The settings that are numbers, with their labels. */
export const numberFields = [
	{ path: 'lifetimes.code', label: 'Authorization code (seconds)' },
	{ path: 'lifetimes.access_token', label: 'Access token (seconds)' },
	{ path: 'limits.character', label: '/ws/v2.0/character/*' },
	{ path: 'limits.ratelimits', label: '/ws/v2.0/ratelimits' },
	{ path: 'limits.window', label: 'Window (seconds)' },
	{ path: 'limits.blacklist_after_refused', label: 'Blacklist after (rejections)' }
] as const;

/** The path of a setting that is a number. */
export type NumberField = (typeof numberFields)[number]['path'];

/** Settings that one click applies. */
export type SettingsPreset = { readonly name: string; readonly hint: string; readonly settings: Settings };

const most = 1_000_000;
const { limits } = defaultSettings;

/** The presets, in the order of their buttons. */
export const settingsPresets: readonly SettingsPreset[] = [
	{ name: 'Strict', hint: 'The defaults', settings: defaultSettings },
	{
		name: 'Quick class',
		hint: 'Limit 20, access token 2 minutes, code 1 minute',
		settings: {
			...defaultSettings,
			lifetimes: { code: 60, access_token: 120 },
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

/** The numbers as texts, in the order of the fields. */
export function textsOf(settings: Settings | undefined): Record<NumberField, string> {
	const text = (value: number | undefined) => String(value ?? '');
	const { lifetimes, limits } = settings ?? {};
	return {
		'lifetimes.code': text(lifetimes?.code),
		'lifetimes.access_token': text(lifetimes?.access_token),
		'limits.character': text(limits?.character),
		'limits.ratelimits': text(limits?.ratelimits),
		'limits.window': text(limits?.window),
		'limits.blacklist_after_refused': text(limits?.blacklist_after_refused)
	};
}

/** Whether settings are equal. */
export function isSameSettings(one: Settings, other: Settings): boolean {
	return flat(one) === flat(other);
}

function flat(settings: Settings): string {
	const { strict, test_cards, virtual_addresses } = settings;
	return JSON.stringify([Object.values(textsOf(settings)), strict, test_cards, virtual_addresses]);
}
