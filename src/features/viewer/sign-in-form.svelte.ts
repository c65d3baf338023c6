import { identityScopes, openidScope } from '#api/identity-scopes.ts';
import { authorizationUrl, createFlowSecrets, type FlowSecrets } from '#client/oauth/authorization-request.ts';
import type { AccessType } from '#client/oauth/client-registration.ts';
import { ClientError, toClientError } from '#client/oauth/client-error.ts';
import { lookupScope } from '#client/world.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import type { SignInOptions } from '#client/storage/tab-schema.ts';
import type { ViewerClient } from './client.ts';
import { endServiceSession } from './end-service-session.ts';
import { entry } from './event-log.svelte.ts';

/** If the page is still here after this number of milliseconds, the navigation was canceled. */
const navigationTimeout = 10_000;

/**
 * Why the form is open although users are signed in: to add another user (`username`: which account to choose), to sign a user in `again` whose session has ended, or
 * to request `more` permissions from a user (`isDirect`: without the form).
 */
export type SignInPurpose =
	| { readonly kind: 'add'; readonly username?: string | undefined }
	| { readonly kind: 'again' | 'more'; readonly user: SignedInUser; readonly isDirect?: boolean };

/** The sign-in form: the options, and the authorization request that they lead to. */
export class SignInForm {
	/** A new object each time the form is opened. */
	purpose: SignInPurpose | undefined = $state.raw();
	isLeaving = $state(false);
	/** Whether signed-in users see the form. A direct request shows it only if it fails. */
	readonly isOpen: boolean = $derived.by(() => {
		const { purpose } = this;
		return purpose !== undefined && !('isDirect' in purpose && this.isLeaving);
	});
	error: ClientError | undefined = $state.raw();
	/** PKCE requires a secure context. */
	readonly canUsePkce = typeof crypto === 'object' && 'subtle' in crypto;
	#secrets: FlowSecrets | undefined = $state.raw();
	readonly #client: ViewerClient;
	readonly #defaults: SignInOptions;
	readonly options: SignInOptions = $derived.by(() => this.#client.tab.value.signInOptions ?? this.#defaults);
	readonly url: URL | undefined = $derived.by(() => {
		const { provider, registration } = this.#client;
		return this.#secrets && authorizationUrl(provider, registration, this.options, this.#secrets);
	});

	/** @param access_type the default one of this app */
	constructor(client: ViewerClient, access_type: AccessType) {
		this.#client = client;
		const scope = lookupScope(client.world);
		this.#defaults = {
			scope: scope === undefined ? [] : [scope],
			access_type,
			renew_previously_granted: false,
			pkce: true
		};
	}

	/** Creates state and PKCE for the next sign-in. */
	async prepare(): Promise<void> {
		this.isLeaving = false;
		this.error = undefined;
		try {
			this.#secrets = await createFlowSecrets();
		} catch (thrown) {
			this.error = this.canUsePkce ? toClientError(thrown) : new ClientError('insecure_context');
		}
	}

	/** Changes some options. They survive a reload of the tab. */
	set(part: Partial<SignInOptions>): void {
		this.#client.tab.set({ signInOptions: { ...this.options, ...part } });
	}

	toggleScope(scope: string, isSelected: boolean): void {
		const others = this.options.scope.filter((one) => one !== scope);
		this.set({ scope: this.#inOrder(isSelected ? [...others, scope] : others) });
	}

	/** Whether the request asks for an ID token. */
	get asksForIdentity(): boolean {
		return this.options.scope.includes(openidScope);
	}

	/** Asks for an ID token with all that the service says of a user, or for none. */
	askForIdentity(isAsked: boolean): void {
		const others = this.options.scope.filter((one) => !identityScopes.has(one));
		this.set({ scope: isAsked ? [...identityScopes.keys(), ...others] : others });
	}

	/**
	 * Opens the form for another user.
	 * @param username of the account that the user is asked to choose
	 */
	open(username?: string): void {
		this.purpose = { kind: 'add', username };
	}

	/** Opens the form for a user whose session has ended, with the same options as before. */
	openFor(user: SignedInUser): void {
		this.set({ scope: user.scope, access_type: user.access_type });
		this.purpose = { kind: 'again', user };
	}

	/** Opens the form to request one more permission from a user. */
	openForScope(scope: string, user: SignedInUser): void {
		this.set({ scope: this.#inOrder([...user.scope, scope]), access_type: user.access_type });
		this.purpose = { kind: 'more', user };
	}

	/** Prepares the request of one more permission from a user, without showing the form. `leave` sends it. */
	requestScope(scope: string, user: SignedInUser): void {
		this.openForScope(scope, user);
		this.purpose = { kind: 'more', user, isDirect: true };
	}

	/** Closes the form and restores the default options. */
	close(): void {
		this.purpose = undefined;
		this.#client.tab.set({ signInOptions: null });
	}

	/** A user was removed: the form is for another user now. */
	forget(id: string): void {
		if (this.purpose !== undefined && 'user' in this.purpose && this.purpose.user.id === id) this.open();
	}

	/**
	 * Starts the sign-in. Another user first needs the service's sign-in page, so adding one ends the session there.
	 * @returns the URL to send the user to; undefined if one is under way, or `error` says why not
	 */
	async start(): Promise<URL | undefined> {
		const secrets = this.#secrets;
		if (secrets === undefined || this.isLeaving) return undefined;
		const { environment, log, urls, world } = this.#client;
		const { purpose } = this;
		this.isLeaving = true;
		this.error = undefined;
		try {
			// A blacklisted user would only see an error of the browser.
			if (await this.#client.isBlacklisted()) throw new ClientError('no_response');
			if (purpose?.kind === 'add') {
				await endServiceSession(environment.fetch, urls.account);
				log.emit(entry(`Signed out of ${world.brand.name}, so that another account can be chosen`, '2.1'));
			}
			const tokenSetId = purpose && 'user' in purpose ? purpose.user.id : null;
			return await this.#client.startAuthorization({ ...this.options, tokenSetId }, secrets);
		} catch (thrown) {
			this.error = toClientError(thrown);
			this.isLeaving = false;
			return undefined;
		}
	}

	/**
	 * Starts the sign-in and leaves the page.
	 * @param navigate opens a URL in this tab
	 * @param startPage the page to return to, below the base URL: `/viewer`
	 */
	async leave(navigate: (url: string) => void, startPage: string): Promise<void> {
		const secrets = this.#secrets;
		const url = await this.start();
		if (url === undefined) return;
		this.#client.tab.set({ startPage });
		this.#client.log.emit(entry(`Redirecting to ${this.#client.world.brand.name}`, '2.1'));
		navigate(url.href);
		await this.#client.environment.sleep(navigationTimeout);
		if (this.isLeaving && this.#secrets === secrets) await this.prepare();
	}

	/** The scopes of OpenID Connect, then those of the world in its order, each once. */
	#inOrder(names: readonly string[]): readonly string[] {
		const known = [...identityScopes.keys(), ...this.#client.world.permissions.map(({ scope }) => scope)];
		return known.filter((scope) => names.includes(scope));
	}
}
