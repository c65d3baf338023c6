import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';
import { storedText, storeText, type TextStorage } from '#client/storage/web-storage.ts';
import { characterViewer } from '#client/demo-clients.ts';
import { attacker } from '../evaluation/condition.ts';

/** An attack on the sign-in of a client: the attacker gets a code, and creates a link with it that a victim opens. */
export class Attack {
	clientId = $state('');
	redirectUri = $state('');
	/** Redirects the victim's browser to the client with the latest code; undefined: there is none yet. */
	link: string | undefined = $state.raw();
	readonly #storage: TextStorage;
	readonly creation = new FormState();
	readonly #api: ControlApi;

	/** @param storage of the tab, which keeps the link over a reload */
	constructor(api: ControlApi, storage: TextStorage) {
		this.#api = api;
		this.#storage = storage;
		this.link = readStored(storage, api.baseUrl);
		const { client_id, redirect_uri } = characterViewer(api.baseUrl);
		this.clientId = client_id;
		this.redirectUri = redirect_uri;
	}

	/** Gets a code for the attacker, who allows the client access in a browser of their own. */
	async createLink(): Promise<void> {
		await this.creation.run(async () => {
			this.#keep(undefined);
			const [client_id, redirect_uri] = [this.clientId.trim(), this.redirectUri.trim()];
			const asked = { response_type: 'code', client_id, redirect_uri, scope: 'character_read location_read' };
			const query = new URLSearchParams(asked).toString();
			const { location, title } = await this.#api.request('POST /control/authorizations', {
				body: { username: attacker, query }
			});
			const code = location === undefined ? null : new URL(location).searchParams.get('code');
			if (code === null)
				throw new ControlError(
					'invalid_request',
					`The service issued no code. Its page is titled: ${title ?? 'none'}.`,
					400
				);
			this.#keep(this.#api.url('GET /control/authorization-response', { query: { client_id, redirect_uri, code } }));
		});
	}

	/** The sandbox was reset, and does not know the code of the link. */
	forget(): void {
		this.#keep(undefined);
	}

	#keep(link: string | undefined): void {
		this.link = link;
		storeText(keyOf(this.#api.baseUrl), link ?? '', () => this.#storage);
	}
}

const keyOf = (baseUrl: string) => `tollgate-attack-link ${baseUrl}`;

function readStored(storage: TextStorage, baseUrl: string): string | undefined {
	const stored = storedText(keyOf(baseUrl), () => storage);
	return stored.startsWith(`${baseUrl}/`) ? stored : undefined;
}
