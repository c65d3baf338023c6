import type { Credentials } from '#wire/control/credentials.ts';
import type { CredentialEvent, TrafficEntry } from '#wire/control/traffic.ts';

type Issued = Extract<CredentialEvent, { type: 'issued' }>;
type Ended = Extract<CredentialEvent, { type: 'ended' }>;

/** What a code or token is worth at a moment. `ended`: by the controls, which the log does not contain. */
export type TokenState = 'valid' | 'expiring' | 'expired' | 'used' | 'replayed' | 'failed' | 'revoked' | 'ended';

/** A code or token, and what was issued for it. */
export type TokenNode = {
	readonly id: string;
	readonly kind: Issued['kind'];
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
 * The codes and tokens of each grant, newest grant first, as they are at a moment.
 * @param entries up to that moment, oldest first
 * @param now the sandbox clock at that moment, in milliseconds since 1970
 * @param live what is alive now; undefined for a moment in the past
 */
export function tokenTrees(entries: readonly TrafficEntry[], now: number, live?: Credentials): TokenTree[] {
	const drafts = new Map<string, Draft>();
	const grants = new Map<string, { entry: TrafficEntry; revokedBy?: string }>();
	for (const entry of entries) {
		for (const event of entry.credentials) {
			if (event.type === 'issued') {
				drafts.set(event.id, { event, entry, uses: 0 });
				const { username } = grants.get(event.grant)?.entry ?? {};
				if (username === undefined) grants.set(event.grant, { entry });
			} else if (event.type === 'used') {
				const draft = drafts.get(event.id);
				if (draft !== undefined && (entry.response?.status ?? 500) < 400) draft.uses++;
			} else end(drafts.values(), event, entry.id);
			const grant = grants.get(event.id);
			if (event.type === 'ended' && event.kind === 'grant' && grant !== undefined) grant.revokedBy = entry.id;
		}
	}
	const trees = [...grants].map(([grant, { entry, revokedBy }]): TokenTree => {
		const own = [...drafts.values()].filter(({ event }) => event.grant === grant);
		const { client_id, username } = entry;
		const roots = own.filter(({ event: { from } }) => from === undefined || !drafts.has(from));
		const nodes = roots.map((draft) => nodeOf(draft, own, now, live));
		return { grant, client_id, username, isRevoked: revokedBy !== undefined || isGone(live, grant, entry.at), nodes };
	});
	return trees.reverse();
}

/** Marks what an event ends: a code, a token, or all that was issued under a family or a grant. */
function end(drafts: Iterable<Draft>, event: Ended, endedBy: string): void {
	for (const draft of drafts) {
		const { id, grant, family } = draft.event;
		const isOwn = event.kind === 'grant' ? grant === event.id : event.kind === 'family' ? family === event.id : false;
		if (!isOwn && id !== event.id) continue;
		// A code that was exchanged or failed stays so.
		if (draft.ended === undefined) Object.assign(draft, { ended: event, endedBy });
	}
}

function nodeOf(draft: Draft, own: readonly Draft[], now: number, live: Credentials | undefined): TokenNode {
	const { event, entry, uses, endedBy } = draft;
	const { id, kind, scopes, expires } = event;
	const value = entry.values.find((one) => one.id === id);
	const children = own.filter((one) => one.event.from === id).map((one) => nodeOf(one, own, now, live));
	return {
		...{ id, kind, scopes, uses, children, endedBy, expires, at: entry.at, issuedBy: entry.id },
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
