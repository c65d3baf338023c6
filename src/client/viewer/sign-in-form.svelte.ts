import { authorizationUrl, createFlowSecrets, type FlowSecrets } from '../oauth/authorization-request.ts';
import type { AccessType, ClientRegistration } from '../oauth/client-registration.ts';
import { ClientError, toClientError } from '../oauth/client-error.ts';
import { scopes } from '../scope-info.ts';
import type { SignedInUser } from '../storage/schema.ts';
import type { SignInOptions } from '../storage/tab-schema.ts';
import type { ViewerClient } from './client.ts';

/** If the page is still here after so many milliseconds, the navigation was canceled. */
const navigationTimeout = 10_000;

/** The sign-in form: the options, and the authorization request that they lead to. */
export class SignInForm {
	/** Whether the form is open although users are signed in. */
	isOpen = $state(false);
	/** How often it was opened: each time it scrolls into view. */
	openCount = $state(0);
	/** The user who signs in again: the new tokens replace the ended ones. */
	returningUser: SignedInUser | undefined = $state.raw();
	/** The user who is asked for more permissions. */
	requestedFrom: SignedInUser | undefined = $state.raw();
	isLeaving = $state(false);
	error: ClientError | undefined = $state.raw();
	registration: ClientRegistration | undefined = $state.raw();
	/** PKCE requires a secure context. */
	readonly canUsePkce = typeof crypto === 'object' && 'subtle' in crypto;
	/** The authorization URL; undefined until it is ready. */
	readonly url: URL | undefined = $derived.by(() => this.#url());
	#secrets: FlowSecrets | undefined = $state.raw();
	#options: SignInOptions;
	readonly #defaults: SignInOptions;
	readonly #client: ViewerClient;

	/** @param access_type the default one of this app */
	constructor(client: ViewerClient, access_type: AccessType) {
		this.#client = client;
		this.#defaults = { scope: ['character_read'], access_type, renew_previously_granted: false, pkce: true };
		this.#options = $state.raw(client.tab.value.signInOptions ?? this.#defaults);
	}

	get scope() {
		return this.#options.scope;
	}

	get access_type() {
		return this.#options.access_type;
	}

	set access_type(access_type) {
		this.#set({ access_type });
	}

	get renew_previously_granted() {
		return this.#options.renew_previously_granted;
	}

	set renew_previously_granted(renew_previously_granted) {
		this.#set({ renew_previously_granted });
	}

	get pkce() {
		return this.#options.pkce;
	}

	set pkce(pkce) {
		this.#set({ pkce });
	}

	/** Creates state and PKCE for the next sign-in, and reads the credentials. */
	async prepare(): Promise<void> {
		this.isLeaving = false;
		this.error = undefined;
		try {
			this.registration = await this.#client.registration();
			this.#secrets = await createFlowSecrets();
		} catch (thrown) {
			this.error = this.canUsePkce ? toClientError(thrown) : new ClientError('insecure_context');
			return;
		}
		const fields = [['random bits', '256']] as const;
		this.#client.log.emit({
			kind: 'created',
			message: 'Generated state for the next sign-in',
			fields,
			section: '2.1'
		});
	}

	/** Opens the form for a user whose session has ended, with the same options as before. */
	openFor(user: SignedInUser): void {
		this.#set({ scope: user.scope, access_type: user.access_type });
		this.open();
		this.returningUser = user;
	}

	/** Opens the form to request one more permission from a user. */
	openForScope(scope: string, user: SignedInUser): void {
		this.#set({ scope: inOrder([...user.scope, scope]), access_type: user.access_type });
		this.open();
		this.requestedFrom = user;
	}

	/** Opens the form for another user. */
	open(): void {
		this.returningUser = undefined;
		this.requestedFrom = undefined;
		this.isOpen = true;
		this.openCount += 1;
	}

	close(): void {
		this.isOpen = false;
		this.returningUser = undefined;
		this.requestedFrom = undefined;
	}

	/** A user was removed: the form is for another user now. */
	forget(id: string): void {
		if (this.returningUser?.id === id) this.returningUser = undefined;
		if (this.requestedFrom?.id === id) this.requestedFrom = undefined;
	}

	/** Selects a scope or deselects it. */
	toggleScope(scope: string, isSelected: boolean): void {
		const others = this.scope.filter((one) => one !== scope);
		this.#set({ scope: inOrder(isSelected ? [...others, scope] : others) });
	}

	/** After a sign-in: closes the form and restores the default options. */
	reset(): void {
		this.close();
		this.#options = this.#defaults;
		this.#client.tab.set({ signInOptions: null });
	}

	/**
	 * Starts the sign-in.
	 * @returns the URL to send the user to; undefined if one is under way or `error` says why not
	 */
	async start(): Promise<URL | undefined> {
		const secrets = this.#secrets;
		if (secrets === undefined || this.isLeaving) return undefined;
		this.isLeaving = true;
		this.error = undefined;
		try {
			const tokenSetId = this.returningUser?.id ?? null;
			return await this.#client.startAuthorization({ ...this.#options, tokenSetId }, secrets);
		} catch (thrown) {
			this.error = toClientError(thrown);
			this.isLeaving = false;
			return undefined;
		}
	}

	/**
	 * Starts the sign-in and leaves the page.
	 * @param navigate opens a URL in this tab
	 */
	async leave(navigate: (url: string) => void): Promise<void> {
		const secrets = this.#secrets;
		const url = await this.start();
		if (url === undefined) return;
		this.#client.log.emit({ kind: 'opened', message: 'Redirecting to Tollgate', section: '2.1' });
		navigate(url.href);
		await this.#client.environment.sleep(navigationTimeout);
		if (this.isLeaving && this.#secrets === secrets) await this.prepare();
	}

	#set(part: Partial<SignInOptions>): void {
		this.#options = { ...this.#options, ...part };
		this.#client.tab.set({ signInOptions: this.#options });
	}

	#url(): URL | undefined {
		if (this.registration === undefined || this.#secrets === undefined) return undefined;
		return authorizationUrl(this.#client.provider, this.registration, this.#options, this.#secrets);
	}
}

/** The scopes in the order of the list, each once. */
function inOrder(names: readonly string[]): readonly string[] {
	return scopes.map(({ name }) => name).filter((name) => names.includes(name));
}
