import type { Application } from '../application.ts';
import type { Client } from '../client.ts';
import { Problem, problemOf } from '../problems.ts';
import {
	authorizationRequest,
	makeBinding,
	type AuthorizationRequest,
	type Binding,
	type Wishes
} from '../sign-in/request.ts';
import type { Session } from '../tokens/sessions.ts';

/** What is asked for where nothing else is chosen: fewer permissions are granted more often. */
const usual: Wishes = { scope: ['character_read'], access_type: 'online', renew: false, pkce: true };

/** How long a page that is left may still be there, in milliseconds. */
const longestLeave = 10_000;

/** The sign-in panel: what a person chooses, and the request that comes of it. */
export class SignIn {
	/** Open or not, where somebody is signed in already. */
	open = $state(false);
	/** How often it was asked for: it comes into view each time, also where it is open already. */
	calls = $state(0);
	/** The session that is to be renewed by it. */
	again: Session | undefined = $state.raw();
	/** The session whose person is asked for more by it. Who answers is not known: it may be somebody else. */
	more: Session | undefined = $state.raw();
	leaving = $state(false);
	/** Why it could not leave. */
	problem: Problem | undefined = $state.raw();
	application: Application | undefined = $state.raw();
	/** PKCE needs a secure context. */
	readonly canPkce = typeof crypto === 'object' && 'subtle' in crypto;
	readonly request: AuthorizationRequest | undefined = $derived.by(() => this.#request());
	#binding: Binding | undefined = $state.raw();
	#wishes: Wishes;
	readonly #usual: Wishes;
	readonly #client: Client;

	/**
	 * @param client its desk holds what was chosen before a reload
	 * @param access what is asked for where nothing else is chosen
	 */
	constructor(client: Client, access: Wishes['access_type'] = 'online') {
		this.#client = client;
		this.#usual = { ...usual, access_type: access };
		this.#wishes = $state.raw(client.desk.now.wishes ?? this.#usual);
	}

	get scope() {
		return this.#wishes.scope;
	}

	get access_type() {
		return this.#wishes.access_type;
	}

	set access_type(access_type) {
		this.#wish({ access_type });
	}

	get renew() {
		return this.#wishes.renew;
	}

	set renew(renew) {
		this.#wish({ renew });
	}

	get pkce() {
		return this.#wishes.pkce;
	}

	set pkce(pkce) {
		this.#wish({ pkce });
	}

	/** Makes state and PKCE pair for the next sign-in, and reads the credentials. Where that fails, `problem` says why. */
	async prepare(): Promise<void> {
		this.leaving = false;
		this.problem = undefined;
		try {
			this.application = await this.#client.application();
			this.#binding = await makeBinding();
		} catch (thrown) {
			this.problem = this.canPkce ? problemOf(thrown) : new Problem('insecure_page');
			return;
		}
		const facts = [['random bits', '256']] as const;
		this.#client.journal.tell({ kind: 'made', what: 'Made a state for the next sign-in', facts, section: '2.1' });
	}

	/** Sets the panel so that somebody can come back, with what they had. */
	invite(session: Session): void {
		this.#wish({ scope: session.scope, access_type: session.access_type });
		this.#call({ again: session });
	}

	/** Sets the panel so that somebody is asked for one permission more than they gave. */
	askFor(scope: string, session: Session): void {
		this.#wish({ scope: [...new Set([...session.scope, scope])], access_type: session.access_type });
		this.#call({ more: session });
	}

	/** Opens the panel for somebody who is not here yet. */
	add(): void {
		this.#call();
	}

	/** Puts the panel away, and with it who was to come back. */
	close(): void {
		this.open = false;
		this.again = undefined;
		this.more = undefined;
	}

	/** Somebody is here no more: the panel is for nobody in particular again. */
	forget(id: string): void {
		if (this.again?.id === id) this.again = undefined;
		if (this.more?.id === id) this.more = undefined;
	}

	/** Checks or unchecks a permission. */
	toggle(scope: string, on: boolean): void {
		const others = this.scope.filter((one) => one !== scope);
		this.#wish({ scope: on ? [...others, scope] : others });
	}

	/** Somebody has signed in: what was chosen was for them, the next one begins anew. */
	done(): void {
		this.close();
		this.#wishes = this.#usual;
		this.#keep(null);
	}

	/**
	 * Remembers the state of a sign-in that is now under way.
	 * @returns the address to go to; undefined where one is under way already, or could not be remembered: `problem` says why
	 */
	async depart(): Promise<string | undefined> {
		const binding = this.#binding;
		if (binding === undefined || this.leaving) return undefined;
		this.leaving = true;
		this.problem = undefined;
		try {
			const { address } = await this.#client.depart(this.#wishes, binding, this.again?.id ?? null);
			return address;
		} catch (thrown) {
			this.problem = problemOf(thrown);
			this.leaving = false;
			return undefined;
		}
	}

	/**
	 * Remembers the state and leaves for the service.
	 * @param go takes the browser there
	 */
	async leave(go: (address: string) => void): Promise<void> {
		const binding = this.#binding;
		const address = await this.depart();
		if (address === undefined) return;
		go(address);
		void this.#client.sleep(longestLeave).then(() => {
			// The page is still here: the browser was stopped on its way, or the service does not answer. One can leave again.
			if (this.leaving && this.#binding === binding) void this.prepare();
		});
	}

	#call({ again, more }: { again?: Session; more?: Session } = {}): void {
		this.again = again;
		this.more = more;
		this.open = true;
		this.calls += 1;
	}

	#wish(part: Partial<Wishes>): void {
		this.#wishes = { ...this.#wishes, ...part };
		this.#keep(this.#wishes);
	}

	#keep(wishes: Wishes | null): void {
		this.#client.desk.put({ wishes }).catch(problemOf); // without storage the page still works
	}

	#request(): AuthorizationRequest | undefined {
		if (this.application === undefined || this.#binding === undefined) return undefined;
		return authorizationRequest(this.#client.endpoints, this.application, this.#wishes, this.#binding);
	}
}
