import type { WireResponse } from '#api/message.ts';
import type { PageClock } from '#hosts/page/page-clock.ts';
import type { PageService, SentRequest } from '#hosts/page/page-service.ts';
import { HeldMessage } from './held-message.ts';
import type { Message, Party } from './message.ts';
import { outcomeOf } from './outcome.ts';
import type { BackRequest, Site, View } from './site.ts';

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
