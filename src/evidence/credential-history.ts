import type { EndedEvent, IssuedEvent, TrafficEntry } from '#api/control/traffic.ts';

/** The exchange that issued a code or token. */
export type Issue = { readonly event: IssuedEvent; readonly entry: TrafficEntry };
/** An exchange that ended a code or token, its family or its grant. */
export type End = { readonly event: EndedEvent; readonly entry: TrafficEntry };

/** Whether a token was issued to the application itself, for its credentials. All others are issued for a code or a refresh token. */
export function isOfClient({ kind, from }: IssuedEvent): boolean {
	return kind === 'access_token' && from === undefined;
}

/** What happened to the codes and tokens of a log: what issued, used and ended each of them. */
export class CredentialHistory {
	readonly #issues = new Map<string, Issue>();
	readonly #grants = new Map<string, Issue[]>();
	/** By the code or refresh token that they were issued for. */
	readonly #byOrigin = new Map<string, Issue[]>();
	readonly #uses = new Map<string, TrafficEntry[]>();
	/** By the id of a code, a refresh token, a family or a grant. */
	readonly #ends = new Map<string, End[]>();

	/** @param entries oldest first */
	constructor(entries: readonly TrafficEntry[]) {
		for (const entry of entries) for (const event of entry.credentials) this.#add(event, entry);
	}

	/** What was issued under each grant, oldest first. */
	get grants(): ReadonlyMap<string, readonly Issue[]> {
		return this.#grants;
	}

	/** How a code or token was issued. Undefined if the log does not contain it. */
	issueOf(id: string): Issue | undefined {
		return this.#issues.get(id);
	}

	/** What was issued for a code or refresh token, oldest first. */
	issuedFor(id: string): readonly Issue[] {
		return this.#byOrigin.get(id) ?? [];
	}

	/** The exchanges in which a code or token was accepted. */
	usesOf(id: string): readonly TrafficEntry[] {
		return this.#uses.get(id) ?? [];
	}

	/** What ended a code or token, oldest first: itself, its family or its grant. Only the first one had an effect. */
	endsOf(id: string): readonly End[] {
		const issue = this.#issues.get(id);
		const own = this.#ends.get(id) ?? [];
		if (issue === undefined) return own;
		const { family = '', grant } = issue.event;
		return [...own, ...(this.#ends.get(family) ?? []), ...(this.#ends.get(grant) ?? [])]
			.filter(({ entry }) => entry.seq >= issue.entry.seq)
			.sort((end, later) => end.entry.seq - later.entry.seq);
	}

	#add(event: TrafficEntry['credentials'][number], entry: TrafficEntry): void {
		if (event.type === 'ended') addTo(this.#ends, event.id, { event, entry });
		else if (event.type === 'issued') {
			const issue = { event, entry };
			this.#issues.set(event.id, issue);
			addTo(this.#grants, event.grant, issue);
			if (event.from !== undefined) addTo(this.#byOrigin, event.from, issue);
		} else if (entry.response !== null && entry.response.status < 400) addTo(this.#uses, event.id, entry);
	}
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [item]);
	else list.push(item);
}
