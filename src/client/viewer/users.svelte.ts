import { describeError } from '../error-messages.ts';
import { Emitter } from '../emitter.ts';
import { toClientError } from '../oauth/client-error.ts';
import type { RevocationResult } from '../oauth/revocation.ts';
import type { SignedInUser } from '../storage/schema.ts';
import type { ViewerClient } from './client.ts';

/** A message about a user. */
export type StatusMessage = {
	readonly tone: 'ok' | 'caution' | 'error';
	readonly title: string;
	readonly text: string;
	readonly section: string;
};

/** A user was signed out in another tab. */
export type SignedOutElsewhere = { readonly user: SignedInUser; readonly wasActive: boolean };

const signOutMessages: Readonly<Record<RevocationResult | 'not_revoked', StatusMessage>> = {
	revoked: {
		tone: 'ok',
		title: 'Signed out',
		text: 'Access was revoked. The refresh token and all access tokens stopped working.',
		section: '3.1'
	},
	already_revoked: { tone: 'ok', title: 'Signed out', text: 'Access had been revoked before.', section: '3.1' },
	not_revocable: {
		tone: 'caution',
		title: 'Signed out here only',
		text: 'Without a refresh token the application can’t revoke access. The access token stays valid until it expires. To revoke now, go to Account.',
		section: '4'
	},
	not_revoked: {
		tone: 'caution',
		title: 'Removed from this browser',
		text: 'The service did not revoke access, so the refresh token stays valid. To revoke now, go to Account.',
		section: '4'
	}
};

const maxLabelLength = 40;

/** The signed-in users, and the active one: the user that this tab sends requests for. */
export class SignedInUsers {
	list: readonly SignedInUser[] = $state.raw([]);
	activeId: string | undefined = $state();
	status: StatusMessage | undefined = $state.raw();
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
	async signOut(id: string): Promise<void> {
		await this.#run(id, async () => {
			this.failedSignOutId = undefined;
			try {
				this.status = signOutMessages[await this.#leave(id, () => this.#client.signOut(id))];
			} catch (thrown) {
				this.failedSignOutId = id;
				throw thrown;
			}
		});
	}

	/** Deletes the tokens of a user without revoking access. */
	async remove(id: string): Promise<void> {
		await this.#run(id, async () => {
			const hasFailed = this.failedSignOutId === id;
			await this.#leave(id, () => this.#client.tokens.delete(id));
			if (hasFailed) this.status = signOutMessages.not_revoked;
		});
	}

	/** Refreshes a user's access token now. */
	async refresh({ id, access_token }: SignedInUser): Promise<void> {
		await this.#run(id, () => this.#client.tokens.refresh(id, access_token));
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

	async #run(id: string, action: () => Promise<unknown>): Promise<void> {
		if (this.isBusy(id)) return;
		this.#busy = [...this.#busy, id];
		this.status = undefined;
		try {
			await action();
		} catch (thrown) {
			const { title, reason, nextStep, section } = describeError(toClientError(thrown));
			this.status = { tone: 'error', title, text: `${reason} ${nextStep}`, section };
		} finally {
			this.#busy = this.#busy.filter((one) => one !== id);
		}
	}
}
