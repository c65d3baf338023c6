import { headerValues } from '#api/headers.ts';

/** Each sandbox has at most two cookies. Chromium keeps 180 for one host. */
const maxCookies = 180;

/**
 * The cookies of the service. A service worker cannot set cookies, so they are sent and stored here. All of them have `Path=/`,
 * `Secure`, `HttpOnly` and `SameSite=Lax`, and none expires before the service deletes it.
 */
export class CookieJar {
	readonly #cookies: Map<string, string>;
	readonly #onChange: (name: string, value: string | undefined) => void;

	/**
	 * @param cookies from an earlier run, oldest first
	 * @param onChange called for each cookie that is set, or (undefined) deleted
	 */
	constructor(
		cookies: Iterable<readonly [name: string, value: string]>,
		onChange: (name: string, value: string | undefined) => void
	) {
		this.#cookies = new Map(cookies);
		this.#onChange = onChange;
	}

	/** The `Cookie` header of a request, as a flat list (name, value). Empty if there are no cookies. */
	get header(): string[] {
		if (this.#cookies.size === 0) return [];
		return ['Cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')];
	}

	/**
	 * Stores the cookies of a response.
	 * @param headers of the response, flat list (name, value, …)
	 */
	store(headers: readonly string[]): void {
		for (const line of headerValues(headers, 'set-cookie')) {
			const [, name, value] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
			if (name === undefined || value === undefined) continue;
			this.#set(name, /;\s*max-age=0/i.test(line) ? undefined : value);
		}
		for (const [name] of this.#cookies) {
			if (this.#cookies.size <= maxCookies) return;
			this.#set(name, undefined);
		}
	}

	#set(name: string, value: string | undefined): void {
		if (value === undefined) this.#cookies.delete(name);
		else this.#cookies.set(name, value);
		this.#onChange(name, value);
	}
}
