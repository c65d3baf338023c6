import type { Preset } from '#api/control/preset.ts';
import { spokenDuration } from '#lib/time-text.ts';
import { faultSentence, remainingText } from './fault-text.ts';
import { describeSettings } from './setting-fields.ts';

/** The parts of a preset that a user can leave out. */
export const presetParts = ['world', 'settings', 'accounts', 'applications', 'faults', 'offset'] as const;
export type PresetPart = (typeof presetParts)[number];

/** What the interface calls each part. */
export const partLabels: Readonly<Record<PresetPart, string>> = {
	world: 'World',
	settings: 'Settings',
	accounts: 'Accounts',
	applications: 'Applications',
	faults: 'Faults',
	offset: 'Clock'
};

/** What a part of a preset contains, one line per fact. Empty if the preset does not change it. */
export function describePart(preset: Preset, part: PresetPart): string[] {
	if (part === 'world') return describeWorld(preset.world);
	if (part === 'settings') return describeSettings(preset.settings ?? {});
	if (part === 'offset') return preset.offset ? [`${spokenDuration(preset.offset * 1000)} ahead of the real time`] : [];
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

/** Its name and what else it has. A world without a brand has that of the demo world. */
function describeWorld(world: Preset['world']): string[] {
	if (world === undefined) return [];
	const { brand, permissions, accounts, applications } = world;
	const name = typeof brand === 'object' && brand !== null && 'name' in brand ? String(brand.name).slice(0, 40) : '';
	const count = (list: unknown, what: string) => (Array.isArray(list) ? [`${list.length} ${what}`] : []);
	const parts = [
		...(name === '' ? [] : [name]),
		...count(permissions, 'permissions'),
		...count(accounts, 'accounts'),
		...count(applications, 'applications')
	];
	return [parts.length === 0 ? 'Own world' : parts.join(', ')];
}

function describeFault(fault: NonNullable<Preset['faults']>[number]): string {
	return `${faultSentence(fault, fault.client_id)} ${remainingText(fault)}`;
}
