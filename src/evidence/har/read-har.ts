import { collectValues } from './collect-values.ts';
import { outcomeOf } from './describe-exchange.ts';
import { findForeign } from './findings/find-foreign.ts';
import { basicClient, foreignEntry } from './foreign-entry.ts';
import { ForeignLabels } from './foreign-labels.ts';
import {
	watchRecorder,
	type ForeignClaims,
	type ForeignExchange,
	type ForeignRole,
	type HarContent,
	type HarProblem,
	type HarOptions,
	type HarReading,
	foreignRoles,
	type RoleSummary
} from './har-reading.ts';
import { hostReplacer, replaceHosts, replaceInClaims, type HostReplacer } from './hide-hosts.ts';
import { fieldOf, isObject, listOf, textOf } from './json-fields.ts';
import { keptClaims } from './jwt-claims.ts';
import { linkExchanges } from './link-exchanges.ts';
import { parseHar, problem, type ParsedHar } from './parse-har.ts';
import { rawExchangeOf, valueIn, type RawExchange } from './raw-exchange.ts';
import { endpointKey, findRoles, protocolOf, type FoundRole } from './roles.ts';

/** How many endpoints of a role are listed. */
const mostEndpoints = 20;

/** More exchanges of sign-ins than anyone reads. */
const mostKept = 2000;

/**
 * Reads a HAR file of any recorder. Removes all secrets before it returns anything, and sends nothing anywhere.
 * @param text of the file, at most 50 MB
 */
export function readHar(text: string, options: HarOptions = {}): HarReading {
	const parsed = parseHar(text, options);
	if ('kind' in parsed) return parsed;
	const recorder = recorderOf(parsed.log);
	const raws = inOrder(parsed.entries.flatMap((entry, at) => rawExchangeOf(entry, at + 1, recorder) ?? []));
	const content = contentOf(raws, recorder, givenValues(parsed.log), options);
	if (content.exchanges.length === 0) return withoutOAuth(raws);
	return { ...content, total: parsed.entries.length, notes: notesOf(parsed, raws, content) };
}

/**
 * What the requests of a recording contain. Each step adds to what the steps before it found.
 * @param raws oldest first
 * @param given what a recording of `tollgate watch` has beside its labels
 */
export function contentOf(
	raws: readonly RawExchange[],
	recorder: string,
	given: GivenValues = noValues,
	options: HarOptions = {}
): HarContent {
	const withRoles = addRoles({ raws, recorder, given, options });
	const withLabels = addLabels(withRoles);
	const withExchanges = addExchanges(withLabels);
	return toContent(withExchanges);
}

type Recording = {
	/** Oldest first. */
	readonly raws: readonly RawExchange[];
	readonly recorder: string;
	readonly given: GivenValues;
	readonly options: HarOptions;
};
type WithRoles = Recording & {
	/** The requests of sign-ins. */
	readonly kept: readonly (FoundRole & { readonly raw: RawExchange })[];
	readonly roles: readonly RoleSummary[];
	readonly replace: HostReplacer;
};
type WithLabels = WithRoles & {
	readonly labels: ForeignLabels;
	/** The claims of each token, by its label. */
	readonly claims: ReadonlyMap<string, ForeignClaims>;
};
type WithExchanges = WithLabels & { readonly exchanges: readonly ForeignExchange[] };

/** What each request is for, by its shape or as the user chose. */
function addRoles(recording: Recording): WithRoles {
	const { raws, options } = recording;
	const replace = options.hideApplication === true ? applicationReplacer(raws) : (text: string) => text;
	const found = findRoles(raws, chosenRoles(raws, options.roles, replace));
	const all = raws.map((raw, at) => ({ raw, ...(found[at] ?? { role: 'foreign' as const, reason: '' }) }));
	return {
		...recording,
		kept: all.filter(({ role }) => role !== 'foreign').slice(0, mostKept),
		roles: summarizeRoles(all.map(({ raw, role, reason }) => ({ role, reason, key: replace(endpointKey(raw)) }))),
		replace
	};
}

/** The names of all secrets, before any text of the file is kept. */
function addLabels(recording: WithRoles): WithLabels {
	const { kept, given } = recording;
	const labels = new ForeignLabels(given.digests);
	const claims = new Map<string, ForeignClaims>();
	for (const { raw } of kept) collectValues(raw, labels, claims);
	for (const [label, known] of given.claims) claims.set(labels.find(`[${label}]`)?.slice(1, -1) ?? label, known);
	return { ...recording, labels, claims };
}

/** The exchanges without their secrets, each with the sign-in that it belongs to. */
function addExchanges(recording: WithLabels): WithExchanges {
	const exchanges = recording.kept.map((one, at) => toExchange(one, at + 1, recording));
	return { ...recording, exchanges: linkExchanges(exchanges) };
}

/** What readers see of it, with what the exchanges show about the client. */
function toContent({ raws, recorder, exchanges, roles, labels }: WithExchanges): HarContent {
	const hasCookies = keepsCookies(raws, recorder);
	return {
		kind: 'read',
		recorder,
		startedAt: raws[0]?.begin ?? 0,
		total: raws.length,
		exchanges,
		roles,
		removed: labels.removed,
		hasCookies,
		...findForeign(exchanges, { recorder, hasCookies }),
		notes: []
	};
}

/** Safari writes no time for what it had before it recorded. */
function inOrder(raws: readonly RawExchange[]): RawExchange[] {
	let latest = 0;
	return raws
		.map((raw) => ({ ...raw, begin: (latest = raw.begin || latest) }))
		.sort((one, other) => one.begin - other.begin || one.position - other.position);
}

/** What replaces the host names of the application. */
function applicationReplacer(raws: readonly RawExchange[]): HostReplacer {
	const roles = findRoles(raws);
	const own = raws.filter((_, at) => /^(?:callback|application)$/.test(roles[at]?.role ?? ''));
	return hostReplacer([...new Set(own.map(({ host }) => host))], () => 'app.example');
}

/** The roles that a user chose for endpoints, whose hosts may be replaced. */
function chosenRoles(
	raws: readonly RawExchange[],
	chosen: ReadonlyMap<string, ForeignRole> = new Map(),
	replace: HostReplacer
): ReadonlyMap<string, ForeignRole> {
	if (chosen.size === 0) return chosen;
	return new Map(
		raws.flatMap((raw): [string, ForeignRole][] => {
			const key = endpointKey(raw);
			const role = chosen.get(key) ?? chosen.get(replace(key));
			return role === undefined ? [] : [[key, role]];
		})
	);
}

/** What recorded a file: `Chrome`, `Firefox`. */
function recorderOf(log: unknown): string {
	const name = textOf(log, 'browser', 'name') || textOf(log, 'creator', 'name');
	if (/^webinspector$/i.test(name)) return 'Chrome';
	if (/webkit/i.test(name)) return 'Safari';
	return /^[\w .-]{1,60}$/.test(name) ? name : '';
}

/** Whether a recorder kept cookies. One that it kept shows that. Without one, only some recorders are known to keep them. */
function keepsCookies(raws: readonly RawExchange[], recorder: string): boolean {
	const isKept = raws.some(
		({ requestHeaders, responseHeaders }) =>
			valueIn(requestHeaders, 'cookie') !== undefined || valueIn(responseHeaders, 'set-cookie') !== undefined
	);
	return isKept || recorder === 'Firefox' || recorder === 'Safari';
}

type GivenValues = {
	readonly digests: ReadonlyMap<string, string>;
	readonly claims: ReadonlyMap<string, ForeignClaims>;
};
const noValues: GivenValues = { digests: new Map(), claims: new Map() };

/** What `tollgate watch` wrote beside its labels: digests, by which the same value is found in another file, and claims. */
function givenValues(log: unknown): GivenValues {
	const values = textOf(log, 'creator', 'name') === watchRecorder ? fieldOf(log, '_tollgate', 'values') : undefined;
	const digests = new Map<string, string>();
	const claims = new Map<string, ForeignClaims>();
	if (!isObject(values)) return { digests, claims };
	for (const label of Object.keys(values).slice(0, 4000)) {
		const id = textOf(values, label, 'id');
		if (!/^[A-Za-z ]{1,20} \d{1,4}$/.test(label) || !/^[\w-]{43}$/.test(id)) continue;
		digests.set(`[${label}]`, id);
		const known = keptClaims(fieldOf(values, label), listOf(values, label, 'aud'));
		if (Object.keys(known).length > 0) claims.set(label, known);
	}
	return { digests, claims };
}

function toExchange(
	{ raw, role, reason }: WithRoles['kept'][number],
	seq: number,
	{ labels, claims, replace }: WithLabels
): ForeignExchange {
	const client = basicClient(raw);
	const entry = labels.refer({
		...replaceHosts(foreignEntry(raw, role, seq, labels), replace),
		...(client === undefined ? {} : { client_id: client })
	});
	const isForApplication = role === 'callback' || role === 'application';
	return {
		entry,
		role,
		reason,
		from: raw.isBrowser && raw.source === 'file' ? 'browser' : 'application',
		to: isForApplication ? 'application' : role === 'resource' ? 'resource' : 'authorization',
		origin: replace(raw.origin),
		host: replace(raw.host),
		outcome: outcomeOf(entry, role),
		source: raw.source,
		position: raw.position,
		tokens: entry.values.flatMap(({ label }) => {
			const known = claims.get(label);
			return known === undefined ? [] : [{ label, claims: replaceInClaims(known, replace) }];
		})
	};
}

function notesOf(
	{ isPart, entries }: ParsedHar,
	raws: readonly RawExchange[],
	{ exchanges, recorder, hasCookies }: HarContent
): string[] {
	const positions = new Set(exchanges.map(({ position }) => position));
	const kept = raws.filter(({ position }) => positions.has(position));
	const withoutBody = kept.filter(({ isBodyLeftOut }) => isBodyLeftOut).length;
	const notes: string[] = [];
	if (isPart) notes.push(`Only the first ${entries.length} entries of the file were read.`);
	if (exchanges.length === mostKept)
		notes.push(`Only the first ${mostKept.toLocaleString('en')} requests of sign-ins were read.`);
	if (withoutBody > 0)
		notes.push(
			`The recorder left out the bodies of ${withoutBody} ${withoutBody === 1 ? 'response' : 'responses'}. Save the list with content.`
		);
	if (recorder === 'Safari')
		notes.push('Safari lists only the last request of a chain of redirects. Another browser lists all of them.');
	// Edge has the name of Chrome. All other recorders keep cookies.
	if (recorder === 'Chrome' && !hasCookies)
		notes.push(
			`The file has no cookies and no Authorization headers. ${recorder} leaves them out unless you export with sensitive data. It is removed before anything is kept.`
		);
	return notes;
}

/** The problem of a file without a request of OAuth. It may have a sign-in of another protocol. */
function withoutOAuth(raws: readonly RawExchange[]): HarProblem {
	const protocol = protocolOf(raws);
	const found = `${raws.length} other ${raws.length === 1 ? 'request' : 'requests'}`;
	const expected = 'a request of OAuth 2 or OpenID Connect, such as one with response_type and client_id';
	if (protocol === undefined)
		return problem(
			'The file has no request of OAuth.',
			expected,
			found,
			'Record the whole sign-in, with Preserve log.'
		);
	const whatToDo = `Tollgate explains OAuth 2 and OpenID Connect only. Use a tool for ${protocol}.`;
	return problem(`The file has a sign-in by ${protocol}, and no request of OAuth 2.`, expected, found, whatToDo);
}

/** The roles of a file, in the order of a sign-in, with the endpoints of each. */
function summarizeRoles(
	found: readonly { readonly role: ForeignRole; readonly reason: string; readonly key: string }[]
): RoleSummary[] {
	return foreignRoles.flatMap((role) => {
		const same = found.filter((one) => one.role === role);
		const [first] = same;
		if (first === undefined) return [];
		const counts = new Map<string, number>();
		for (const { key } of same) counts.set(key, (counts.get(key) ?? 0) + 1);
		const endpoints = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostEndpoints);
		return [
			{ role, count: same.length, reason: first.reason, endpoints: endpoints.map(([key, count]) => ({ key, count })) }
		];
	});
}
