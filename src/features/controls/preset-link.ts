import * as v from 'valibot';
import { maxPresetBytes, preset, type Preset } from '#api/control/preset.ts';
import { readFragment, writeFragment } from '#client/packed-link.ts';
import { spokenDuration } from '#lib/time-text.ts';
import { faultSentence, remainingText } from './fault-form.svelte.ts';
import { describeSettings } from './settings-form.svelte.ts';

/** The longest link, in characters. */
const maxLink = 32_000;

/** Why a preset link cannot be used, for users. */
export class PresetLinkError extends Error {
	override name = 'PresetLinkError';
}

/**
 * A link that opens a new sandbox in a prepared state. The fragment is not sent to any server.
 * @param rootUrl base URL of the root sandbox
 * @throws PresetLinkError if it is too long
 */
export async function createPresetLink(rootUrl: string, content: Preset): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify(content, withoutPicture));
	const link = `${rootUrl}/preset#${await writeFragment(bytes)}`;
	if (link.length <= maxLink) return link;
	throw new PresetLinkError(
		`It has ${link.length.toLocaleString('en')} characters, and many programs accept ${maxLink.toLocaleString('en')}. Leave the world out, or use smaller images in it.`
	);
}

/** Programs that show a preview of a link do not read its fragment, and the picture in it is longer than a link can be. */
function withoutPicture(name: string, value: unknown): unknown {
	return name === 'brand' && typeof value === 'object' ? { ...value, picture: undefined } : value;
}

/**
 * Reads the fragment of a preset link.
 * @param fragment with or without the `#`
 * @throws PresetLinkError if it is damaged, too large or not a preset
 */
export async function readPresetLink(fragment: string): Promise<Preset> {
	const bytes = await readFragment(fragment);
	if (bytes === undefined)
		throw new PresetLinkError('The link is damaged or incomplete. Copy all of it, or ask for a new one.');
	if (bytes.length > maxPresetBytes)
		throw new PresetLinkError(`The link is too long. A preset has at most ${maxPresetBytes / 1024} KiB.`);
	const content = v.safeParse(preset, parse(bytes));
	if (content.success) return content.output;
	const place = v.getDotPath(content.issues[0]);
	throw new PresetLinkError(
		place === null
			? 'The link does not contain a preset.'
			: `The link contains a preset that this version cannot read, at ${place.slice(0, 60)}.`
	);
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
	} catch {
		return undefined;
	}
}

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
