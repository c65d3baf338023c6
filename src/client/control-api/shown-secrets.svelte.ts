import { SvelteMap } from 'svelte/reactivity';

/** The secrets that were shown since this page was loaded. They are kept in memory only. */
export class ShownSecrets {
	readonly #secrets = new SvelteMap<string, string>();

	/** @param baseUrl of the sandbox, because two sandboxes can have an application with the same client_id */
	keep(baseUrl: string, client_id: string, client_secret: string): void {
		this.#secrets.set(`${baseUrl} ${client_id}`, client_secret);
	}

	/** Undefined if the secret was not shown. */
	find(baseUrl: string, client_id: string): string | undefined {
		return this.#secrets.get(`${baseUrl} ${client_id}`);
	}
}

export const shownSecrets = new ShownSecrets();
