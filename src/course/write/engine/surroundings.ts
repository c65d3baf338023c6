import * as v from 'valibot';
import { headerOf, type SentRequest } from '#hosts/page/page-service.ts';
import { clientId, redirectUri } from './exercise-client.ts';
import type { ExerciseService } from './exercise-service.ts';
import {
	programLimits,
	type Handler,
	type ConsoleLine,
	type ReceivedResponse,
	type Surroundings
} from './program/program.ts';
import type { ProgramConfig } from './program/messages.ts';
import { sendAsPage } from './page-fetch.ts';
import type { UserBrowser } from './user-browser.ts';

/** The permissions that programs ask for. */
const scope = 'character_read';
const maxRedirects = 20;

const text = v.pipe(v.string(), v.maxLength(10_000));
const url = v.pipe(v.string(), v.maxLength(10_000));
const key = v.pipe(v.string(), v.maxLength(200));
const fetchRequest = v.object({
	method: text,
	url,
	/** As a script of the client's page. */
	asPage: v.boolean(),
	redirect: v.picklist(['follow', 'error', 'manual']),
	headers: v.pipe(v.array(v.tuple([text, text])), v.maxLength(100)),
	body: v.pipe(v.instance(Uint8Array), v.maxLength(programLimits.text))
});
const storedValue = v.tuple([key, v.unknown()]);
const digestRequest = v.tuple([
	v.picklist(['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']),
	v.union([v.instance(Uint8Array), v.instance(ArrayBuffer)])
]);
/** The paths of the service that a client sends requests to. The control API, the log and the account of the user are not among them. */
const clientPath = /^\/(?:ws|ratelimiting|\.well-known)(?:\/|$)/;
const authorizationPath = /^\/ws\/oauth2\/auth(?:\/|$)/;
/** How long all must be quiet before the clock moves to a timer of a second or more, in milliseconds: it may be a time limit. */
const timerPatience = 40;

const timer = v.pipe(v.number(), v.safeInteger());
/** A day. */
const milliseconds = v.pipe(v.number(), v.finite(), v.maxValue(86_400_000));

/** What a client keeps at most. */
const maxStored = 1000;

/** What a program of an exercise reaches: the service, the user's browser, its storage and its clock. Nothing else. */
export class ExerciseSurroundings implements Surroundings {
	/** What the client keeps. */
	readonly stored = new Map<string, unknown>();
	readonly config: ProgramConfig;
	readonly handlers: Surroundings['handlers'];
	readonly log: (line: ConsoleLine) => void;
	readonly now: () => number;
	readonly isWaiting: () => boolean;
	readonly #service: ExerciseService;
	/** The code verifiers that the program sent, oldest first. */
	readonly verifiers: string[] = [];
	/** The requests without a response yet. */
	readonly #open = new Set<Promise<unknown>>();
	/** The timers that run. */
	readonly #timers = new Map<number, AbortController>();

	constructor(service: ExerciseService, browser: UserBrowser, log: (line: ConsoleLine) => void) {
		const { baseUrl, secret, clock } = service;
		this.#service = service;
		this.log = log;
		this.now = clock.now;
		this.isWaiting = () => browser.isWaiting;
		this.config = {
			id: clientId,
			secret,
			issuer: baseUrl,
			redirectUri,
			authorizationUrl: `${baseUrl}/ws/oauth2/auth/`,
			tokenUrl: `${baseUrl}/ws/oauth2/token/`,
			revocationUrl: `${baseUrl}/ws/oauth2/revoke`,
			characterUrl: `${baseUrl}/ws/v2.0/character/`,
			rateLimitsUrl: `${baseUrl}/ws/v2.0/ratelimits`,
			scope
		};
		this.handlers = {
			fetch: (value, line) => this.#noted(this.#fetch(value, line)),
			open: async (value, line) => {
				const text = parse(url, value);
				if (!URL.canParse(text))
					throw new TypeError(`“${text.slice(0, 80)}” is no absolute URL, so no browser can open it.`);
				const target = new URL(text);
				if (service.has(target) && !authorizationPath.test(this.#pathOf(target)))
					throw new TypeError(
						`The user’s browser opens the authorization endpoint and your redirect URI only. ${target.pathname} is another page.`
					);
				return (await browser.open(target.href, line)).href;
			},
			get: async (value) => this.stored.get(parse(key, value)),
			set: async (value) => {
				const [name, kept] = parse(storedValue, value);
				if (this.stored.size >= maxStored && !this.stored.has(name))
					throw new Error('The storage holds 1,000 values at most.');
				this.stored.set(name, kept);
			},
			delete: async (value) => void this.stored.delete(parse(key, value)),
			digest: async (value) => {
				const [algorithm, data] = parse(digestRequest, value);
				return crypto.subtle.digest(algorithm, data);
			},
			sleep: async (value) => clock.sleep(parse(milliseconds, value)),
			timer: async (value) => {
				const [id, time] = parse(v.tuple([timer, milliseconds]), value);
				const ended = new AbortController();
				this.#timers.set(id, ended);
				const { signal } = ended;
				await clock.sleep(time, { signal, ...(time < 1000 ? {} : { patience: timerPatience }) });
				this.#timers.delete(id);
			},
			clear: async (value) => this.#timers.get(parse(timer, value))?.abort()
		} satisfies Record<string, Handler>;
	}

	/** Resolves once each request has its response, or after a second: a function may end without waiting for its requests. */
	async settled(): Promise<void> {
		// A request without an await is posted right after the result.
		await new Promise((resolve) => setTimeout(resolve));
		if (this.#open.size === 0) return;
		const limit = new Promise((resolve) => setTimeout(resolve, 1000));
		await Promise.race([Promise.allSettled(this.#open), limit]);
	}

	async #noted<T>(request: Promise<T>): Promise<T> {
		this.#open.add(request);
		try {
			return await request;
		} finally {
			this.#open.delete(request);
		}
	}

	async #fetch(value: unknown, line: number | undefined): Promise<ReceivedResponse> {
		const { redirect, asPage, ...request } = parse(fetchRequest, value);
		const verifier = new URLSearchParams(new TextDecoder().decode(request.body)).get('code_verifier');
		if (verifier !== null) this.verifiers.push(verifier);
		const send = (one: SentRequest) => this.#service.send(one, { by: 'client', line });
		let next: SentRequest = request;
		for (let step = 0; step < maxRedirects; step++) {
			const target = new URL(next.url);
			if (!this.#service.has(target))
				throw new TypeError(
					`A program here reaches the service of its exercise only. ${target.origin}${target.pathname} is not part of it: use the URLs in config.`
				);
			const rejection = this.#rejectionOf(next.method, target);
			if (rejection !== undefined) return { ...rejection, url: next.url, isCut: false };
			const response = await (asPage ? sendAsPage(next, send) : send(next));
			if (response === undefined) throw new TypeError('The service closed the connection without a response.');
			const location = headerOf(response, 'location');
			const isRedirect = location !== undefined && response.status >= 300 && response.status < 400;
			if (!isRedirect || redirect === 'manual')
				return {
					status: response.status,
					headers: pairsOf(response.headers),
					body: response.body,
					url: next.url,
					isCut: response.isTruncated === true
				};
			if (redirect === 'error') throw new TypeError('The service redirected, and the request does not allow it.');
			next = { method: 'GET', url: new URL(location, next.url).href, headers: next.headers, body: new Uint8Array(0) };
		}
		throw new TypeError('The service redirected too often.');
	}

	/** The path below the base URL, as the service reads it. */
	#pathOf({ href }: URL): string {
		return href.slice(this.#service.baseUrl.length).replace(/[?#].*$/s, '');
	}

	/** The response to a request that a client does not send: it would change what judges the program. */
	#rejectionOf(method: string, target: URL): Pick<ReceivedResponse, 'status' | 'headers' | 'body'> | undefined {
		const path = this.#pathOf(target);
		const isOfUser = authorizationPath.test(path) && !['GET', 'HEAD'].includes(method.toUpperCase());
		if (clientPath.test(path) && !isOfUser) return undefined;
		const error_description = isOfUser
			? 'Only the user’s browser submits pages of the service. Open the authorization URL with browser.open().'
			: 'A program here reaches the service as a client does. Use the URLs in config.';
		return {
			status: 403,
			headers: [['Content-Type', 'application/json']],
			body: JSON.stringify({ error: 'access_denied', error_description })
		};
	}
}

function parse<T>(schema: v.GenericSchema<unknown, T>, value: unknown): T {
	const parsed = v.safeParse(schema, value);
	if (!parsed.success) throw new TypeError('The value is of another kind than expected, or too large.');
	return parsed.output;
}

/** What a program may read of a response: no cookies, as for any `fetch`. */
function pairsOf(headers: readonly string[]): [string, string][] {
	return headers.flatMap((name, at) =>
		at % 2 === 0 && name.toLowerCase() !== 'set-cookie' ? [[name, headers[at + 1] ?? '']] : []
	);
}
