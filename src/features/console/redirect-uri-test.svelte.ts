import type { RedirectUriResult } from '#api/control/applications.ts';
import type { ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';

/** Milliseconds without a key press before a URI is tested. */
const pause = 150;

/** Tests a redirect URI while the user types. */
export class RedirectUriTest {
	readonly #query: Query<{ readonly uri: string; readonly result: RedirectUriResult }>;
	#uri = '';
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(api: ControlApi, client_id: string) {
		this.#query = new Query(async (signal) => {
			const uri = this.#uri;
			return {
				uri,
				result: await api.request('POST /control/applications/{client_id}/redirect-uri-test', {
					path: { client_id },
					body: { uri },
					signal
				})
			};
		});
	}

	/** The URI that the result is for. */
	get tested(): string {
		return this.#query.data?.uri ?? '';
	}

	/** Undefined without a URI, and if its test failed. */
	get result(): RedirectUriResult | undefined {
		return this.error === undefined ? this.#query.data?.result : undefined;
	}

	/** Why the test failed. */
	get error(): ControlError | undefined {
		return this.#query.error;
	}

	/** Tests a URI after a pause. An empty one has no result. */
	change(uri: string): void {
		clearTimeout(this.#timer);
		this.#uri = uri;
		if (uri === '') this.#query.clear();
		else this.#timer = setTimeout(() => void this.#query.refresh(), pause);
	}

	/** Ends the pause without a request. */
	stop(): void {
		clearTimeout(this.#timer);
	}
}
