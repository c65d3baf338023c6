/** A request as the fake service saw it. */
export type Seen = {
	readonly method: string;
	readonly url: URL;
	readonly headers: Headers;
	readonly form: URLSearchParams;
};

/** What the fake service answers instead of what it would, while it is set. Undefined: as usual. */
export type Override = (seen: Seen) => Response | Promise<Response | undefined> | undefined;

/** Just enough of the service to hold a client against: tokens that expire, a limit, and a switch for silence. */
export class FakeService {
	readonly base_url: string;
	readonly requests: Seen[] = [];
	/** Milliseconds since 1970, at the service. */
	now: () => number;
	/** Seconds, or anything a broken service might say. */
	expires_in: unknown = 3920;
	/** Whether an exchange brings a refresh token. */
	offline = true;
	remaining = 600;
	reset: number;
	silent = false;
	client_secret = 'viewer-secret';
	standing: object = { state: 'active', reason: '' };
	override: Override | undefined;
	/** What `/ratelimiting` answers instead of `standing`. */
	aboutLimits: (() => Response) | undefined;
	readonly #tokens = new Map<string, number>();
	readonly #revoked = new Set<string>();
	#count = 0;

	constructor(now: () => number, base_url = 'https://service.example') {
		this.base_url = base_url;
		this.now = now;
		this.reset = Math.floor(now() / 1000) + 3600;
	}

	/** Requests whose path ends so. */
	count(path: string): number {
		return this.requests.filter(({ url }) => url.pathname.endsWith(path)).length;
	}

	/** Takes the access away, as a user does in the account settings. */
	revokeAll(): void {
		for (let number = 1; number <= this.#count; number += 1)
			this.#revoked.add(`refresh-token-number-${String(number)}-000`);
		this.#tokens.clear();
	}

	/** Makes all access tokens bad, as if they had expired early. */
	expireAll(): void {
		this.#tokens.clear();
	}

	readonly fetch = async (address: string, init: RequestInit): Promise<Response> => {
		const form = init.body instanceof URLSearchParams ? init.body : new URLSearchParams();
		const seen: Seen = {
			method: init.method ?? 'GET',
			url: new URL(address),
			headers: new Headers(init.headers),
			form
		};
		this.requests.push(seen);
		await Promise.resolve();
		if (seen.url.pathname === '/ratelimiting') return this.aboutLimits?.() ?? this.#answer(200, this.standing);
		if (this.silent) throw new TypeError('Failed to fetch');
		return (await this.override?.(seen)) ?? this.#usual(seen);
	};

	#usual(seen: Seen): Response {
		const { pathname, searchParams } = seen.url;
		if (pathname === '/ws/oauth2/token/') return this.#token(seen.form);
		if (pathname === '/ws/oauth2/revoke') {
			const token = searchParams.get('token') ?? '';
			if (this.#revoked.has(token)) return this.#answer(400, { error: 'invalid_token' });
			this.#revoked.add(token);
			this.#tokens.clear();
			return this.#answer(200, {});
		}
		return this.#resource(seen);
	}

	#token(form: URLSearchParams): Response {
		if (form.get('client_secret') !== this.client_secret) return this.#answer(401, { error: 'invalid_client' });
		if (this.#revoked.has(form.get('refresh_token') ?? '')) return this.#answer(400, { error: 'invalid_grant' });
		this.#count += 1;
		const access_token = `access-token-number-${String(this.#count)}-0000`;
		const seconds = typeof this.expires_in === 'number' && this.expires_in > 0 ? this.expires_in : 3920;
		this.#tokens.set(access_token, this.now() + seconds * 1000);
		const first = form.get('grant_type') === 'authorization_code' && this.offline;
		const refresh_token = `refresh-token-number-${String(this.#count)}-000`;
		return this.#answer(200, {
			access_token,
			expires_in: this.expires_in,
			token_type: 'OAuth',
			scope: 'character_read',
			...(first ? { refresh_token } : {})
		});
	}

	#resource({ url, headers }: Seen): Response {
		const limit = {
			'x-ratelimit-limit': '600',
			'x-ratelimit-remaining': String(Math.max(0, this.remaining - 1)),
			'x-ratelimit-reset': String(this.reset)
		};
		if (this.remaining <= 0) return this.#answer(400, { error: 'rate_limit_exceeded' }, limit);
		this.remaining -= 1;
		const header = headers.get('authorization')?.replace(/^OAuth /, '');
		const token = header ?? url.searchParams.get('access_token') ?? '';
		if (this.now() >= (this.#tokens.get(token) ?? 0)) return this.#answer(401, { error: 'invalid_token' }, limit);
		return this.#answer(200, { name: decodeURIComponent(url.pathname.split('/').at(-1) ?? ''), race: 'Human' }, limit);
	}

	#answer(status: number, body: object, more: Record<string, string> = {}): Response {
		const date = new Date(this.now()).toUTCString();
		const headers = { 'content-type': 'application/json', date, 'x-request-id': String(this.requests.length), ...more };
		return new Response(JSON.stringify(body), { status, headers });
	}
}
