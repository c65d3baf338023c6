import type { Credentials } from '#api/control/credentials.ts';
import type { IssuedEvent, TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory, type End, isOfClient, type Issue } from '#evidence/credential-history.ts';
import type { Tone } from '#ui/display/status-tone.ts';

/** What a code or token is worth at a moment. `ended`: by the controls, which the log does not contain. */
type TokenState = 'valid' | 'expiring' | 'expired' | 'used' | 'replayed' | 'failed' | 'revoked' | 'ended';

/** A code or token, and what was issued for it. */
export type TokenNode = {
	readonly id: string;
	readonly kind: IssuedEvent['kind'];
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
	/** Whether the application got the access for itself, without a user. */
	readonly isOwn: boolean;
	readonly isRevoked: boolean;
	readonly nodes: readonly TokenNode[];
};

/** A token that expires within this time is about to expire, in milliseconds. */
const expiringSoon = 60_000;

/** What all nodes of a tree are made from. */
type Moment = { readonly history: CredentialHistory; readonly now: number; readonly live: Credentials | undefined };

/**
 * The codes and tokens of each grant, newest grant first, at a given time.
 * @param entries up to that moment, oldest first
 * @param now the sandbox clock at that moment, in milliseconds since 1970
 * @param live what is alive now; undefined for a moment in the past
 */
export function tokenTrees(entries: readonly TrafficEntry[], now: number, live?: Credentials): TokenTree[] {
	const history = new CredentialHistory(entries);
	const trees = [...history.grants].flatMap(([grant, issues]): TokenTree[] => {
		const known = issues.find(({ entry }) => entry.username !== undefined) ?? issues.at(-1);
		if (known === undefined) return [];
		const { client_id, username, at } = known.entry;
		const roots = issues.filter(({ event: { from } }) => from === undefined || history.issueOf(from) === undefined);
		const nodes = roots.map((issue) => nodeOf(issue, { history, now, live }));
		const isRevoked = history.endsOf(grant).length > 0 || isGone(live, grant, at);
		const isOwn = issues.some(({ event }) => isOfClient(event));
		return [{ grant, client_id, username, isOwn, isRevoked, nodes }];
	});
	return trees.reverse();
}

function nodeOf(issue: Issue, moment: Moment): TokenNode {
	const { event, entry } = issue;
	const { id, kind, scopes, expires } = event;
	const value = entry.values.find((one) => one.id === id);
	const { history } = moment;
	const children = history.issuedFor(id).map((child) => nodeOf(child, moment));
	const [end] = history.endsOf(id);
	return {
		id,
		kind,
		scopes,
		children,
		expires,
		uses: history.usesOf(id).length,
		endedBy: end?.entry.id,
		at: entry.at,
		issuedBy: entry.id,
		client_id: entry.client_id,
		label: value?.label ?? `${kind.replace('_', ' ')} ${id.slice(0, 6)}`,
		preview: value?.preview ?? '',
		state: stateOf(issue, end, children, moment)
	};
}

function stateOf(
	{ event: { expires, grant, id }, entry }: Issue,
	end: End | undefined,
	children: readonly TokenNode[],
	{ now, live }: Moment
): TokenState {
	if (end !== undefined) {
		const { reason } = end.event;
		if (reason === 'exchanged') return children.some(({ state }) => state === 'replayed') ? 'replayed' : 'used';
		return reason === 'failed_exchange' ? 'failed' : reason;
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

export const tokenStates: Record<TokenState, { readonly label: string; readonly tone: Tone | undefined }> = {
	valid: { label: 'Valid', tone: 'ok' },
	expiring: { label: 'Expires soon', tone: 'caution' },
	expired: { label: 'Expired', tone: undefined },
	used: { label: 'Used', tone: undefined },
	replayed: { label: 'Invalidated by replay', tone: 'error' },
	failed: { label: 'Invalidated by a failed exchange', tone: 'error' },
	revoked: { label: 'Revoked', tone: 'error' },
	ended: { label: 'Ended by a control', tone: 'error' }
};

/** Whether a code or token in this state still works. */
export function isAlive(state: TokenState): boolean {
	return state === 'valid' || state === 'expiring';
}
