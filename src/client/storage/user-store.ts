import type { TokenSet, TokenStore } from '../oauth/token-store.ts';
import type { SignedInUser } from './schema.ts';
import type { SharedStorage } from './shared-storage.ts';
import type { PendingAuthorization } from '../oauth/pending-authorizations.ts';
import type { AtomicStore } from '../oauth/atomic-store.ts';

/** The users who are signed in at one service, in all tabs. The client core stores its token sets here. */
export class UserStore implements TokenStore {
	readonly #storage: SharedStorage;
	readonly #issuer: string;

	/** @param issuer of the service; users of other services are not affected */
	constructor(storage: SharedStorage, issuer: string) {
		this.#storage = storage;
		this.#issuer = issuer;
	}

	/** All users, in the order in which they signed in. */
	async list(): Promise<readonly SignedInUser[]> {
		return (await this.#storage.get('users')).filter(({ issuer }) => issuer === this.#issuer);
	}

	async get(id: string): Promise<SignedInUser | undefined> {
		return (await this.list()).find((user) => user.id === id);
	}

	async update(
		id: string,
		change: (current: TokenSet | undefined) => TokenSet | undefined
	): Promise<SignedInUser | undefined> {
		const users = await this.#storage.update('users', (all) => {
			const current = all.find((user) => user.id === id);
			const next = change(current);
			if (next === undefined) return all.filter((user) => user !== current);
			if (current !== undefined)
				return all.map((user) =>
					user === current ? { ...next, issuer: user.issuer, label: labelAfter(user, next) } : user
				);
			const mine = all.filter(({ issuer }) => issuer === this.#issuer);
			return [...all, { ...next, issuer: this.#issuer, label: next.claims?.name ?? nextLabel(mine) }];
		});
		return users.find((user) => user.id === id);
	}

	/** Sets the name that the page shows for a user. */
	async rename(id: string, label: string): Promise<void> {
		await this.#storage.update('users', (all) => all.map((user) => (user.id === id ? { ...user, label } : user)));
	}
}

/** A name that came from an ID token follows the next one. A name that a user chose stays. */
function labelAfter({ label, claims }: SignedInUser, next: TokenSet): string {
	return label === claims?.name ? (next.claims?.name ?? label) : label;
}

/** Whether a user has the name of `nextLabel`, because nothing says who it is. */
export const isNumbered = (label: string): boolean => /^User \d+$/.test(label);

function nextLabel(users: readonly SignedInUser[]): string {
	const labels = new Set(users.map(({ label }) => label));
	let number = 1;
	while (labels.has(`User ${String(number)}`)) number += 1;
	return `User ${String(number)}`;
}

/** The most pending authorizations that are kept; the oldest is evicted. */
const capacity = 20;

/** Stores pending authorizations for the client core, of all tabs and services. */
export function pendingStore(storage: SharedStorage): AtomicStore<PendingAuthorization> {
	return {
		get: async (state) => (await storage.get('pending')).find((pending) => pending.state === state),
		async update(state, change) {
			const all = await storage.update('pending', (found) => {
				const next = change(found.find((pending) => pending.state === state));
				const others = found.filter((pending) => pending.state !== state);
				return next === undefined ? others : [...others, next].slice(-capacity);
			});
			return all.find((pending) => pending.state === state);
		}
	};
}
