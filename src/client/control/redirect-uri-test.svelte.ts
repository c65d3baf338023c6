import type { RedirectUriResult } from '#wire/control/applications.ts';
import type { ControlApi } from './control-api.ts';
import { Loaded } from './loaded.svelte.ts';

/** Milliseconds without a key press before a URI is tested. */
const pause = 150;

/** Tests a redirect URI while the user types. */
export class RedirectUriTest {
	/** The URI that the result is for. */
	tested = $state('');
	/** Undefined without a URI. */
	result: RedirectUriResult | undefined = $state.raw();
	readonly request: Loaded<RedirectUriResult>;
	#uri = '';
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(api: ControlApi, client_id: string) {
		this.request = new Loaded(() => api.testRedirectUri(client_id, this.#uri));
	}

	/** Tests a URI after a pause. An empty one has no result. */
	change(uri: string): void {
		clearTimeout(this.#timer);
		this.#uri = uri;
		if (uri === '') this.result = undefined;
		else this.#timer = setTimeout(() => void this.#send(uri), pause);
	}

	/** Ends the pause without a request. */
	stop(): void {
		clearTimeout(this.#timer);
	}

	async #send(uri: string): Promise<void> {
		await this.request.refresh();
		// The response to an earlier URI comes too late.
		if (uri !== this.#uri) return;
		this.tested = uri;
		this.result = this.request.value;
	}
}
