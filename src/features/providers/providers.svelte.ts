import { SvelteMap } from 'svelte/reactivity';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Surprise } from '#api/providers/provider-file.ts';
import { ControlError } from '#client/control-api/control-error.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { ProviderSandbox } from '#client/providers/provider-sandbox.ts';
import { deviations } from '#evidence/differences/difference.ts';
import type { ProviderContent } from './provider-files.ts';

/** What was sent for a surprise. */
export type SurpriseResult = { readonly entry: TrafficEntry; readonly deviations: readonly string[] };

/** The surprises of one provider, and what was sent. */
export class SurpriseSender {
	readonly results = new SvelteMap<string, SurpriseResult>();
	/** The title of the surprise that is being sent. */
	sending: string | undefined = $state();
	/** Why the latest one was not sent, or had no response. */
	problem: string | undefined = $state();
	readonly #name: string;
	readonly #file: ProviderContent;
	readonly #root: ControlApi;

	constructor(name: string, file: ProviderContent, root: ControlApi) {
		this.#name = name;
		this.#file = file;
		this.#root = root;
	}

	/** Sends the request of a surprise in a new sandbox. Never rejects, see `problem`. */
	async send(surprise: Surprise): Promise<void> {
		if (this.sending !== undefined) return;
		this.sending = surprise.title;
		this.problem = undefined;
		try {
			const sandbox = await ProviderSandbox.create({
				name: this.#name,
				file: this.#file,
				root: this.#root,
				fetch: (url, init) => fetch(url, init)
			});
			const entry = await sandbox.send(surprise);
			const found = entry.response === null ? ['There was no response.'] : deviations(surprise.expect, entry.response);
			this.results.set(surprise.title, { entry, deviations: found });
		} catch (thrown) {
			this.problem =
				thrown instanceof ControlError
					? thrown.message
					: 'There was no response. The service may not run. Check that, then send again.';
		} finally {
			this.sending = undefined;
		}
	}

	/** Sends all, one after the other. */
	async sendAll(): Promise<void> {
		for (const surprise of this.#file.surprises) {
			await this.send(surprise);
			if (this.problem !== undefined) return;
		}
	}
}
