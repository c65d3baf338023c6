import type { Application } from '../application.ts';
import type { Client } from '../client.ts';
import { Problem, problemOf } from '../problems.ts';
import { authorizationRequest, makeBinding, type AuthorizationRequest, type Binding } from '../sign-in/request.ts';
import type { Session } from '../tokens/sessions.ts';

/** The sign-in panel: what a person chooses, and the request that comes of it. */
export class SignIn {
	/** Open or not, where somebody is signed in already. */
	open = $state(false);
	scope: string[] = $state(['character_read']);
	access_type: 'online' | 'offline' = $state('online');
	renew = $state(false);
	pkce = $state(true);
	/** The session that is to be renewed by it. */
	again: Session | undefined = $state.raw();
	leaving = $state(false);
	/** Why it could not leave. */
	problem: Problem | undefined = $state.raw();
	application: Application | undefined = $state.raw();
	/** PKCE needs a secure context. */
	readonly canPkce = typeof crypto === 'object' && 'subtle' in crypto;
	readonly request: AuthorizationRequest | undefined = $derived.by(() => this.#request());
	#binding: Binding | undefined = $state.raw();
	readonly #client: Client;

	constructor(client: Client) {
		this.#client = client;
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
		this.again = session;
		this.scope = [...session.scope];
		this.access_type = session.access_type;
		this.open = true;
	}

	/** Sets the panel so that somebody is asked for one permission more than they gave. */
	askFor(scope: string, session: Session): void {
		this.again = undefined;
		this.scope = [...new Set([...session.scope, scope])];
		this.access_type = session.access_type;
		this.open = true;
	}

	/** Opens the panel for somebody who is not here yet. */
	add(): void {
		this.again = undefined;
		this.open = true;
	}

	/** Puts the panel away, and with it who was to come back. */
	close(): void {
		this.open = false;
		this.again = undefined;
	}

	/** Checks or unchecks a permission. */
	toggle(scope: string, on: boolean): void {
		const others = this.scope.filter((one) => one !== scope);
		this.scope = on ? [...others, scope] : others;
	}

	/**
	 * Remembers the state and leaves for the service.
	 * @param go takes the browser there
	 */
	async leave(go: (address: string) => void): Promise<void> {
		const binding = this.#binding;
		if (binding === undefined || this.leaving) return;
		this.leaving = true;
		this.problem = undefined;
		try {
			const { address } = await this.#client.depart(this.#wishes(), binding, this.again?.id ?? null);
			go(address);
		} catch (thrown) {
			this.problem = problemOf(thrown);
			this.leaving = false;
		}
	}

	#wishes() {
		const { scope, access_type, renew, pkce } = this;
		return { scope: [...scope], access_type, renew, pkce };
	}

	#request(): AuthorizationRequest | undefined {
		if (this.application === undefined || this.#binding === undefined) return undefined;
		return authorizationRequest(this.#client.endpoints, this.application, this.#wishes(), this.#binding);
	}
}
