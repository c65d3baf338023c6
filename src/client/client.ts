import { characterViewer, type Application } from './application.ts';
import type { Bell } from './bell.ts';
import { Desk } from './desk.ts';
import type { Drawer } from './drawer.ts';
import { endpointsOf, type Endpoints } from './endpoints.ts';
import { Journal } from './events.ts';
import type { Locks } from './locks.ts';
import { Breaker } from './manners/breaker.ts';
import { LimitGate } from './manners/limit-gate.ts';
import { WatchList, type WatchPace } from './manners/watch.ts';
import { Memory } from './memory.ts';
import { Problem } from './problems.ts';
import { Ledger } from './resources/ledger.ts';
import { Resources } from './resources/resources.ts';
import { ServiceClock } from './service-clock.ts';
import type { Credentials, Shelf } from './shelf.ts';
import { receiveAnswer, type Carrier } from './sign-in/callback.ts';
import { Flows, type Flow } from './sign-in/flows.ts';
import { authorizationRequest, type AuthorizationRequest, type Binding, type Wishes } from './sign-in/request.ts';
import { Switches } from './switches.ts';
import { Choices } from './tokens/choices.ts';
import { Keeper } from './tokens/keeper.ts';
import { Sessions, type Session } from './tokens/sessions.ts';
import { signOut, type SignOut } from './tokens/sign-out.ts';
import { TokenEndpoint } from './tokens/token-endpoint.ts';
import { wiretap, type Fetch, type WireTools } from './wiretap.ts';
import { mask } from './mask.ts';
import type { XmlReader } from './xml.ts';

/** Everything of the outside world that the client uses. */
export type Surroundings = Pick<WireTools, 'fetch' | 'now' | 'timeout'> & {
	readonly shelf: Shelf;
	/** None in a program that is not loaded anew. */
	readonly drawer?: Drawer;
	readonly locks: Locks;
	readonly bell: Bell;
	readonly readXml: XmlReader;
	/** This tab, or this process. Unguessable, and the same after a reload. */
	readonly tab: string;
	readonly newId: () => string;
	/** A number from 0 up to 1. */
	readonly jitter: () => number;
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
};

/** Section 8.9: every quarter of a minute, for two minutes after somebody was last active. */
const watchPace: WatchPace = { every: 15_000, activeFor: 120_000 };

/** An application at one service, without any page: *Character Viewer*, or another that is given. */
export class Client {
	readonly endpoints: Endpoints;
	readonly journal: Journal;
	readonly clock: ServiceClock;
	readonly sessions: Sessions;
	readonly keeper: Keeper;
	readonly ledger = new Ledger();
	readonly breaker: Breaker;
	readonly gate: LimitGate;
	readonly resources: Resources;
	readonly fetch: Fetch;
	readonly switches: Switches;
	readonly watchList: WatchList;
	readonly choices: Choices;
	readonly desk: Desk;
	/** Lent by the host. */
	readonly readXml: XmlReader;
	/** Lent by the host. Waits, in milliseconds. */
	readonly sleep: Surroundings['sleep'];
	readonly memory: Memory;
	readonly #around: Surroundings;
	readonly #flows: Flows;
	readonly #standard: Application;

	/**
	 * @param base_url of the service, without a trailing slash
	 * @param around the outside world
	 * @param application who the client is; *Character Viewer* where none is given
	 */
	constructor(base_url: string, around: Surroundings, application: Application = characterViewer(base_url)) {
		const { shelf, now, jitter, tab } = around;
		this.#around = around;
		this.#standard = application;
		this.endpoints = endpointsOf(base_url);
		const journal = new Journal(now);
		this.journal = journal;
		this.clock = new ServiceClock(now, (difference) => {
			const facts = [['by', `${String(Math.round(difference / 1000))} s`]] as const;
			journal.tell({ kind: 'noticed', what: 'The clock of the service was moved', facts });
		});
		const serviceNow = () => this.clock.now();
		this.memory = new Memory({ ...around, service: base_url, journal, clock: this.clock, ledger: this.ledger });
		this.switches = new Switches(base_url, around);
		this.watchList = new WatchList(base_url, watchPace, around);
		this.choices = new Choices(shelf, tab, base_url);
		this.desk = new Desk(shelf, tab, base_url);
		this.readXml = around.readXml;
		this.sleep = around.sleep;
		this.fetch = wiretap({ ...around, journal, clock: this.clock });
		this.#flows = new Flows(shelf, now);
		this.sessions = new Sessions(base_url, { ...around, journal, serviceNow });
		this.breaker = new Breaker({ ...around, endpoints: this.endpoints, fetch: this.fetch, journal });
		this.gate = new LimitGate(jitter);
		this.breaker.listen(() => {
			const records = this.breaker.standing?.records ?? [];
			for (const { pattern, remaining } of records) if (remaining > 0) this.gate.open(pattern);
		});
		const tokenEndpoint = () => this.#tokenEndpoint();
		this.keeper = new Keeper({ ...around, sessions: this.sessions, journal, tokenEndpoint, serviceNow });
		this.resources = new Resources({
			...{ ...around, fetch: this.fetch, keeper: this.keeper, sessions: this.sessions, ledger: this.ledger },
			...{ gate: this.gate, breaker: this.breaker, journal, serviceNow },
			throttles: () => this.switches.now.throttle
		});
	}

	/** Who the client is: as registered, with the credentials that the settings hold. */
	async application(): Promise<Application> {
		const held = (await this.#around.shelf.read('credentials'))?.[this.endpoints.base_url];
		return { ...this.#standard, ...held };
	}

	/** Changes the credentials; undefined puts those of the demo world back. */
	async setCredentials(credentials: Credentials | undefined): Promise<void> {
		const here = this.endpoints.base_url;
		await this.#around.shelf.update('credentials', (all = {}) => {
			const others = Object.fromEntries(Object.entries(all).filter(([base_url]) => base_url !== here));
			return credentials === undefined ? others : { ...others, [here]: credentials };
		});
	}

	/** Takes up where the last page stood: the service's clock and gauges, the switches and the watch list, this tab's steps and desk. */
	async recall(): Promise<void> {
		await Promise.all([
			this.memory.recall(),
			this.switches.load(),
			this.watchList.load(),
			this.breaker.load(),
			this.desk.load()
		]);
		this.memory.recallSteps();
	}

	/**
	 * Gets ready to leave for the service: remembers the state, and returns the request to go to.
	 * @param wishes what the person chose
	 * @param binding as it was shown
	 * @param session one that has ended and is to be renewed
	 */
	async depart(wishes: Wishes, binding: Binding, session: string | null): Promise<AuthorizationRequest> {
		const application = await this.application();
		const request = authorizationRequest(this.endpoints, application, wishes, binding);
		await this.#flows.start({
			state: binding.state,
			tab: this.#around.tab,
			service: this.endpoints.base_url,
			client_id: application.client_id,
			redirect_uri: application.redirect_uri,
			scope: wishes.scope,
			access_type: wishes.access_type,
			verifier: wishes.pkce ? binding.verifier : null,
			session
		});
		const facts = [
			['state', mask(binding.state)],
			['scope', wishes.scope.join(' ')],
			['access_type', wishes.access_type]
		] as const;
		this.journal.tell({
			kind: 'stored',
			what: 'Remembered the state and the service it belongs to',
			facts,
			section: '2.1'
		});
		this.journal.tell({
			kind: 'opened',
			what: 'Leaving for the service',
			facts: [['at', this.endpoints.authorize]],
			section: '2.1'
		});
		await this.memory.rememberClock();
		return request;
	}

	/**
	 * Receives the answer of the service on the callback address.
	 * @param answer its query
	 * @param carrier see `receiveAnswer`
	 * @throws {Problem} see `receiveAnswer`
	 */
	async arrive(answer: URLSearchParams, carrier: Carrier = 'answer'): Promise<Session> {
		const application = await this.application();
		const tools = {
			flows: this.#flows,
			journal: this.journal,
			tokenEndpoint: (started: Flow) => this.#endpointFor({ ...application, redirect_uri: started.redirect_uri })
		};
		const { flow, tokens } = await receiveAnswer(answer, this.#around.tab, this.endpoints.base_url, tools, carrier);
		const session = await this.sessions.welcome(tokens, flow, flow.session);
		await this.#flows.finish(flow.state, { stage: 'done', session: session.id, problem: null });
		return session;
	}

	/**
	 * What a callback page that is opened without an answer shows: how the last sign-in of this tab ended.
	 * @returns its session; undefined where there was none
	 * @throws {Problem} the one that it ended with, or `exchange_interrupted`
	 */
	async lastArrival(): Promise<string | undefined> {
		const flow = await this.#flows.latest(this.#around.tab, this.endpoints.base_url);
		if (flow === undefined || flow.stage === 'started') return undefined;
		if (flow.stage === 'exchanging') throw new Problem('exchange_interrupted');
		if (flow.problem !== null) throw new Problem(...flow.problem);
		return flow.session ?? undefined;
	}

	/** Signs a person out, by revoking. */
	signOut(id: string): Promise<SignOut> {
		const { endpoints, fetch, sessions, keeper, journal } = this;
		return signOut(id, { endpoints, fetch, sessions, keeper, journal });
	}

	async #tokenEndpoint(): Promise<TokenEndpoint> {
		return this.#endpointFor(await this.application());
	}

	#endpointFor(application: Application): TokenEndpoint {
		const { fetch, readXml, journal } = this;
		const tools = { fetch, readXml, format: () => this.switches.now.tokenFormat, journal };
		return new TokenEndpoint(this.endpoints, application, tools);
	}
}
