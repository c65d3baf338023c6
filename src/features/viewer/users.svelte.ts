import { Emitter } from '#client/emitter.ts';
import { toClientError } from '#client/oauth/client-error.ts';
import type { RevocationResult } from '#client/oauth/revocation.ts';
import type { SignedInUser } from '#client/storage/schema.ts';
import type { ViewerClient } from './client.ts';

/** A message about a user, who may have been removed since. */
export type UserStatus = {
	readonly user: SignedInUser;
	readonly tone: 'ok' | 'caution' | 'error';
	readonly title: string;
	readonly why: string;
	readonly section: string;
};

/** A user was signed out in another tab. */
export type SignedOutElsewhere = { readonly user: SignedInUser; readonly wasActive: boolean };

const signOutMessages: Readonly<Record<RevocationResult | 'not_revoked', Omit<UserStatus, 'user'>>> = {
	revoked: {
		tone: 'ok',
		title: 'signed out',
		why: 'Access was revoked. The refresh token and all access tokens stopped working.',
		section: '3.1'
	},
	already_revoked: { tone: 'ok', title: 'signed out', why: 'Access had been revoked before.', section: '3.1' },
	not_revocable: {
		tone: 'caution',
		title: 'signed out here only',
		why: 'Without a refresh token the application can’t revoke access. The access token stays valid until it expires. To revoke now, go to Account.',
		section: '4'
	},
	not_revoked: {
		tone: 'caution',
		title: 'removed from this browser',
		why: 'The service did not revoke access, so the refresh token stays valid. To revoke now, go to Account.',
		section: '4'
	}
};

const maxLabelLength = 40;

/** The signed-in users, and the active one: the user that this tab sends requests for. */
export class SignedInUsers {
	list: readonly SignedInUser[] = $state.raw([]);
	activeId: string | undefined = $state();
	status: UserStatus | undefined = $state.raw();
	/** The user whose sign-out failed. Removing the tokens here is still possible. */
	failedSignOutId: string | undefined = $state();
	isLoaded = $state(false);
	#busy: readonly string[] = $state.raw([]);
	readonly active: SignedInUser | undefined = $derived(this.list.find(({ id }) => id === this.activeId));
	readonly #client: ViewerClient;
	readonly #onRemoved: (id: string) => void;
	readonly #signedOutElsewhere = new Emitter<SignedOutElsewhere>();
	/** Users that are being signed out by this tab. */
	readonly #leaving = new Set<string>();

	/** @param onRemoved called with the id of a user who was signed out in any tab */
	constructor(client: ViewerClient, onRemoved: (id: string) => void) {
		this.#client = client;
		this.#onRemoved = onRemoved;
		this.activeId = client.tab.value.activeUserId ?? undefined;
	}

	/** Follows the changes of all tabs. Returns a function that ends it. */
	start(): () => void {
		const load = () => void this.load().catch(toClientError);
		load();
		return this.#client.environment.storage.subscribe(load);
	}

	/** Calls the listener when another tab signs a user out. Returns a function that ends it. */
	onSignedOutElsewhere(listener: (event: SignedOutElsewhere) => void): () => void {
		return this.#signedOutElsewhere.subscribe(listener);
	}

	/** Reads the users from storage. */
	async load(): Promise<void> {
		const list = await this.#client.users.list();
		const { activeId } = this;
		const removed = this.list.filter(({ id }) => !list.some((user) => user.id === id));
		const storedId = this.#client.tab.value.lastLookup?.userId;
		if (storedId !== undefined && !list.some(({ id }) => id === storedId)) this.#onRemoved(storedId);
		this.list = list;
		for (const { id } of removed) this.#onRemoved(id);
		if (!list.some(({ id }) => id === this.failedSignOutId)) this.failedSignOutId = undefined;
		// An error about a token is over when the user has another token.
		const { tone, user: subject } = this.status ?? {};
		const now = list.find(({ id }) => id === subject?.id);
		if (tone === 'error' && now?.access_token !== subject?.access_token) this.status = undefined;
		if (this.active === undefined) this.activeId = (list.findLast(({ ended }) => ended === null) ?? list.at(-1))?.id;
		this.isLoaded = true;
		for (const user of removed) {
			if (this.#leaving.delete(user.id)) continue;
			this.#signedOutElsewhere.emit({ user, wasActive: user.id === activeId });
		}
	}

	/** Makes a user the active one of this tab. */
	select(id: string): void {
		this.activeId = id;
		this.status = undefined;
		this.#client.tab.set({ activeUserId: id });
	}

	/** Sets the label of a user. An empty one is ignored. */
	async rename(id: string, label: string): Promise<void> {
		const trimmed = label.trim().slice(0, maxLabelLength);
		if (trimmed !== '') await this.#client.users.rename(id, trimmed);
	}

	/** Whether a request for a user is under way. */
	isBusy(id: string): boolean {
		return this.#busy.includes(id);
	}

	/** Signs a user out by revoking access. */
	async signOut(user: SignedInUser): Promise<void> {
		await this.#run(user, async () => {
			this.failedSignOutId = undefined;
			try {
				const result = await this.#leave(user.id, () => this.#client.signOut(user.id));
				this.#report(user, signOutMessages[result]);
			} catch (thrown) {
				this.failedSignOutId = user.id;
				throw thrown;
			}
		});
	}

	/** Deletes the tokens of a user without revoking access. */
	async remove(user: SignedInUser): Promise<void> {
		await this.#run(user, async () => {
			const hasFailed = this.failedSignOutId === user.id;
			await this.#leave(user.id, () => this.#client.tokens.delete(user.id));
			if (hasFailed) this.#report(user, signOutMessages.not_revoked);
		});
	}

	/** Refreshes a user's access token now. */
	async refresh(user: SignedInUser): Promise<void> {
		await this.#run(user, () => this.#client.tokens.refresh(user.id, user.access_token));
	}

	/** Marks a sign-out as this tab's own, so that it is not reported as one from another tab. */
	async #leave<T>(id: string, action: () => Promise<T>): Promise<T> {
		this.#leaving.add(id);
		try {
			return await action();
		} catch (thrown) {
			this.#leaving.delete(id);
			throw thrown;
		}
	}

	async #run(user: SignedInUser, action: () => Promise<unknown>): Promise<void> {
		if (this.isBusy(user.id)) return;
		this.#busy = [...this.#busy, user.id];
		this.status = undefined;
		try {
			await action();
		} catch (thrown) {
			const { describeError } = await import('#client/errors.ts');
			const { title, cause, fix, section } = describeError(toClientError(thrown));
			this.#report(user, { tone: 'error', title, why: `${cause} ${fix}`, section });
		} finally {
			this.#busy = this.#busy.filter((one) => one !== user.id);
		}
	}

	#report(user: SignedInUser, message: Omit<UserStatus, 'user'>): void {
		this.status = { ...message, title: `${user.label}: ${message.title}`, user };
	}
}
