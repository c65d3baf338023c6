import type { ApplicationView } from '#api/control/applications.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';

/** The virtual address of one application: what is typed, and what is saved. */
export class ApplicationAddress {
	readonly form = new FormState(['address']);
	readonly client_id: string;
	readonly name: string;
	/** Empty: its requests count for the network address of the client. */
	text = $state('');
	saved = $state('');
	readonly #api: ControlApi;

	constructor(api: ControlApi, { client_id, name, address = '' }: ApplicationView) {
		this.#api = api;
		this.client_id = client_id;
		this.name = name;
		this.text = this.saved = address;
	}

	/** Sends the form. Throws `ControlError`. */
	readonly save = async (): Promise<void> => {
		const address = this.text.trim();
		const changed = await this.#api.request('PATCH /control/applications/{client_id}', {
			path: { client_id: this.client_id },
			body: { address: address === '' ? null : address }
		});
		this.text = this.saved = changed.address ?? '';
	};
}
