import type { CheckId } from '#api/checks.ts';
import type { Mark, ProbeId } from '#api/exam.ts';
import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { CredentialHistory, isOfClient } from './credential-history.ts';
import { checkOf, contains, failedAt, issued } from './exchanges.ts';
import { factsOf, isOpened, queryParameter, requestHeader, valueOf, withoutRepeats, type Facts } from './facts.ts';

/** A sign-in of the client: an authorization request that led to a code. */
export type Flow = {
	readonly request: Facts;
	/** The exchange that issued the code. */
	readonly end: TrafficEntry;
	readonly state: TrafficValue | undefined;
	/** The code challenge of PKCE. */
	readonly challenge: string | undefined;
	/** Whether the ID token must contain a nonce of this sign-in. */
	readonly hasNonce: boolean;
	readonly nonce: string | undefined;
	/** Whether the user copies the code by hand. */
	readonly outOfBand: boolean;
};

/** What is known about one client: the exchanges of the log in groups, and what an exam did. Oldest first. */
export type ClientRun = {
	readonly marks: readonly Mark[];
	readonly all: readonly Facts[];
	/** The requests that a check of the service ran for, without those that an HTTP library repeated. */
	readonly checked: (check: CheckId) => readonly Facts[];
	/** Authorization requests, also those that were pushed or rejected. Those of an attacker are left out. */
	readonly authorizations: readonly Facts[];
	/** The requests with which browsers opened the sign-in page. No rule about the browser reads others. Those of an attacker are left out. */
	readonly opened: readonly Facts[];
	readonly flows: readonly Flow[];
	/** All requests to the token endpoint, but for those in which the client asks for access for itself. */
	readonly tokenRequests: readonly Facts[];
	readonly exchanges: readonly Facts[];
	readonly refreshes: readonly Facts[];
	/** Requests for resources, but for those with a token that the client got for itself: the rules are about the access of users. */
	readonly calls: readonly Facts[];
	readonly revocations: readonly Facts[];
	/** What issued, used and ended each code and token. */
	readonly history: CredentialHistory;
	/** The ids of codes that an attacker delivered to the client. */
	readonly delivered: ReadonlySet<string>;
	/** The kind of an application; undefined if no authorization request shows it. */
	readonly kindOf: (client_id: string | undefined) => 'web' | 'installed' | undefined;
};

/**
 * Groups the exchanges of one client.
 * @param entries oldest first. See `ofClient` where the log has several clients
 * @param marks of an exam. Without them, rules that need a probe are not shown
 * @param foreign ids of further codes of an attacker: those of steps that were skipped have no mark
 */
export function buildRun(
	entries: readonly TrafficEntry[],
	marks: readonly Mark[] = [],
	foreign: Iterable<string> = []
): ClientRun {
	const all = entries.map(factsOf);
	const delivered = deliveredCodes(entries, marks, foreign);
	const ends = codesByFlow(entries, delivered);
	const kinds = new Map<string, 'web' | 'installed'>();
	for (const { entry, kind } of all) if (kind === 'authorization') addKind(kinds, entry);
	const byKind = new Map<Facts['kind'], Facts[]>();
	for (const one of all) {
		const same = byKind.get(one.kind);
		if (same === undefined) byKind.set(one.kind, [one]);
		else same.push(one);
	}
	const of = (kind: Facts['kind']): readonly Facts[] => byKind.get(kind) ?? [];
	const isOwn = ({ entry: { flow } }: Facts) => flow === undefined || ends.get(flow) !== 'delivered';
	const authorizations = withoutPrefetched(of('authorization')).filter(isOwn);
	const history = new CredentialHistory(entries);
	const isOfUser = ({ credential }: Facts) => {
		const issue = history.issueOf(credential?.id ?? '');
		return issue === undefined || !isOfClient(issue.event);
	};
	return {
		marks,
		all,
		checked: indexByCheck(all),
		authorizations,
		opened: withoutPrefetched(all.filter(({ entry }) => isOpened(entry))).filter(isOwn),
		flows: flowsOf(authorizations, ends),
		tokenRequests: all.filter(({ kind }) => tokenKinds.includes(kind)),
		exchanges: of('exchange'),
		refreshes: of('refresh'),
		calls: of('call').filter(isOfUser),
		revocations: of('revocation'),
		history,
		delivered,
		kindOf: (client_id) => (client_id === undefined ? undefined : kinds.get(client_id))
	};
}

/** The log is read once, at the first question. */
function indexByCheck(all: readonly Facts[]): ClientRun['checked'] {
	let index: Map<string, Facts[]> | undefined;
	return (check) => (index ??= readChecks(all)).get(check) ?? [];
}

function readChecks(all: readonly Facts[]): Map<string, Facts[]> {
	const index = new Map<string, Facts[]>();
	for (const one of withoutRepeats(all)) {
		for (const { id } of one.entry.trace) {
			const same = index.get(id);
			if (same === undefined) index.set(id, [one]);
			else if (same.at(-1) !== one) same.push(one);
		}
	}
	return index;
}

const tokenKinds: readonly Facts['kind'][] = ['exchange', 'refresh', 'other_token_request'];

/** Requests without those that a browser sent ahead, before the user opened the same URL. */
function withoutPrefetched(requests: readonly Facts[]): Facts[] {
	return requests.filter(({ entry }, at) => {
		const isAhead = requestHeader(entry, 'sec-purpose')?.startsWith('prefetch') === true;
		return !isAhead || !requests.slice(at + 1).some((later) => later.entry.request.target === entry.request.target);
	});
}

/** The marks of some probes, in their order. */
export function marksOf({ marks }: ClientRun, ...probes: readonly ProbeId[]): readonly Mark[] {
	return marks.filter(({ probe }) => probes.includes(probe));
}

/** The exchanges of a probe. */
export function within({ from, to }: Mark, facts: readonly Facts[]): readonly Facts[] {
	return facts.filter(({ entry: { seq } }) => seq >= from && seq <= to);
}

/**
 * Whether sign-ins came from two browsers: two of the exam, or requests more than 10 minutes apart. A reload is no second browser.
 */
export function inTwoBrowsers({ marks }: ClientRun, flows: readonly Flow[]): boolean {
	const browsers = flows.map(
		({ request: { entry } }) =>
			marks.find((mark) => mark.browser !== undefined && mark.from <= entry.seq && entry.seq <= mark.to)?.browser
	);
	if (new Set(browsers.filter((browser) => browser !== undefined)).size > 1) return true;
	const times = flows.map(({ request }) => request.begin);
	return Math.max(...times) - Math.min(...times) > 600_000;
}

/**
 * Whether sign-ins are transactions of their own: in two browsers, or each was begun by the exam and led to tokens. A user who opens the
 * same URL again repeats one.
 */
export function areSeparate(run: ClientRun, flows: readonly Flow[]): boolean {
	const { marks, exchanges } = run;
	const exchanged = flows.filter(({ end }) => exchanges.some(({ ok, entry }) => ok && entry.flow === end.flow));
	const begun = exchanged.map(({ request: { entry } }) =>
		marks.findIndex(({ browser, from, to }) => browser !== undefined && from <= entry.seq && entry.seq <= to)
	);
	return inTwoBrowsers(run, flows) || new Set(begun.filter((at) => at >= 0)).size > 1;
}

/** The ids of the refresh tokens that were issued and not ended before an entry. @param seq the number of the entry */
export function refreshTokensBefore({ all, history, marks }: ClientRun, seq: number): ReadonlySet<string> {
	const found = new Set<string>();
	for (const { entry, ok } of all) {
		if (entry.seq >= seq) break;
		const event = ok ? issued(entry, 'refresh_token') : undefined;
		if (event === undefined) continue;
		const ids = [event.id, event.family, event.grant];
		const ended =
			history.endsOf(event.id).some((end) => end.entry.seq < seq) ||
			marks.some((mark) => mark.from > entry.seq && mark.from <= seq && mark.ended?.some((id) => ids.includes(id)));
		if (!ended) found.add(event.id);
	}
	return found;
}

/** The calls with the access token that an exchange issued. */
export function callsWith({ calls }: ClientRun, exchange: Facts): Facts[] {
	const token = issued(exchange.entry, 'access_token');
	return token === undefined ? [] : calls.filter(({ entry }) => contains(entry, token.id));
}

/** Whether the service rejected an authorization request because its code challenge is missing, or is not of the method S256. */
export const lacksChallenge = ({ entry }: Facts): boolean => failedAt(entry, 'auth.code_challenge_is_s256');

/** The client of a log with the most exchanges, and the others after it. */
export function clientsIn(entries: readonly TrafficEntry[]): string[] {
	const counts = new Map<string, number>();
	for (const { client_id } of entries)
		if (client_id !== undefined) counts.set(client_id, (counts.get(client_id) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a).map(([client_id]) => client_id);
}

/** The exchanges of one client of several. Where the service did not learn the client, the flow tells it. */
export function ofClient(entries: readonly TrafficEntry[], client_id: string): TrafficEntry[] {
	const flows = new Set(
		entries.flatMap((entry) => (entry.client_id === client_id && entry.flow !== undefined ? [entry.flow] : []))
	);
	return entries.filter((entry) =>
		entry.client_id === undefined ? entry.flow !== undefined && flows.has(entry.flow) : entry.client_id === client_id
	);
}

/** The codes of an attacker: those of the exam, and those of links that the sandbox opened. */
function deliveredCodes(
	entries: readonly TrafficEntry[],
	marks: readonly Mark[],
	foreign: Iterable<string>
): Set<string> {
	const codes = new Set([...foreign, ...marks.flatMap(({ code }) => code ?? [])]);
	for (const { endpoint, request, values } of entries)
		if (endpoint === 'control' && request.target.includes('/control/authorization-response?'))
			for (const { id } of values) codes.add(id);
	return codes;
}

/** The exchange that issued the code of each flow. */
function codesByFlow(
	entries: readonly TrafficEntry[],
	delivered: ReadonlySet<string>
): Map<string, TrafficEntry | 'delivered'> {
	const ends = new Map<string, TrafficEntry | 'delivered'>();
	for (const entry of entries) {
		if (entry.endpoint !== 'auth' || entry.flow === undefined) continue;
		const code = issued(entry, 'code');
		if (code !== undefined) ends.set(entry.flow, delivered.has(code.id) ? 'delivered' : entry);
	}
	return ends;
}

function flowsOf(authorizations: readonly Facts[], ends: ReadonlyMap<string, TrafficEntry | 'delivered'>): Flow[] {
	return authorizations.flatMap((request) => {
		const { entry } = request;
		const end = ends.get(entry.flow ?? '');
		if (end === undefined || end === 'delivered') return [];
		return {
			request,
			end,
			state: valueOf(entry, 'state'),
			challenge: queryParameter(entry, 'code_challenge') || undefined,
			hasNonce: asksForId(entry) && Boolean(queryParameter(entry, 'nonce')),
			nonce: queryParameter(entry, 'nonce') || undefined,
			outOfBand: queryParameter(entry, 'redirect_uri')?.startsWith('urn:') === true
		};
	});
}

/** Whether a request asks for an ID token. */
const asksForId = (entry: TrafficEntry): boolean =>
	queryParameter(entry, 'scope')?.split(' ').includes('openid') === true;

function addKind(kinds: Map<string, 'web' | 'installed'>, entry: TrafficEntry): void {
	const kind = /, (web|installed) application$/.exec(
		checkOf(entry, entry.endpoint === 'par' ? 'token.client_authenticated' : 'auth.client_known')?.detail ?? ''
	)?.[1];
	if (entry.client_id !== undefined && (kind === 'web' || kind === 'installed')) kinds.set(entry.client_id, kind);
}
