import type { Mark, ProbeId } from '#api/exam.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { isResourceRequest } from '#evidence/exchanges.ts';
import { ProbeSkipped, type Driver, type SignInOptions } from './driver.ts';
import type { BegunRequest, ExamState } from './exam-state.ts';
import { clientAddress, hasCall, pushedRequest } from './observe.ts';
import { type ExamSandbox, userName } from './sandbox.ts';
import { ServiceControl } from './service-control.ts';

/** The shortest time between two uses, in milliseconds. */
const useGap = 150;
/** How long the traffic must be quiet at the end of a mark and at its start, in milliseconds. */
const quietTime = 500;
const shortQuietTime = 150;
/** The longest time from a page of the client to its call that the exam waits for, in milliseconds. */
const longestLag = 4000;
/** How often a client is used until a call works, before a probe, and the milliseconds in between. It may still wait after the probe before. */
const maxTries = 10;
const tryDelay = 1_000;
/** Why a client cannot show a step that needs a sign-in which was begun. */
export const noSignIn = 'the client began no sign-in';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** What a probe does to the service and to the client. It keeps the marks of the probe. */
export class ProbeControl {
	readonly marks: Mark[] = [];
	readonly service: ServiceControl;
	/** Why the client cannot show the probe. Undefined if it can, or if the user skipped it. */
	skipReason: string | undefined;
	readonly #probe: ProbeId;
	readonly #exam: ExamState;
	readonly #signal: AbortSignal;
	#mark: Writable<Mark> | undefined;
	#lastUse = -Infinity;
	/** The user of each browser. */
	readonly #users = new Map<string, string>();
	/** The users who are signed in at the client, by the browser. */
	readonly #signedIn = new Map<string, string>();
	/** The browsers in which a second user has signed in. */
	readonly #shared = new Set<string>();
	/** The redirect URI of the sign-in that each browser has begun. */
	readonly #callbacks = new Map<string, string>();

	/** @param signal ends the probe at its next step */
	constructor(probe: ProbeId, exam: ExamState, signal: AbortSignal) {
		this.#probe = probe;
		this.#exam = exam;
		this.service = new ServiceControl(exam.sandbox, exam.own);
		this.#signal = signal;
	}

	/** Ends the mark, and begins another. What follows belongs to it. */
	async nextMark(): Promise<void> {
		const { from, uses } = this.#mark ?? {};
		// Some clients respond before they send their calls.
		if (from !== this.#exam.traffic.last + 1 || uses !== undefined) await this.endMark();
		await this.#exam.traffic.quiet(shortQuietTime, this.#signal);
		this.#mark = { probe: this.#probe, from: this.#exam.traffic.last + 1, to: 0 };
	}

	/** Ends the mark once the traffic is quiet. What follows belongs to no mark. */
	async endMark(): Promise<void> {
		if (this.#mark === undefined) return;
		await this.settle();
		this.#keepMark();
	}

	/** Waits until the traffic is quiet. Returns the number of the last entry. */
	async settle(): Promise<number> {
		await this.#exam.timers.sleep(quietTime + this.lag, this.#signal);
		await this.#exam.traffic.quiet(quietTime, this.#signal);
		return this.#exam.traffic.last;
	}

	/** Ends the mark at once, and says so in it. */
	breakOff(): void {
		this.mark({ isCutOff: true });
		this.#keepMark();
	}

	#keepMark(): void {
		if (this.#mark === undefined) return;
		const secretIn = this.#exam.driver.secretIn?.();
		this.marks.push({ ...this.#mark, to: this.#exam.traffic.last, ...(secretIn !== undefined && { secretIn }) });
		this.#mark = undefined;
	}

	/** Adds facts to the mark. */
	mark(facts: Partial<Mark>): void {
		if (this.#mark !== undefined) Object.assign(this.#mark, facts);
	}

	/** Ends the probe: the client cannot show it. @param reason why, such as `the client sends no state` @throws ProbeSkipped */
	skip(reason: string): never {
		this.skipReason = reason;
		throw new ProbeSkipped();
	}

	/** Milliseconds since 1970, by the clock of the exam. */
	now(): number {
		return this.#exam.timers.now();
	}

	/** Waits. @param milliseconds by the clock of the exam */
	async wait(milliseconds: number): Promise<void> {
		await this.#exam.timers.sleep(milliseconds, this.#signal);
		this.#signal.throwIfAborted();
	}

	/** Signs in with a fresh browser and a new user, or `isSecond`: again with the same. `as`: in this browser, as the user of another. */
	async signIn(
		browser: string,
		options: { expect?: 'success' | 'error'; isSecond?: boolean; as?: string } = {}
	): Promise<void> {
		this.#signal.throwIfAborted();
		const { expect = 'success', isSecond = false, as } = options;
		if (!isSecond) this.forget(browser);
		if (as !== undefined) {
			this.#users.set(browser, this.userOf(as).username);
			this.#shared.add(browser);
		}
		this.mark({ browser });
		const isFresh = !isSecond && as === undefined;
		const user = { ...this.userOf(browser), expect, isFresh, ...(as !== undefined && { leavesService: true }) };
		// An installed application has one store: its user is the one who signed in last.
		if (this.sandbox.kind === 'installed') this.#signedIn.clear();
		if (expect === 'success') this.#signedIn.set(browser, user.username);
		await this.#operate(this.#exam.driver.signIn(browser, user));
		this.#exam.obstacle ??= this.#exam.driver.obstacle?.(browser);
	}

	/** Begins a sign-in with a fresh browser and a new user. Returns the authorization request. @throws ProbeSkipped */
	async begin(browser: string): Promise<BegunRequest> {
		this.#signal.throwIfAborted();
		this.forget(browser);
		const url = (await this.#operate(this.#exam.driver.begin?.(browser, this.userOf(browser)))) ?? this.skip(noSignIn);
		const query = new URL(url).searchParams;
		const parameters = (await this.#pushedFor(query.get('request_uri'))) ?? query;
		this.#callbacks.set(browser, parameters.get('redirect_uri') ?? '');
		return { query, parameters };
	}

	/** The parameters that the client pushed before; undefined if it did not. */
	async #pushedFor(request_uri: string | null): Promise<URLSearchParams | undefined> {
		if (request_uri === null) return undefined;
		const { traffic } = this.#exam;
		const id = await credentialId(request_uri.slice(request_uri.lastIndexOf(':') + 1));
		await traffic.waitFor((entries) => pushedRequest(entries, id) !== undefined, quietTime, this.#signal);
		return pushedRequest(traffic.entries, id);
	}

	/** Opens a URL in a browser. */
	async open(browser: string, url: string, posts = false, isOwn = false): Promise<boolean | void> {
		this.#signal.throwIfAborted();
		const options = { ...this.userOf(browser), isFresh: false, posts, isOwn };
		return this.#operate(this.#exam.driver.open?.(browser, url, options));
	}

	/** The redirect URI of the sign-in that a browser has begun. An installed client may listen on another port each time. */
	callbackOf(browser: string): string | undefined {
		return this.#callbacks.get(browser);
	}

	get sandbox(): ExamSandbox {
		return this.#exam.sandbox;
	}

	/** What the client sent. */
	get entries(): readonly TrafficEntry[] {
		const { own, traffic } = this.#exam;
		return own.without(traffic.entries);
	}

	/** The next sign-in of this browser is that of a new user. */
	forget(browser: string): void {
		this.#users.delete(browser);
		this.#signedIn.delete(browser);
		this.#shared.delete(browser);
	}

	/** Uses the client once. */
	async use(browser = 'a', name = this.name()): Promise<void> {
		const { timers } = this.#exam;
		const begin = Math.max(timers.now(), this.#lastUse + useGap);
		this.#lastUse = begin;
		await this.wait(begin - timers.now());
		await this.#useNow(browser, name);
	}

	/** The status of the page that used the client last; 0 where there was no response. */
	get useStatus(): number | undefined {
		return this.#exam.useStatus;
	}

	/** How long the latest use took, in milliseconds. */
	get useTime(): number {
		return this.#exam.useTime;
	}

	/** How long after its page the client sends a call, in milliseconds: some have a queue. */
	get lag(): number {
		return this.#exam.lag ?? 0;
	}

	/** Reads several characters at the same time. */
	async useAtOnce(count: number): Promise<void> {
		await Promise.all(Array.from({ length: count }, () => this.#useNow('a', this.name())));
	}

	async #useNow(browser: string, name: string): Promise<void> {
		const { driver, timers } = this.#exam;
		if (driver.use === undefined) return;
		const username = this.#signedIn.get(browser);
		const reads = [...(this.#mark?.reads ?? []), ...(username === undefined ? [] : [{ name, username }])];
		this.mark({ uses: (this.#mark?.uses ?? 0) + 1, reads });
		const [begin, from] = [timers.now(), this.#exam.traffic.last];
		await this.#operate(driver.use(browser, name));
		this.#exam.useTime = timers.now() - begin;
		if (this.#probe === 'warm_up' && this.#exam.lag === undefined) await this.#noteLag(from);
		this.mark({ slowest: Math.max(this.useTime, this.#mark?.slowest ?? 0) });
		this.#exam.useStatus = driver.page?.(browser).status ?? 200;
	}

	/** Waits for the call of a use. @param from number of the last entry before it */
	async #noteLag(from: number): Promise<void> {
		const { timers, traffic } = this.#exam;
		const begin = timers.now();
		const isCall = (entry: TrafficEntry) => entry.seq > from && isResourceRequest(entry);
		if (await traffic.waitFor((entries) => entries.some(isCall), longestLag, this.#signal))
			this.#exam.lag = timers.now() - begin;
	}

	/**
	 * Signs in, and uses the client until a call works, before a probe. The page after the sign-in may have sent that call: a client that
	 * keeps the response sends no other.
	 * @throws ProbeSkipped if none worked
	 */
	async signInUntilItWorks(): Promise<void> {
		const { traffic } = this.#exam;
		const from = traffic.last;
		await this.signIn('a');
		const works = (entries: readonly TrafficEntry[]) => hasCall(entries, from);
		// A client whose calls never worked will not begin to.
		const tries = hasCall(traffic.entries, 0) ? maxTries : 1;
		for (let count = 0; count < tries; count++) {
			if (count > 0) await this.wait(tryDelay);
			await this.use();
			if (await traffic.waitFor(works, shortQuietTime + this.lag, this.#signal)) return;
		}
		if (this.#exam.driver.use === undefined) this.skip('the exam does not know how to use the client');
		const hasSent = traffic.entries.some((entry) => entry.seq > from && isResourceRequest(entry));
		this.skip(hasSent ? 'no call worked after the sign-in' : 'the client sent no call after the sign-in');
	}

	/** Signs out. Returns why the browser could not go on; undefined if nothing is known. */
	async signOut(browser: string): Promise<string | undefined> {
		this.#signal.throwIfAborted();
		await this.#operate(this.#exam.driver.signOut?.(browser));
		return this.#exam.driver.obstacle?.(browser);
	}

	/** The last page of a browser. */
	page(browser: string): ReturnType<NonNullable<Driver['page']>> | undefined {
		return this.#exam.driver.page?.(browser);
	}

	/** A name that no use has read for a minute. */
	name(): string {
		return this.#exam.names.next();
	}

	/** A name that does not exist. */
	unknownName(): string {
		return this.#exam.names.unknown();
	}

	/** Returns a function that tells whether an exchange has been recorded since. Another user may use the client during the exam: such requests do not count. */
	watch(isIt: (entry: TrafficEntry) => boolean): () => boolean {
		const { traffic } = this.#exam;
		const from = traffic.last;
		return () => traffic.entries.some((entry) => entry.seq > from && isIt(entry) && !this.#isOfOther(entry));
	}

	/** On the page, a user may have signed in with another account than the exam named. */
	#isOfOther({ username }: TrafficEntry): boolean {
		const { traffic, users } = this.#exam;
		if (username === undefined || users.includes(username)) return false;
		return traffic.entries.some((entry) => entry.username !== undefined && users.includes(entry.username));
	}

	/** Text that no client knows, in the form of a state. */
	randomText(): string {
		return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24))))
			.replaceAll('+', '-')
			.replaceAll('/', '_');
	}

	/** Ends the access tokens of the client. */
	async endAccessTokens(): Promise<void> {
		this.#addEnded(await this.service.endAccessTokens());
	}

	/** Ends the access that the user of browser `a` gave the client. */
	async endGrant(): Promise<void> {
		this.#addEnded(await this.service.endGrants(this.#users.get('a')));
	}

	/** Blacklists the address of the client. */
	async blacklistClient(): Promise<void> {
		const { sandbox, traffic } = this.#exam;
		await this.service.blacklist(clientAddress(traffic.entries, sandbox.client_id), this.#signal);
		await traffic.quiet(shortQuietTime, this.#signal);
		// The requests of the exam are not those of the client.
		this.mark({ from: traffic.last + 1 });
	}

	#addEnded(ids: readonly string[]): void {
		// A refresh may now bring the token of the user before, which another rule names.
		for (const browser of this.#shared) this.#signedIn.delete(browser);
		this.mark({ ended: [...(this.#mark?.ended ?? []), ...ids] });
	}

	/** The user of a browser: a new one, unless it has one. */
	userOf(browser: string): SignInOptions {
		const username = this.#users.get(browser) ?? userName(this.#exam.users.length);
		if (!this.#exam.users.includes(username)) this.#exam.users.push(username);
		this.#users.set(browser, username);
		return { username, isFresh: true };
	}

	/** Waits for the driver. What the client could not do shows in the traffic. @throws ProbeSkipped */
	async #operate<T>(action: Promise<T> | undefined): Promise<T | undefined> {
		try {
			return await action;
		} catch (thrown) {
			if (thrown instanceof ProbeSkipped) throw thrown;
			this.#exam.problem = thrown instanceof Error ? thrown.message : String(thrown);
			return undefined;
		}
	}
}
