import { explain, type Explanation } from '../explanations.ts';
import type { Client } from '../client.ts';
import { problemOf } from '../problems.ts';
import type { Session } from '../tokens/sessions.ts';

/** Something the page says about people: who left, who must come back. */
export type Word = {
	readonly tone: 'ok' | 'caution' | 'error';
	readonly title: string;
	readonly why: string;
	readonly section: string;
};

/** Somebody who was signed out elsewhere. */
export type Departure = {
	readonly session: Session;
	/** Whether the page acted for them. */
	readonly wasChosen: boolean;
};

const partings = {
	revoked: {
		tone: 'ok',
		title: 'Signed out',
		why: 'The service ended the access: refresh token and access tokens are dead.',
		section: '3.1'
	},
	already: { tone: 'ok', title: 'Signed out', why: 'The access had been taken away before.', section: '3.1' },
	forgotten: {
		tone: 'caution',
		title: 'Forgotten here',
		why: 'There was no refresh token, and the service revokes by nothing else. The access token lives on until it expires; the account settings end it now.',
		section: '4'
	},
	unrevoked: {
		tone: 'caution',
		title: 'Forgotten here',
		why: 'The service did not end the access, so the refresh token would still be taken there. The account settings end it.',
		section: '4'
	}
} as const;

/** The people who are signed in, and the one the page acts for. */
export class People {
	list: readonly Session[] = $state.raw([]);
	/** Id of the one who is chosen. */
	chosen: string | undefined = $state();
	word: Word | undefined = $state.raw();
	/** Somebody whom the service did not sign out: they can be forgotten here at least. */
	stuck: string | undefined = $state();
	loaded = $state(false);
	#busy: readonly string[] = $state.raw([]);
	readonly current: Session | undefined = $derived(this.list.find(({ id }) => id === this.chosen));
	readonly #client: Client;
	/** Told when a person is gone. */
	readonly #left: (id: string) => void;
	/** Ids of those whom this page signs out or forgets. */
	readonly #parting = new Set<string>();
	readonly #listeners = new Set<(departure: Departure) => void>();

	constructor(client: Client, left: (id: string) => void) {
		this.#client = client;
		this.#left = left;
	}

	/** Follows the sessions, of this tab and of others. Returns what ends it. */
	follow(): () => void {
		const load = () => void this.load().catch(problemOf);
		load();
		return this.#client.sessions.listen(load);
	}

	/** Listens to who is signed out in another tab. Returns what ends it. */
	listen(departed: (departure: Departure) => void): () => void {
		this.#listeners.add(departed);
		return () => this.#listeners.delete(departed);
	}

	/** Reads the sessions anew. */
	async load(): Promise<void> {
		const { choices, sessions } = this.#client;
		if (this.chosen === undefined) {
			const last = await choices.last();
			this.chosen ??= last;
		}
		const wished = this.chosen;
		const list = await sessions.list();
		const gone = this.list.filter(({ id }) => !list.some((session) => session.id === id));
		this.list = list;
		for (const { id } of gone) this.#left(id);
		if (!list.some(({ id }) => id === this.stuck)) this.stuck = undefined;
		// Somebody who was chosen while the list was being read stands in the next one.
		if (this.current === undefined && this.chosen === wished)
			this.chosen = this.list.findLast(({ ended }) => ended === null)?.id ?? this.list.at(-1)?.id;
		this.loaded = true;
		for (const session of gone) {
			if (this.#parting.delete(session.id)) continue;
			for (const listener of this.#listeners) listener({ session, wasChosen: session.id === wished });
		}
	}

	/** Makes somebody the one the page acts for. */
	choose(id: string): void {
		this.chosen = id;
		this.word = undefined;
		this.#client.choices.keep(id).catch(problemOf); // without storage the page still works
	}

	/** Gives somebody a name of one's own; the service does not tell who signed in. */
	async rename(id: string, label: string): Promise<void> {
		const name = label.trim().slice(0, 40);
		if (name !== '') await this.#client.sessions.change(id, (session) => ({ ...session, label: name }));
	}

	/** Whether something is under way for somebody. */
	isBusy(id: string): boolean {
		return this.#busy.includes(id);
	}

	/** Signs somebody out by revoking. */
	async signOut(id: string): Promise<void> {
		await this.#doing(id, async () => {
			this.stuck = undefined;
			try {
				this.word = partings[await this.#parted(id, () => this.#client.signOut(id))];
			} catch (thrown) {
				this.stuck = id;
				throw thrown;
			}
		});
	}

	/** Forgets somebody here only: for when the service does not answer. */
	async forget(id: string): Promise<void> {
		await this.#doing(id, async () => {
			const isStuck = this.stuck === id;
			await this.#parted(id, () => this.#client.sessions.forget(id));
			if (!isStuck) return;
			this.stuck = undefined;
			this.word = partings.unrevoked;
		});
	}

	/** Gets somebody a new access token now. */
	async renew(session: Session): Promise<void> {
		await this.#doing(session.id, () => this.#client.keeper.renew(session.id, session.access_token));
	}

	/** Whoever leaves by this page did not leave elsewhere; whom it could not let go may still do so. */
	async #parted<T>(id: string, work: () => Promise<T>): Promise<T> {
		this.#parting.add(id);
		try {
			return await work();
		} catch (thrown) {
			this.#parting.delete(id);
			throw thrown;
		}
	}

	async #doing(id: string, work: () => Promise<unknown>): Promise<void> {
		if (this.isBusy(id)) return;
		this.#busy = [...this.#busy, id];
		this.word = undefined;
		try {
			await work();
		} catch (thrown) {
			this.word = wordOf(explain(problemOf(thrown)));
		} finally {
			this.#busy = this.#busy.filter((one) => one !== id);
		}
	}
}

function wordOf({ title, why, next, section }: Explanation): Word {
	return { tone: 'error', title, why: `${why} ${next}`, section };
}
