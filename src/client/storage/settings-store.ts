import * as v from 'valibot';
import { settingsSchema, type ServiceSettings } from './schema.ts';
import type { SharedStorage } from './shared-storage.ts';

/** The most services whose settings are kept; the one that was changed least recently is evicted. */
const capacity = 20;

/** The settings for one service, the same in all tabs. */
export class SettingsStore {
	readonly #storage: SharedStorage;
	readonly #defaults: ServiceSettings;

	constructor(storage: SharedStorage, issuer: string) {
		this.#storage = storage;
		this.#defaults = v.parse(settingsSchema, { issuer });
	}

	async get(): Promise<ServiceSettings> {
		return this.#find(await this.#storage.get('settings'));
	}

	/** Replaces some of the settings. */
	async update(change: (current: ServiceSettings) => Partial<ServiceSettings>): Promise<void> {
		await this.#storage.update('settings', (all) => {
			const current = this.#find(all);
			const others = all.filter(({ issuer }) => issuer !== current.issuer);
			return [...others, { ...current, ...change(current) }].slice(-capacity);
		});
	}

	#find(all: readonly ServiceSettings[]): ServiceSettings {
		return all.find(({ issuer }) => issuer === this.#defaults.issuer) ?? this.#defaults;
	}
}
