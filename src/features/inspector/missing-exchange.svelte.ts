import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import type { Inspector } from './inspector.svelte.ts';

/** Reads the exchange of a link, which can be older than what a feed keeps. */
export class MissingExchange {
	/** Why the exchange is not shown. */
	text: string | undefined = $state();
	readonly #api: ControlApi;
	readonly #inspector: Inspector;

	constructor(api: ControlApi, inspector: Inspector) {
		this.#api = api;
		this.#inspector = inspector;
	}

	/**
	 * Reads an exchange, unless the inspector has it.
	 * @param id its `X-Request-Id`
	 */
	read(id: string | undefined): void {
		this.text = undefined;
		if (id !== undefined && this.#inspector.selected === undefined) void this.#read(id);
	}

	async #read(id: string): Promise<void> {
		try {
			this.#inspector.single = await this.#api.request('GET /control/traffic/{request_id}', {
				path: { request_id: id }
			});
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (this.#inspector.selectedId !== id) return;
			this.text =
				thrown.code === 'not_found'
					? `The log has no exchange ${id}. It keeps the newest ones, and leaves out most control requests.`
					: thrown.message;
		}
	}
}
