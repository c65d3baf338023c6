import * as v from 'valibot';
import {
	type ChoicePath,
	choiceSettings,
	defaultSettings,
	numberGroups,
	type NumberPath,
	type Settings,
	settingsChange,
	type SettingsChange,
	type SwitchPath,
	switchSettings
} from '#api/control/settings.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';
import { Query } from '#client/control-api/query.svelte.ts';
import { durationText, readDuration } from '#lib/typed-duration.ts';

/** Settings that one click applies. */
type SettingsPreset = { readonly name: string; readonly hint: string; readonly settings: Settings };

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
function valuesOf(settings: Settings | SettingsChange): ReadonlyMap<string, number | boolean | string> {
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

const durationHelp = 'It is in seconds. You can also type 10 min or 1 h.';

/** The form of the settings: what is typed, and what is saved. */
export class SettingsForm {
	/** The typed text of each number, by path. It can be invalid. */
	readonly texts = $state(byPath<NumberPath, string>(numberSettings, () => ''));
	/** What is on, by path. */
	readonly switches = $state(byPath<SwitchPath, boolean>(switchSettings, () => true));
	/** What is chosen, by path. */
	readonly choices = $state(byPath<ChoicePath, string>(choiceSettings, (path) => defaultSettings[path]));
	readonly query: Query<Settings>;
	/** Whether the last change was saved since. */
	isSaved = $state(false);
	readonly form = new FormState(numberSettings.map(({ path }) => path));
	readonly #api: ControlApi;
	readonly #savedValues = $derived.by(() => this.saved && valuesOf(this.saved));

	constructor(api: ControlApi) {
		this.#api = api;
		this.query = new Query(async (signal) => this.#show(await api.request('GET /control/settings', { signal })));
	}

	get saved(): Settings | undefined {
		return this.query.data;
	}

	/** Whether something differs from what is saved. */
	readonly isDirty: boolean = $derived.by(() => {
		const saved = this.#savedValues;
		if (saved === undefined) return false;
		return (
			numberSettings.some(({ path }) => this.isChanged(path)) ||
			switchSettings.some(({ path }) => this.switches[path] !== saved.get(path)) ||
			choiceSettings.some(({ path }) => this.choices[path] !== saved.get(path))
		);
	});

	/** The saved value of a number as users type it; empty until it is read. */
	savedText(path: NumberPath): string {
		const value = this.#savedValues?.get(path);
		return typeof value === 'number' ? textOf(path, value) : '';
	}

	/** Whether a number differs from what is saved, however it is written. */
	isChanged(path: NumberPath): boolean {
		return this.saved !== undefined && readNumber(path, this.texts[path]) !== this.#savedValues?.get(path);
	}

	/** Shows the saved settings again. */
	discard(): void {
		if (this.saved !== undefined) this.#show(this.saved);
		void this.form.run(() => Promise.resolve());
	}

	/** Sends the form. Throws `ControlError`. */
	readonly save = async (): Promise<void> => {
		const body = { ...nested(this.texts), ...this.switches, ...this.choices };
		const { success, output, issues = [] } = v.safeParse(settingsChange, body);
		for (const issue of issues) {
			const path = v.getDotPath(issue) ?? '';
			this.form.reject(path, durations.has(path) ? `${issue.message} ${durationHelp}` : issue.message);
		}
		if (success) await this.apply(output);
	};

	/** Changes settings at once, and shows all of them. Throws `ControlError`. */
	async apply(change: SettingsChange): Promise<void> {
		this.query.data = this.#show(await this.#api.request('PATCH /control/settings', { body: change }));
		this.isSaved = true;
	}

	#show(settings: Settings): Settings {
		const values = valuesOf(settings);
		for (const { path } of numberSettings) this.texts[path] = textOf(path, Number(values.get(path)));
		for (const { path } of switchSettings) this.switches[path] = values.get(path) === true;
		for (const { path } of choiceSettings) this.choices[path] = settings[path];
		this.isSaved = false;
		return settings;
	}
}

function byPath<Path extends string, Value>(
	settings: readonly { readonly path: Path }[],
	valueOf: (path: Path) => Value
): Record<Path, Value>;
function byPath<Value>(settings: readonly { readonly path: string }[], valueOf: (path: string) => Value) {
	return Object.fromEntries(settings.map(({ path }) => [path, valueOf(path)]));
}

const durations: ReadonlySet<string> = new Set(
	numberSettings.filter(({ unit }) => unit === 'seconds').map(({ path }) => path)
);

function textOf(path: NumberPath, value: number): string {
	return durations.has(path) ? durationText(value) : String(value);
}

/** The number of a typed text. `NaN` if it is none: `Number` alone accepts `0x10`, `1e3` and an empty text. */
function readNumber(path: string, text: string): number {
	if (durations.has(path)) return readDuration(text) ?? NaN;
	return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : NaN;
}

/** The typed numbers as the API nests them: `limits.window` is `window` in `limits`. */
function nested(texts: Readonly<Record<string, string>>): Record<string, Record<string, number>> {
	const change: Record<string, Record<string, number>> = {};
	for (const [path, text] of Object.entries(texts)) {
		const [group = '', name = ''] = path.split('.');
		change[group] = { ...change[group], [name]: readNumber(path, text) };
	}
	return change;
}
