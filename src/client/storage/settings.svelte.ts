import * as v from 'valibot';
import { toClientError } from '../oauth/client-error.ts';
import { settingsSchema, type ServiceSettings } from './schema.ts';
import type { SharedStorage } from './shared-storage.ts';

/** The most services whose settings are kept; the one that was changed least recently is evicted. */
const capacity = 20;

/** The settings for one service: the same in all tabs, and after a reload. */
export class BrowserSettings {
	value: ServiceSettings = $state.raw(v.parse(settingsSchema, { issuer: '' }));
	readonly #storage: SharedStorage;

	constructor(storage: SharedStorage, issuer: string) {
		this.#storage = storage;
		this.value = { ...this.value, issuer };
	}

	/** Reads what this tab or another one has stored. */
	async load(): Promise<void> {
		this.value = this.#find(await this.#storage.get('settings'));
	}

	/** Changes some settings, in this tab at once. If they can't be stored, they last until a reload. */
	async update(part: Partial<ServiceSettings>): Promise<void> {
		this.value = { ...this.value, ...part };
		const change = (all: readonly ServiceSettings[]) => {
			const current = this.#find(all);
			return [...all.filter((other) => other !== current), { ...current, ...part }].slice(-capacity);
		};
		await this.#storage.update('settings', change).catch(toClientError);
	}

	#find(all: readonly ServiceSettings[]): ServiceSettings {
		return all.find(({ issuer }) => issuer === this.value.issuer) ?? this.value;
	}
}
