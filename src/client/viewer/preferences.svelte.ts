import { toClientError } from '../oauth/client-error.ts';
import { defaultPreferences, type PreferenceValues } from '../storage/schema.ts';
import type { SettingsStore } from '../storage/settings-store.ts';

/** The user's preferences at one service: the same in all tabs, and after a reload. */
export class Preferences {
	value: PreferenceValues = $state.raw(defaultPreferences);
	readonly #settings: SettingsStore;

	constructor(settings: SettingsStore) {
		this.#settings = settings;
	}

	/** Reads what this tab or another one has stored. */
	async load(): Promise<void> {
		this.value = (await this.#settings.get()).preferences;
	}

	/** Changes some preferences, in this tab at once. Without storage they last until a reload. */
	update(part: Partial<PreferenceValues>): void {
		this.value = { ...this.value, ...part };
		this.#settings.update(({ preferences }) => ({ preferences: { ...preferences, ...part } })).catch(toClientError);
	}
}
