import * as v from 'valibot';
import { settingsChange, type Settings, type SettingsChange } from '#api/control/settings.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';
import { Query } from '#client/control-api/query.svelte.ts';
import { numberFields, textsOf, type NumberField } from './setting-fields.ts';

/** The form of the settings: what is typed, and what is saved. */
export class SettingsForm {
	/** What is typed, by the path of the setting. */
	texts: Record<NumberField, string> = $state(textsOf(undefined));
	strict = $state(true);
	test_cards = $state(true);
	virtual_addresses = $state(true);
	/** The saved settings. */
	readonly query: Query<Settings>;
	/** Whether the last change was saved since. */
	isSaved = $state(false);
	readonly form = new FormState(numberFields.map(({ path }) => path));
	readonly #api: ControlApi;

	constructor(api: ControlApi) {
		this.#api = api;
		this.query = new Query(async (signal) => this.#show(await api.request('GET /control/settings', { signal })));
	}

	/** The saved settings; undefined until they are read. */
	get saved(): Settings | undefined {
		return this.query.data;
	}

	/** Whether something differs from what is saved. */
	readonly isDirty: boolean = $derived.by(() => {
		const { saved } = this;
		if (saved === undefined) return false;
		const isSwitched =
			this.strict !== saved.strict ||
			this.test_cards !== saved.test_cards ||
			this.virtual_addresses !== saved.virtual_addresses;
		return isSwitched || numberFields.some(({ path }) => this.isChanged(path));
	});

	/** Whether a field differs from what is saved. */
	isChanged(path: NumberField): boolean {
		return this.saved !== undefined && this.texts[path].trim() !== textsOf(this.saved)[path];
	}

	/** Shows the saved settings again. */
	discard(): void {
		if (this.saved !== undefined) this.#show(this.saved);
		void this.form.run(() => Promise.resolve());
	}

	/** Sends the form. Throws `ControlError`. */
	readonly save = async (): Promise<void> => {
		const { strict, test_cards, virtual_addresses } = this;
		const body = { ...changeOf(this.texts), strict, test_cards, virtual_addresses };
		const { issues } = v.safeParse(settingsChange, body);
		for (const issue of issues ?? []) this.form.reject(v.getDotPath(issue) ?? '', issue.message);
		if (issues === undefined) await this.apply(body);
	};

	/** Changes settings at once, and shows all of them. Throws `ControlError`. */
	async apply(change: SettingsChange): Promise<void> {
		this.query.data = this.#show(await this.#api.request('PATCH /control/settings', { body: change }));
		this.isSaved = true;
	}

	#show(settings: Settings): Settings {
		this.texts = textsOf(settings);
		({ strict: this.strict, test_cards: this.test_cards, virtual_addresses: this.virtual_addresses } = settings);
		this.isSaved = false;
		return settings;
	}
}

function changeOf(texts: Record<NumberField, string>) {
	// `Number` alone accepts `0x10`, `1e3` and an empty text.
	const number = (path: NumberField) => (/^-?\d+(?:\.\d+)?$/.test(texts[path].trim()) ? Number(texts[path]) : NaN);
	return {
		lifetimes: { code: number('lifetimes.code'), access_token: number('lifetimes.access_token') },
		limits: {
			character: number('limits.character'),
			ratelimits: number('limits.ratelimits'),
			window: number('limits.window'),
			blacklist_after_refused: number('limits.blacklist_after_refused')
		}
	};
}
