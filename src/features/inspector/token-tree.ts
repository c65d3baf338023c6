import type { Credentials } from '#api/control/credentials.ts';
import type { CredentialEvent, TrafficEntry } from '#api/control/traffic.ts';

type Issued = Extract<CredentialEvent, { type: 'issued' }>;
type Ended = Extract<CredentialEvent, { type: 'ended' }>;

/** What a code or token is worth at a moment. `ended`: by the controls, which the log does not contain. */
export type TokenState = 'valid' | 'expiring' | 'expired' | 'used' | 'replayed' | 'failed' | 'revoked' | 'ended';

/** A code or token, and what was issued for it. */
export type TokenNode = {
	readonly id: string;
	readonly kind: Issued['kind'];
	/** The client that it was issued to. */
	readonly client_id: string | undefined;
	/** `code 3`. */
	readonly label: string;
	readonly preview: string;
	readonly scopes: readonly string[];
	readonly state: TokenState;
	/** When it was issued and when it expires, in milliseconds since 1970. Refresh tokens do not expire. */
	readonly at: number;
	readonly expires: number | undefined;
	/** How often it was sent to the service with success. */
	readonly uses: number;
	/** `X-Request-Id` of the exchange that issued it, and of the one that ended it. */
	readonly issuedBy: string;
	readonly endedBy: string | undefined;
	readonly children: readonly TokenNode[];
};

/** A grant with its codes. Tokens whose code is not in the log are at the top, too. */
export type TokenTree = {
	readonly grant: string;
	readonly client_id: string | undefined;
	readonly username: string | undefined;
	readonly isRevoked: boolean;
	readonly nodes: readonly TokenNode[];
};

/** A token that expires within this time is about to expire, in milliseconds. */
export const expiringSoon = 60_000;

type Draft = { readonly event: Issued; readonly entry: TrafficEntry; uses: number; ended?: Ended; endedBy?: string };

/**
 * The codes and tokens of each grant, newest grant first, at a given time.
 * @param entries up to that moment, oldest first
 * @param now the sandbox clock at that moment, in milliseconds since 1970
 * @param live what is alive now; undefined for a moment in the past
 */
export function tokenTrees(entries: readonly TrafficEntry[], now: number, live?: Credentials): TokenTree[] {
	const drafts = new Drafts();
	const grants = new Map<string, { entry: TrafficEntry; revokedBy?: string }>();
	for (const entry of entries) {
		for (const event of entry.credentials) {
			if (event.type === 'issued') {
				drafts.add({ event, entry, uses: 0 });
				if (grants.get(event.grant)?.entry.username === undefined) grants.set(event.grant, { entry });
			} else if (event.type === 'used') {
				const draft = drafts.byId.get(event.id);
				if (draft !== undefined && (entry.response?.status ?? 500) < 400) draft.uses++;
			} else drafts.end(event, entry.id);
			const grant = grants.get(event.id);
			if (event.type === 'ended' && event.kind === 'grant' && grant !== undefined) grant.revokedBy = entry.id;
		}
	}
	const trees = [...grants].map(([grant, { entry, revokedBy }]): TokenTree => {
		const own = drafts.byGrant.get(grant) ?? [];
		const { client_id, username } = entry;
		const roots = own.filter(({ event: { from } }) => from === undefined || !drafts.byId.has(from));
		const nodes = roots.map((draft) => nodeOf(draft, drafts, now, live));
		return { grant, client_id, username, isRevoked: revokedBy !== undefined || isGone(live, grant, entry.at), nodes };
	});
	return trees.reverse();
}

/** The codes and tokens of a log, by what ends them together. */
class Drafts {
	readonly byId = new Map<string, Draft>();
	readonly byGrant = new Map<string, Draft[]>();
	/** By the code or refresh token that they were issued for. */
	readonly byOrigin = new Map<string, Draft[]>();
	readonly #byFamily = new Map<string, Draft[]>();

	add(draft: Draft): void {
		const { id, grant, from, family } = draft.event;
		this.byId.set(id, draft);
		addTo(this.byGrant, grant, draft);
		if (from !== undefined) addTo(this.byOrigin, from, draft);
		if (family !== undefined) addTo(this.#byFamily, family, draft);
	}

	/** Marks what an event ends: a code, a token, or all that was issued under a family or a grant. */
	end(event: Ended, endedBy: string): void {
		const { kind, id } = event;
		const one = this.byId.get(id);
		const single = one === undefined ? [] : [one];
		const all = kind === 'grant' ? this.byGrant.get(id) : kind === 'family' ? this.#byFamily.get(id) : single;
		// A code that was exchanged or failed stays so.
		for (const draft of all ?? []) if (draft.ended === undefined) Object.assign(draft, { ended: event, endedBy });
	}
}

function addTo(lists: Map<string, Draft[]>, key: string, draft: Draft): void {
	const list = lists.get(key);
	if (list === undefined) lists.set(key, [draft]);
	else list.push(draft);
}

function nodeOf(draft: Draft, drafts: Drafts, now: number, live: Credentials | undefined): TokenNode {
	const { event, entry, uses, endedBy } = draft;
	const { id, kind, scopes, expires } = event;
	const value = entry.values.find((one) => one.id === id);
	const children = (drafts.byOrigin.get(id) ?? []).map((one) => nodeOf(one, drafts, now, live));
	return {
		id,
		kind,
		scopes,
		uses,
		children,
		endedBy,
		expires,
		at: entry.at,
		issuedBy: entry.id,
		client_id: entry.client_id,
		label: value?.label ?? `${kind.replace('_', ' ')} ${id.slice(0, 6)}`,
		preview: value?.preview ?? '',
		state: stateOf(draft, children, now, live)
	};
}

function stateOf(
	{ event, entry, ended }: Draft,
	children: readonly TokenNode[],
	now: number,
	live: Credentials | undefined
): TokenState {
	const { expires, grant, id } = event;
	if (ended !== undefined) {
		if (ended.reason === 'exchanged') return children.some(({ state }) => state === 'replayed') ? 'replayed' : 'used';
		return ended.reason === 'failed_exchange' ? 'failed' : ended.reason;
	}
	if (expires !== undefined && expires <= now) return 'expired';
	if (isGone(live, grant, entry.at, id)) return 'ended';
	return expires !== undefined && expires - now <= expiringSoon ? 'expiring' : 'valid';
}

/** Whether what was issued at `at` is not among the live credentials. False where these are not complete or older. */
function isGone(live: Credentials | undefined, grant: string, at: number, id?: string): boolean {
	if (live === undefined || at > live.now) return false;
	const found = live.grants.find((one) => one.id === grant);
	if (found === undefined) return live.more === 0;
	if (id === undefined || found.more > 0) return false;
	return ![...found.codes, ...found.access_tokens, ...found.refresh_tokens].some((one) => one.id === id);
}
