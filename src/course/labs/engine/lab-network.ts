import type { WireResponse } from '#api/message.ts';
import type { PageClock } from '#hosts/page/page-clock.ts';
import type { PageService, SentRequest } from '#hosts/page/page-service.ts';
import type { Message, Party } from './message.ts';
import type { BackRequest, Site, View } from './site.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { issued, parameter } from '#evidence/exchanges.ts';

/** A message that got no response: the attacker holds it, or the receiver sent none. */
export class NotDelivered extends Error {
	override name = 'NotDelivered';
}

/** What came back for a request. */
export type Delivered = {
	readonly response: WireResponse;
	readonly view?: View | undefined;
	/** Of the token, as the service recorded it. */
	readonly username?: string | undefined;
};

type Options = {
	readonly clock: PageClock;
	readonly service: PageService<number>;
	/** The attacker's. */
	readonly second: PageService<number> | undefined;
	/** The messages that the attacker can hold. */
	readonly holds: (message: Pick<Message, 'from' | 'to' | 'url'>) => boolean;
	readonly onChange: () => void;
};

/** What connects the parties of a lab, and records their messages. Nothing else is in reach. */
export class LabNetwork {
	/** Oldest first. */
	log: readonly Message[] = [];
	/** Whether the next message that can be held is held. */
	isHolding = false;
	held: HeldMessage | undefined;
	/** The URL of a message that was held before, and is not held again. */
	released: string | undefined;
	/** By origin. */
	readonly sites = new Map<string, { readonly party: Party; readonly site: Site }>();
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
	}

	/** Changes a message of the log. */
	replace(id: number, change: Partial<Message>): void {
		this.log = this.log.map((message) => (message.id === id ? { ...message, ...change } : message));
		this.#options.onChange();
	}

	/** Delivers a request, and records it. Undefined: no response, or it is held. @throws NotDelivered for a URL outside the lab */
	async send(from: Party, request: SentRequest, cause?: number): Promise<Delivered | undefined> {
		const { url, method } = request;
		const to = this.#partyOf(new URL(url));
		const form = new TextDecoder().decode(request.body);
		const id = (this.log.at(-1)?.id ?? 0) + 1;
		const isHeld =
			this.isHolding && this.held === undefined && url !== this.released && this.#options.holds({ from, to, url });
		const message: Message = {
			id,
			from,
			to,
			...(cause !== undefined && { cause }),
			method,
			url,
			form,
			state: isHeld ? 'held' : 'sent',
			outcome: isHeld ? 'Held, not delivered' : '',
			tone: isHeld ? 'held' : 'plain'
		};
		this.log = [...this.log, message];
		if (isHeld) {
			this.isHolding = false;
			this.held = new HeldMessage(id, url, this.#options.clock.now());
			this.#options.onChange();
			return undefined;
		}
		const { service: first, second } = this.#options;
		const service = to === 'service' ? first : to === 'second_service' ? second : undefined;
		return service === undefined ? this.#toSite(id, request) : this.#toService(id, request, service);
	}

	async #toService(id: number, request: SentRequest, service: PageService<number>): Promise<Delivered | undefined> {
		const response = await service.send(request, id);
		const entry = service.entries.findLast((one) => service.senderOf(one) === id);
		this.replace(id, {
			state: 'responded',
			status: response?.status,
			...(entry !== undefined && {
				entry,
				...outcomeOf(entry, service === this.#options.service ? 'service' : 'second_service')
			})
		});
		return response && { response, username: entry?.username };
	}

	async #toSite(id: number, request: SentRequest): Promise<Delivered> {
		const url = new URL(request.url);
		const known = this.sites.get(url.origin);
		if (known === undefined) throw new NotDelivered(`${url.origin} is not part of this lab.`);
		const headers = new Map(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
		const { outcome, tone, status, location, cookie, view, data, rule, compared } = await known.site.handle({
			method: request.method,
			url,
			form: new URLSearchParams(new TextDecoder().decode(request.body)),
			cookies: cookiesOf(headers.get('cookie') ?? ''),
			authorization: headers.get('authorization'),
			now: this.#options.clock.now,
			fetchSite: headers.get('sec-fetch-site'),
			send: async (own) => {
				const got = await this.send(known.party, sentRequest(own), id);
				return got && { status: got.response.status, body: dataOf(got.response.body), username: got.username };
			}
		});
		this.replace(id, {
			state: 'responded',
			status,
			outcome,
			tone,
			...(rule !== undefined && { rejection: { id: rule, by: known.party, ...compared } })
		});
		const response: WireResponse = {
			kind: 'response',
			status,
			headers: [
				...(location === undefined ? [] : ['Location', location]),
				...(cookie === undefined ? [] : ['Set-Cookie', `${cookie}; Path=/; Secure; HttpOnly; SameSite=None`])
			],
			body: data === undefined ? '' : JSON.stringify(data)
		};
		return { response, view };
	}

	#partyOf(url: URL): Party {
		const { service, second } = this.#options;
		if (service.has(url)) return 'service';
		if (second?.has(url) === true) return 'second_service';
		const site = this.sites.get(url.origin);
		if (site === undefined) throw new NotDelivered(`${url.origin} is not part of this lab.`);
		return site.party;
	}
}

/** A request of a site, or of the attacker without a browser. */
export function sentRequest({ method, url, form, authorization, headers = [] }: BackRequest): SentRequest {
	const body = form === undefined ? '' : new URLSearchParams(form).toString();
	return {
		method,
		url,
		headers: [
			['accept', 'application/json'],
			...(form === undefined ? [] : [['content-type', 'application/x-www-form-urlencoded'] as const]),
			...(authorization === undefined ? [] : [['authorization', authorization] as const]),
			...headers
		],
		body: new TextEncoder().encode(body)
	};
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
	return new Map(
		header.split('; ').map((pair) => {
			const at = pair.indexOf('=');
			return [pair.slice(0, at), pair.slice(at + 1)];
		})
	);
}

/** The data of a JSON body. Undefined: it is none. */
export function dataOf(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		return undefined;
	}
}

/** What a service recorded of a request, for its row. */
export function outcomeOf(entry: TrafficEntry, by: Party): Pick<Message, 'outcome' | 'tone' | 'rejection'> {
	const { response, trace, username = 'no user' } = entry;
	const failed = trace.findLast(({ outcome }) => outcome === 'failed');
	if (failed === undefined && response !== null)
		return { outcome: accepted(entry, username), tone: response.status < 400 ? 'ok' : 'error' };
	const { id = '', found, expected } = failed ?? { id: trace.at(-1)?.id };
	const outcome = describeOutcome(entry, 'character').short;
	return { outcome, tone: 'error', rejection: { id, by, found, expected } };
}

function accepted(entry: TrafficEntry, username: string): string {
	const { endpoint, response, trace } = entry;
	if (issued(entry, 'code') !== undefined) return `Code for ${username}`;
	if (issued(entry, 'access_token') !== undefined) return `Token of ${entry.username ?? entry.client_id ?? username}`;
	if (endpoint === 'character' || endpoint === 'userinfo') return username;
	if (/<title>Sign in/.test(response?.body ?? '')) return 'Sign-in page shown';
	if (/name="decision"/.test(response?.body ?? '')) return 'Consent page shown';
	if (endpoint === 'device_authorization') return 'Codes for a device';
	const decision = parameter(entry, 'decision');
	if (decision === 'approve' || decision === 'deny')
		return `${decision === 'deny' ? 'Denied' : 'Allowed'} by ${username}`;
	return trace.at(-1)?.detail || describeOutcome(entry, 'character').short;
}

/** A parameter of a held message. */
export type HeldField = {
	readonly name: string;
	/** As the sender sent it. Absent of a parameter that was added. */
	readonly sent: string | undefined;
	/** Undefined: removed. */
	readonly value: string | undefined;
};

/** A request that the attacker holds before it arrives: its parameters can be changed. */
export class HeldMessage {
	/** The id of the message in the log. */
	readonly id: number;
	fields: readonly HeldField[];
	/** When the attacker began to hold it, in milliseconds by the clock of the lab. */
	readonly at: number;
	readonly #url: URL;

	constructor(id: number, url: string, at: number) {
		this.id = id;
		this.#url = new URL(url);
		this.at = at;
		this.fields = [...this.#url.searchParams].map(([name, value]) => ({ name, sent: value, value }));
	}

	/** Without its parameters. */
	get target(): string {
		return this.#url.origin + this.#url.pathname;
	}

	/** Changes a parameter. @param value undefined removes it */
	change(name: string, value: string | undefined): void {
		const isKnown = this.fields.some((field) => field.name === name);
		if (!isKnown) this.fields = [...this.fields, { name, sent: undefined, value }];
		else this.fields = this.fields.map((field) => (field.name === name ? { ...field, value } : field));
	}

	/** Takes a change back. */
	undo(name: string): void {
		const field = this.fields.find((one) => one.name === name);
		if (field !== undefined) this.change(name, field.sent);
	}

	get isChanged(): boolean {
		return this.fields.some(({ sent, value }) => sent !== value);
	}

	valueOf(name: string): string | undefined {
		return this.fields.find((field) => field.name === name)?.value;
	}

	/** The URL with all changes. @param base of another endpoint. Default: its own */
	url(base = this.target): string {
		const query = new URLSearchParams(
			this.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))
		);
		return `${base}?${query.toString()}`;
	}
}
