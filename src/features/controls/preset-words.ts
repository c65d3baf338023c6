import type { Preset } from '#api/control/preset.ts';
import { longDuration } from '../shell/sandbox-words.ts';
import { faultSentence, remainingText } from './fault-text.ts';

/** The parts of a preset that a user can leave out. */
export const presetParts = ['settings', 'accounts', 'applications', 'faults', 'offset'] as const;
export type PresetPart = (typeof presetParts)[number];

/** What the interface calls each part. */
export const partLabels: Readonly<Record<PresetPart, string>> = {
	settings: 'Settings',
	accounts: 'Accounts',
	applications: 'Applications',
	faults: 'Faults',
	offset: 'Clock'
};

const settingLabels: Readonly<Record<string, string>> = {
	'lifetimes.code': 'Authorization codes expire after (seconds)',
	'lifetimes.access_token': 'Access tokens expire after (seconds)',
	'limits.character': 'Resource requests per window',
	'limits.ratelimits': 'Rate limit requests per window',
	'limits.blacklist_after_refused': 'Rejected requests until the blacklist',
	'limits.window': 'Length of a window (seconds)',
	strict: 'Strict',
	test_cards: 'Test cards',
	virtual_addresses: 'Virtual addresses'
};

/** What a part of a preset contains, one line per fact. Empty if the preset leaves it as it is in every new sandbox. */
export function describePart(preset: Preset, part: PresetPart): string[] {
	if (part === 'settings') return describeSettings(preset);
	if (part === 'offset') return preset.offset ? [`${longDuration(preset.offset)} ahead of the real time`] : [];
	if (part === 'accounts') return preset.accounts?.length ? [`${preset.accounts.join(', ')} (password: demo)`] : [];
	if (part === 'applications')
		return (preset.applications ?? []).map(({ name, kind }) => `${name} (${kind === 'web' ? 'web server' : kind})`);
	return (preset.faults ?? []).map(describeFault);
}

/** A preset with some of its parts. Faults of applications that are left out are left out too. */
export function selectParts(preset: Preset, parts: readonly PresetPart[]): Preset {
	const isLeftOut = (name: string) => presetParts.some((part) => part === name && !parts.includes(part));
	const { format, version, ...content } = preset;
	const left = new Set(isLeftOut('applications') ? preset.applications?.map(({ client_id }) => client_id) : []);
	const faults = preset.faults?.filter(({ client_id = '' }) => !left.has(client_id));
	const chosen = Object.entries({ ...content, ...(faults && { faults }) }).filter(([name]) => !isLeftOut(name));
	return { format, version, ...Object.fromEntries(chosen) };
}

function describeSettings({ settings = {} }: Preset): string[] {
	return Object.entries(settings).flatMap(([name, value]) =>
		typeof value === 'object'
			? Object.entries(value).flatMap(([inner, one]) => settingLine(`${name}.${inner}`, one))
			: settingLine(name, value)
	);
}

function settingLine(name: string, value: number | boolean | undefined): string[] {
	if (value === undefined) return [];
	const text = typeof value === 'boolean' ? (value ? 'on' : 'off') : value.toLocaleString('en');
	return [`${settingLabels[name] ?? name}: ${text}`];
}

function describeFault(fault: NonNullable<Preset['faults']>[number]): string {
	return `${faultSentence(fault, fault.client_id)} ${remainingText(fault)}`;
}
