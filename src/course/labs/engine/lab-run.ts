import type { SettingsChange } from '#api/control/settings.ts';
import { PageClock } from '#hosts/page/page-clock.ts';
import { fromInit, PageService, toResponse } from '#hosts/page/page-service.ts';
import type { Weakness } from '#service/core/weaknesses.ts';
import { AttackerSite, attackerOrigin, type BackRequest, type Site } from './site.ts';
import { CharacterViewer, rightViewer, type Issuer, type ViewerOptions } from './character-viewer.ts';
import { viewerName, viewerOrigin } from './viewer-pages.ts';
import { LabBrowser } from './lab-browser.ts';
import { dataOf, LabNetwork, NotDelivered, sentRequest, type HeldMessage } from './lab-network.ts';
import { secondIssuer, usernames, type BrowserParty, type Message, type Party } from './message.ts';
import { labRandom, type LabRandom } from './lab-random.ts';

/** What a lab is made of. */
export type LabWorld = {
	readonly settings?: SettingsChange;
	/** Of the service. */
	readonly weaknesses?: readonly Weakness[];
	/** What is wrong in the client. */
	readonly client?: Partial<ViewerOptions>;
	/** Further sites, by their origin. */
	readonly sites?: (run: LabRun) => Readonly<Record<string, { readonly party: Party; readonly site: Site }>>;
	/** A second authorization server, which the attacker owns. */
	readonly hasSecondIssuer?: boolean;
	/** Further applications of the service: the attacker's. */
	readonly applications?: readonly {
		readonly client_id: string;
		readonly name: string;
		readonly redirect_uri: string;
	}[];
	/** `each`: requests of an application count for its virtual address. Default: all count for one address. */
	readonly addresses?: 'shared' | 'each';
	/** Whether the client has no secret. */
	readonly isPublic?: boolean;
	/** Whether Tollgate expects a secret of the client, also of one that has none. */
	readonly requiresSecret?: boolean;
	/** What is registered after the redirect URI of the client. */
	readonly registeredSuffix?: string;
	/** What happened before the lab begins. It is not in the log. */
	readonly before?: (run: LabRun) => Promise<unknown>;
	/** The messages that the attacker can hold: those of the attacker's browser, and those that arrive at the attacker's servers. */
	readonly holds?: (message: Pick<Message, 'from' | 'to' | 'url'>) => boolean;
};

/** A seed for a new run. */
export const newSeed = (): number => Math.floor(Math.random() * 2 ** 31);

type RunOptions = {
	/** The base URL of the site, without a trailing slash: pages of the service find their style sheet there. */
	readonly baseUrl: string;
	/** Is called whenever something has changed. */
	readonly onChange?: () => void;
	/** The same one leads to the same codes, tokens and states. Default: a new one. */
	readonly seed?: number | undefined;
	/** When the lab begins, in milliseconds since 1970. Default: now. */
	readonly start?: number | undefined;
};

/** One run of a lab: its services, sites and browsers, all in this page, and the log of their messages. */
export class LabRun {
	/** The values that the attacker chose or copied. */
	marked: ReadonlySet<string> = new Set();
	/** Where the link on the attacker's page leads. */
	link: string | undefined;
	/** What the attacker has copied, by name. */
	copied: ReadonlyMap<string, string> = new Map();
	/** The applications that the attacker registered: their ids, by name. */
	registered: ReadonlyMap<string, string> = new Map();
	readonly clock: PageClock;
	/** For sites of the lab. */
	readonly random: (name: string) => LabRandom;
	readonly service: PageService<number>;
	/** The attacker's. */
	readonly second: PageService<number> | undefined;
	readonly browsers: Readonly<Record<BrowserParty, LabBrowser>>;
	/** Without an issuer until the lab is built. */
	viewer: CharacterViewer;
	/** The tokens that the client had when the lab began. */
	backup: CharacterViewer['stored'] = [];
	/** What leaked, and when. */
	leaked: { readonly code: string; readonly at: number } | undefined;
	/** The secrets of further applications, by their id. */
	secrets: ReadonlyMap<string, string> = new Map();
	readonly #world: LabWorld;
	readonly #network: LabNetwork;
	readonly #onChange: () => void;
	/** By how much its clock is behind the real one, in milliseconds. */
	#lag: number;

	private constructor(world: LabWorld, { baseUrl, onChange = () => {}, seed = newSeed(), start }: RunOptions) {
		const { weaknesses, hasSecondIssuer = false, holds = () => false, sites } = world;
		this.#world = world;
		this.#onChange = onChange;
		this.#lag = start === undefined ? 0 : Date.now() - start;
		this.clock = new PageClock(() => Date.now() - this.#lag);
		this.random = (name) => labRandom(seed, name);
		const { clock } = this;
		const randomOf = (name: string) => this.random(name).bytes;
		const service = new PageService<number>(baseUrl, clock, {
			weaknesses: new Set(weaknesses),
			random: randomOf('service')
		});
		const second = hasSecondIssuer
			? new PageService<number>(secondIssuer, clock, { random: randomOf('second') })
			: undefined;
		this.viewer = new CharacterViewer(rightViewer, [], this.random('viewer'));
		this.service = service;
		this.second = second;
		this.#network = new LabNetwork({ clock, service, second, holds, onChange });
		this.#network.sites.set(attackerOrigin, { party: 'attacker_site', site: new AttackerSite(() => this.link) });
		for (const [origin, site] of Object.entries(sites?.(this) ?? {})) this.#network.sites.set(origin, site);
		const origins = [viewerOrigin, secondIssuer, ...this.#network.sites.keys()];
		const browser = (party: BrowserParty) =>
			new LabBrowser({
				username: usernames[party],
				baseUrl,
				origins,
				now: clock.now,
				onChange,
				send: async (url, init) => {
					const got = await this.#network.send(party, fromInit(url, init));
					if (got === undefined) throw new NotDelivered('There is no response.');
					return { response: toResponse(got.response), view: got.view };
				}
			});
		this.browsers = { attacker: browser('attacker'), victim: browser('victim'), good_user: browser('good_user') };
	}

	/** Builds a lab. @throws ControlError */
	static async open(world: LabWorld, options: RunOptions): Promise<LabRun> {
		const run = new LabRun(world, options);
		await run.#prepare();
		return run;
	}

	/** The messages, oldest first. */
	get log(): readonly Message[] {
		return this.#network.log;
	}

	get held(): HeldMessage | undefined {
		return this.#network.held;
	}

	/** The tool of the attacker: the next message that can be held stops before it arrives. What is held now never arrives. */
	hold(isHolding = true): void {
		if (isHolding) this.drop();
		this.#network.isHolding = isHolding;
		this.#onChange();
	}

	/** Does something whose next message that can be held is lost. What the attacker holds stays. @returns the lost message */
	async lose(work: () => Promise<unknown>): Promise<HeldMessage | undefined> {
		const kept = this.#network.held;
		this.#network.held = undefined;
		this.#network.isHolding = true;
		await work();
		const lost = this.#network.held;
		this.drop();
		this.#network.isHolding = false;
		this.#network.held = kept;
		return lost;
	}

	/** Moves the clock to a moment. @param now in milliseconds since 1970 */
	setClock(now: number): void {
		this.#lag += this.clock.now() - now;
	}

	/** Changes a parameter of the held message. @param value undefined removes it */
	change(name: string, value: string | undefined): void {
		this.held?.change(name, value);
		this.#onChange();
	}

	/** Takes a change of the held message back. */
	undo(name: string): void {
		this.held?.undo(name);
		this.#onChange();
	}

	/** Puts the held message on the attacker's page, as its link. It stays undelivered. */
	putOnPage(): void {
		if (this.held === undefined) return;
		const url = this.held.url();
		this.drop();
		this.setLink(url);
	}

	/** Chooses where the link on the attacker's page leads. */
	setLink(url: string): void {
		this.link = url;
		this.#onChange();
	}

	/**
	 * Lets the held message arrive, with its changes.
	 * @param options `base` of another endpoint: the attacker's server redirects the browser there. `holdsNext`: what follows is held
	 */
	async release({
		base,
		holdsNext = false
	}: { readonly base?: string; readonly holdsNext?: boolean } = {}): Promise<void> {
		const { held } = this;
		const message = this.log.find(({ id }) => id === held?.id);
		if (held === undefined || message === undefined) return;
		this.#network.held = undefined;
		const outcome = base === undefined ? 'Released' : 'Redirected by the attacker';
		this.#network.replace(message.id, { state: 'responded', outcome, tone: 'plain' });
		const { attacker, victim, good_user } = this.browsers;
		const browser = message.from === 'victim' ? victim : message.from === 'good_user' ? good_user : attacker;
		this.#network.isHolding = holdsNext;
		this.#network.released = held.url(base);
		await browser.open(this.#network.released, { isRedirect: true });
	}

	/** The held message never arrives. */
	drop(): void {
		const { held } = this;
		this.#network.held = undefined;
		if (held !== undefined) this.#network.replace(held.id, { outcome: 'Never arrived', tone: 'plain' });
		this.#onChange();
	}

	/** A user opens the attacker's page, and then its link. */
	async openPage(party: BrowserParty): Promise<void> {
		const { link } = this;
		const browser = this.browsers[party];
		await browser.open(`${attackerOrigin}/`);
		if (link !== undefined) await browser.open(link, { isRedirect: true });
	}

	/** Marks a value as the attacker's, and keeps it by a name. */
	copy(name: string, value: string): void {
		this.copied = new Map([...this.copied, [name, value]]);
		this.mark(value);
	}

	/** Marks a value as the attacker's. */
	mark(value: string): void {
		this.marked = new Set([...this.marked, value]);
		this.#onChange();
	}

	/** Sends a request of a user without a browser. Undefined: no response. */
	async sendAs(
		party: BrowserParty,
		request: BackRequest
	): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
		const got = await this.#network.send(party, sentRequest(request));
		return got && { status: got.response.status, body: dataOf(got.response.body) };
	}

	async #prepare(): Promise<void> {
		const { settings, applications = [], before, client, addresses } = this.#world;
		const { isPublic = false, requiresSecret = false, registeredSuffix = '' } = this.#world;
		const options: ViewerOptions = { ...rightViewer, ...client };
		const prepared = settings === undefined ? {} : { settings };
		const unconnected = new CharacterViewer(options, [], this.random('viewer'));
		const viewerAt = ({ id, clientId }: Pick<Issuer, 'id' | 'clientId'>) => ({
			client_id: clientId,
			name: viewerName,
			redirect_uri: unconnected.redirectUriOf({ id }) + (id === 'tollgate' ? registeredSuffix : '')
		});
		const own = { id: 'tollgate', baseUrl: this.service.baseUrl, clientId: 'viewer' };
		const registered = [viewerAt(own), ...applications].map(({ client_id, name, redirect_uri }, at) => ({
			client_id,
			name,
			kind: isPublic && !requiresSecret && at === 0 ? ('installed' as const) : ('web' as const),
			redirect_uris: [redirect_uri]
		}));
		await this.service.prepare({ ...prepared, applications: registered });
		for (const [at, { client_id }] of registered.entries()) {
			this.secrets = new Map([...this.secrets, [client_id, await this.service.secretOf(client_id)]]);
			const body = { address: `192.0.2.${at + 1}` };
			if (addresses === 'each')
				await this.service.api.request('PATCH /control/applications/{client_id}', { path: { client_id }, body });
		}
		const issuers: Issuer[] = [{ ...own, secret: isPublic ? undefined : this.secrets.get(own.clientId) }];
		if (this.second !== undefined) {
			const other = { id: 'second', baseUrl: secondIssuer, clientId: 'viewer-2' };
			const { redirect_uri, ...viewer } = viewerAt(other);
			await this.second.prepare({
				...prepared,
				applications: [{ ...viewer, kind: 'web', redirect_uris: [redirect_uri] }]
			});
			issuers.push({ ...other, secret: await this.second.secretOf(other.clientId) });
		}
		this.viewer = new CharacterViewer(options, issuers, this.random('viewer'));
		this.#network.sites.set(viewerOrigin, { party: 'client', site: this.viewer });
		await before?.(this);
		this.backup = this.viewer.stored;
		this.#network.log = [];
		this.#onChange();
	}
}
