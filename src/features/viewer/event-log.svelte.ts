import { Emitter } from '#client/emitter.ts';
import type { ClientEvent } from '#client/storage/tab-schema.ts';
import { redactHeaders, redactPairs, redactTarget, redactText, redactToken } from '#api/redact.ts';
import { timeText } from '#lib/time-text.ts';
import type { Outcome, SentRequest } from '#client/http.ts';
import type { OAuthEvent, TokenSummary } from '#client/oauth/events.ts';
import type { RateLimitEvent } from '#client/rate-limit/rate-limit-event.ts';

/** An event before the log adds its number and time. */
type NewEvent = Omit<ClientEvent, 'seq' | 'at' | 'fields'> & Partial<Pick<ClientEvent, 'fields'>>;

/** How many events are kept, and how many the page shows. The oldest are dropped. */
const capacity = 500;
const maxShown = 100;
/** Time between two updates of what the page shows, in milliseconds: gauges are painted first. */
const updateInterval = 200;

/** What the client has done, in readable form. Contains no secret. */
export class EventLog {
	/** The latest events as the page shows them, oldest first. */
	shown: readonly ClientEvent[] = $state.raw([]);
	/** Emits after events were added or completed, a few times per second at most. */
	readonly changed = new Emitter();
	readonly #now: () => number;
	#events: readonly ClientEvent[] = [];
	#seq = 0;
	#isUpdating = false;

	/** @param now the service's clock, in milliseconds since 1970 */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** All events, oldest first. */
	get events(): readonly ClientEvent[] {
		return this.#events;
	}

	/** Adds an event. Returns a function that completes it, for example with the response to a request. */
	emit(event: NewEvent): (part: Partial<Omit<ClientEvent, 'seq'>>) => void {
		this.#seq += 1;
		const seq = this.#seq;
		this.#set([...this.#events, { fields: [], ...event, seq, at: this.#now() }]);
		return (part) => this.#set(this.#events.map((one) => (one.seq === seq ? { ...one, ...part } : one)));
	}

	/** Inserts the events of this tab from before a reload. */
	restore(events: readonly ClientEvent[]): void {
		this.#seq = events.at(-1)?.seq ?? 0;
		this.#set(events);
		this.#update();
	}

	/** Removes all events. Returns a function that inserts them again. */
	clear(): () => void {
		const cleared = this.#events;
		this.#events = [];
		this.#update();
		return () => {
			const known = new Set(this.#events.map(({ seq }) => seq));
			const missing = cleared.filter(({ seq }) => !known.has(seq));
			this.#set([...missing, ...this.#events].sort((one, other) => one.seq - other.seq));
			this.#update();
		};
	}

	#set(events: readonly ClientEvent[]): void {
		this.#events = events.slice(-capacity);
		if (this.#isUpdating) return;
		this.#isUpdating = true;
		setTimeout(() => this.#update(), updateInterval);
	}

	#update(): void {
		this.#isUpdating = false;
		this.shown = this.#events.slice(-maxShown);
		this.changed.emit();
	}
}

/** The log entry for an event of the client core; undefined: none. */
export function logCoreEvent(event: OAuthEvent | RateLimitEvent): NewEvent | undefined {
	switch (event.type) {
		case 'authorization_started':
			return entry('Generated state', '2.1', [
				['random bits', '256'],
				['issuer', event.issuer],
				['scope', event.scope.join(' ')]
			]);
		case 'state_verified':
			return { ...entry('state verified', '2.2'), tone: 'ok' };
		case 'manual_code_received':
			return entry('Pasted codes carry no state. PKCE binds this code to this sign-in', '2.2');
		case 'code_exchange_started':
			return entry('Exchanging the code', '2.3', [['issuer', event.issuer]]);
		case 'id_token_verified':
			return {
				...entry('Verified the ID token', 'OIDC Core §3.1.3.7', [['claims', event.claims.join(' ')]]),
				tone: 'ok'
			};
		case 'callback_rejected': {
			const { code, message } = event.error;
			const reason = message === '' ? code : `${code}: ${message}`;
			return { ...entry('Sign-in failed', '2.2', [['reason', reason]]), tone: 'error' };
		}
		case 'xml_converted':
			return entry('Converted the XML to JSON, because oauth4webapi parses JSON only', '2.4');
		case 'tokens_saved':
			return { ...entry('Saved the tokens in this browser', '2.4', tokenFields(event)), tone: 'ok' };
		case 'tokens_refreshed':
			return { ...entry('Saved the new access token', '2.4', tokenFields(event)), tone: 'ok' };
		case 'refresh_started':
			return entry('Refreshing the access token', '3.1');
		case 'refresh_skipped':
			return entry('Another tab has already refreshed the access token', '3.1');
		case 'token_set_ended':
			return { ...entry('Session ended', '3.1', [['reason', event.reason]]), tone: 'error' };
		case 'revocation_skipped':
			return entry('Nothing to revoke: the service revokes by refresh token only', '4');
		case 'tokens_deleted':
			return entry('Deleted tokens in all tabs', '4');
		case 'request_throttled':
			return {
				...entry('Request throttled: rate limit running low', '8.9', [['delay', `${String(event.delay)} ms`]]),
				tone: 'caution'
			};
		case 'rate_limit_exceeded': {
			const fields = [['retry at', `${timeText(event.retryAt)} UTC`]] as const;
			const message = 'This 400 is the rate limit, not a bad request: waiting for the reset';
			return { ...entry(message, '3.3', fields), tone: 'caution' };
		}
		case 'rate_limit_updated':
			return undefined; // The gauges show it.
	}
}

/** The first characters of secrets, as the traffic log shows them. Short ones have none. */
export function previewsOf(...values: readonly (string | null | undefined)[]): readonly string[] {
	return values.map((value) => redactToken(value ?? '')).filter((preview) => preview.endsWith('…'));
}

/** An entry that is no request. */
export function entry(message: string, section: string, fields: NewEvent['fields'] = []): NewEvent {
	return { kind: 'event', message, section, fields };
}

/** The log entry for a request that is under way. */
export function logRequest({ method, url, headers, body }: SentRequest): NewEvent {
	const request = messageText(`${method} ${redactTarget(url)}`, [...headers], redactPairs(body));
	return { kind: 'request', message: `${method} ${new URL(url).pathname}`, status: '', request };
}

/** What the entry of a request says at its end. */
export function logOutcome(outcome: Outcome, duration: number): Partial<NewEvent> {
	if (outcome.kind !== 'response') {
		const isAborted = outcome.kind === 'aborted';
		return {
			...(isAborted ? { status: 'canceled' } : { status: 'no response', tone: 'error', section: '7' }),
			fields: [['error', outcome.message]],
			duration
		};
	}
	const { status, headers, text } = outcome;
	const logged = [...headers].filter(([name]) => loggedHeaders.test(name));
	const body = prettyJson(redactText(text).slice(0, maxLoggedBody));
	const response = messageText(String(status), logged, body);
	const requestId = headers.get('x-request-id');
	return {
		status: String(status),
		tone: status < 400 ? 'ok' : 'error',
		duration,
		response,
		...(requestId === null ? {} : { requestId })
	};
}

/** Indents JSON. Returns any other text unchanged. */
export function prettyJson(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

const loggedHeaders =
	/^(?:content-type|date|cache-control|www-authenticate|allow|vary|x-request-id|x-tollgate-address|x-ratelimit-.*)$/;
const maxLoggedBody = 16_384;

function messageText(line: string, headers: readonly [string, string][], body: string): string {
	const lines = headers.map(([name, value]) => `${name}: ${redactHeaders([name, value])[1] ?? ''}`);
	return [line, ...lines, ...(body === '' ? [] : ['', body])].join('\n');
}

function tokenFields({ scope, lifetime, hasRefreshToken }: TokenSummary): NonNullable<NewEvent['fields']> {
	return [
		['expires_in', lifetime === null ? 'unknown' : `${String(lifetime / 1000)} s`],
		['refresh_token', hasRefreshToken ? 'yes' : 'none'],
		['scope', scope.join(' ')]
	];
}

/**
 * A path, or a text with one, for reading: without its sandbox, its spaces and letters decoded. An escape that hides a separator or
 * a control character stays. Lines do not break at its spaces.
 */
export function readablePath(text: string): string {
	const path = text.replace(/\/~[^/\s]+(?=\/)/, '');
	try {
		const decoded = decodeURI(path.replaceAll('%20', '\u00a0'));
		return /\p{C}/u.test(decoded) ? path : decoded;
	} catch {
		return path;
	}
}
