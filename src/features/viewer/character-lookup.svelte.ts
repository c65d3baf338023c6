import { ClientError, toClientError } from '#client/oauth/client-error.ts';
import { parseCharacter, type ParsedCharacter } from '#client/parse-resources.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import type { ResourceResponse } from '#client/rate-limit/resource-response.ts';
import { characterPath, patterns } from '#client/service-urls.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import type { LastLookup } from '#client/storage/tab-schema.ts';
import { xmlToJson } from '#client/xml-to-json.ts';
import type { ViewerClient } from './client.ts';
import { entry } from './event-log.svelte.ts';

/** A character and the response that it is from. */
export type CharacterResult = {
	readonly character: ParsedCharacter;
	readonly response: Pick<ResourceResponse, 'status' | 'format' | 'text' | 'requestId'>;
	/** The scope of the access token. */
	readonly scope: readonly string[];
};

/** What the lookup panel shows. */
export type LookupState =
	| { readonly kind: 'empty' }
	/** `at`: when the response arrived, in milliseconds since 1970 by the service's clock. */
	| { readonly kind: 'found'; readonly result: CharacterResult; readonly at: number; readonly isCached: boolean }
	| { readonly kind: 'failed'; readonly name: string; readonly error: ClientError }
	/** Over the limit: requested again at `retryAt`, in milliseconds since 1970 by the service's clock. */
	| { readonly kind: 'waiting'; readonly name: string; readonly retryAt: number };

const empty: LookupState = { kind: 'empty' };

/** How long responses are cached, in milliseconds. */
export const cacheTtl = 60_000;

/** Looks up characters by name. */
export class CharacterLookup {
	/** The name in the search field. */
	name = $state('');
	/** The name that is being requested. The last result stays visible meanwhile. */
	pendingName: string | undefined = $state();
	/** Until when the throttle holds the request back, in milliseconds since 1970 by the service's clock. */
	heldUntil = $state(0);
	#state: LookupState = $state.raw(empty);
	/** Whose token `#state` was requested with. */
	#userId = $state('');
	readonly #client: ViewerClient;
	readonly #cache = new ResponseCache<CharacterResult>(cacheTtl);
	#abort: AbortController | undefined;
	#pendingUserId = '';
	#retry: { readonly user: SignedInUser; readonly name: string } | undefined;

	constructor(client: ViewerClient) {
		this.#client = client;
		const { lastLookup } = client.tab.value;
		if (lastLookup !== null) this.#restore(lastLookup);
	}

	/** What the panel shows to a user: nothing that was requested with another user's token. */
	stateFor(userId: string): LookupState {
		return this.#userId === userId ? this.#state : empty;
	}

	/**
	 * Shows a character.
	 * @param reload sends a request although the response is cached
	 */
	async lookUp(user: SignedInUser, name: string, reload = false): Promise<void> {
		this.name = name;
		await this.#lookUp(user, name, reload);
	}

	/**
	 * Requests a character and caches the response.
	 * @throws {ClientError} as `ResourceClient.get`
	 */
	async fetch(user: SignedInUser, name: string, signal?: AbortSignal): Promise<CharacterResult> {
		const { resources, clock, settings } = this.#client;
		const { format, credential } = settings.value;
		const request = { tokenSetId: user.id, pattern: patterns.character, format, credential };
		const response = await resources.get(characterPath(name, this.#client.world.resource.path), { ...request, signal });
		const character = parseCharacter(response.data, user.scope, this.#client.world.permissions);
		if (character === undefined) throw new ClientError('unexpected_response', '', { status: response.status });
		const result = { character, response, scope: user.scope };
		this.#cache.set(cacheKey(user.id, user.scope, format, name), result, clock.now());
		return result;
	}

	/** Shows a result of polling if this user is looking at that character. */
	applyPolled(userId: string, result: CharacterResult): void {
		const state = this.stateFor(userId);
		if (state.kind !== 'found' || state.result.character.name !== result.character.name) return;
		this.#set(userId, result.character.name, { kind: 'found', result, at: this.#client.clock.now(), isCached: false });
	}

	/** Call it every second. Repeats a lookup after the reset of the rate limit. */
	tick(): void {
		const retry = this.#retry;
		if (retry === undefined) return;
		if (this.#state.kind === 'waiting' && this.#client.clock.now() < this.#state.retryAt) return;
		void this.#lookUp(retry.user, retry.name, true);
	}

	/** Cancels the lookup that is under way, or waiting. */
	cancel(): void {
		this.#abort?.abort();
		this.#abort = undefined;
		this.#retry = undefined;
		this.pendingName = undefined;
		if (this.#state.kind === 'waiting') this.#state = empty;
	}

	/** Deletes what was shown and cached for a user. */
	forget(userId: string): void {
		const { tab } = this.#client;
		this.#cache.deleteByPrefix(`${userId} `);
		if (this.#pendingUserId === userId) this.cancel();
		if (this.#userId === userId) this.#state = empty;
		if (tab.value.lastLookup?.userId === userId) tab.set({ lastLookup: null });
	}

	async #lookUp(user: SignedInUser, name: string, reload: boolean): Promise<void> {
		const { clock, log, resources, settings } = this.#client;
		this.cancel();
		const { cache, format } = settings.value;
		// A cached response would hide that access was revoked.
		const isCacheable = cache && !reload && user.ended === null;
		const cached = isCacheable ? this.#cache.get(cacheKey(user.id, user.scope, format, name), clock.now()) : undefined;
		if (cached !== undefined) {
			log.emit(entry('Response from the cache: no request sent', '8.9'));
			return this.#set(user.id, name, { kind: 'found', result: cached.value, at: cached.at, isCached: true });
		}
		const abort = new AbortController();
		this.#abort = abort;
		this.#pendingUserId = user.id;
		this.pendingName = name;
		this.heldUntil = clock.now() + resources.delay(patterns.character);
		try {
			const result = await this.fetch(user, name, abort.signal);
			if (!abort.signal.aborted) this.#set(user.id, name, { kind: 'found', result, at: clock.now(), isCached: false });
		} catch (thrown) {
			if (!abort.signal.aborted) this.#fail(user, name, toClientError(thrown));
		} finally {
			if (this.#abort === abort) this.pendingName = undefined;
		}
	}

	#fail(user: SignedInUser, name: string, error: ClientError): void {
		const retryAt = error.code === 'rate_limit_exceeded' ? error.retryAt : undefined;
		if (retryAt !== undefined) this.#retry = { user, name };
		this.#set(
			user.id,
			name,
			retryAt === undefined ? { kind: 'failed', name, error } : { kind: 'waiting', name, retryAt }
		);
	}

	#set(userId: string, name: string, state: LookupState): void {
		this.#userId = userId;
		this.#state = state;
		const isKept = state.kind === 'found' && this.#client.settings.value.cache;
		this.#client.tab.set({ lastLookup: { userId, name, response: isKept ? toStored(state.result, state.at) : null } });
	}

	#restore({ userId, name, response }: LastLookup): void {
		const { environment, settings } = this.#client;
		this.name = name;
		if (response === null || !settings.value.cache) return;
		const { scope, receivedAt, format, text } = response;
		const root = format === 'xml' ? environment.parseXml(text) : undefined;
		const data = format === 'xml' ? root && xmlToJson(root) : parseJson(text);
		const character = parseCharacter(data, scope, this.#client.world.permissions);
		if (character === undefined) return;
		const result = { character, response: { ...response, requestId: response.requestId ?? undefined }, scope };
		this.#cache.set(cacheKey(userId, scope, format, name), result, receivedAt);
		this.#userId = userId;
		this.#state = { kind: 'found', result, at: receivedAt, isCached: true };
	}
}

function toStored({ response, scope }: CharacterResult, receivedAt: number): LastLookup['response'] {
	const { status, format, text, requestId = null } = response;
	return { status, format, text, requestId, scope, receivedAt };
}

function cacheKey(userId: string, scope: readonly string[], format: string, name: string): string {
	return [userId, format, ...scope, name].join(' ');
}

/** A cached value, and when it was stored. */
type CacheEntry<T> = { readonly value: T; readonly at: number };

const capacity = 200;

/** Caches responses, so that repeated lookups send no request (section 8.9). Times are in milliseconds. */
export class ResponseCache<T> {
	readonly #ttl: number;
	readonly #entries = new Map<string, CacheEntry<T>>();

	constructor(ttl: number) {
		this.#ttl = ttl;
	}

	/** An entry that has not expired. */
	get(key: string, now: number): CacheEntry<T> | undefined {
		const entry = this.#entries.get(key);
		return entry !== undefined && Math.abs(now - entry.at) < this.#ttl ? entry : undefined;
	}

	/** Stores a value. Evicts the oldest one if the cache is full. */
	set(key: string, value: T, now: number): void {
		this.#entries.delete(key);
		this.#entries.set(key, { value, at: now });
		const [oldest] = this.#entries.keys();
		if (this.#entries.size > capacity && oldest !== undefined) this.#entries.delete(oldest);
	}

	deleteByPrefix(prefix: string): void {
		for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.#entries.delete(key);
	}
}
