import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	authorizationRequestOf,
	exchangedCode,
	isAutomatic,
	isTokenRequest,
	issuedCode,
	parameter
} from '#evidence/exchanges.ts';
import type { ShownRun } from '../lesson.ts';
import type { StageStep, Tool } from '../stage.ts';
import type { Evidence, Shown, Visit } from './condition.ts';

/** One step of a run, and what the learner sent in it. */
export type Step = {
	readonly index: number;
	readonly data: StageStep;
	readonly isDone: boolean;
	/** All exchanges of its time, also pages on the way to a decision, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** Those that the step asks for, in this tab, another one or by a program: what it shows and is judged by. Oldest first. */
	readonly attempts: readonly TrafficEntry[];
	/** `X-Request-Id` of those that show it. */
	readonly evidence: ReadonlySet<string>;
};

type Options = {
	readonly steps: readonly StageStep[];
	/** Ids of the conditions, in their order. */
	readonly conditions: readonly string[];
	readonly shown: Shown;
	/** The exchanges of this run, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** Which steps were opened, oldest first. */
	readonly visits?: readonly Visit[];
};

/** A message of the lesson: not what a page requests without the learner, and of the control API the links and tickets only. */
export const isMessage = (entry: TrafficEntry) =>
	!isAutomatic(entry) &&
	(entry.endpoint !== 'control' || /\/control\/(?:authorization-response|tickets)/.test(entry.request.target));

/** Pages of the service in the browser: they lead to what shows a step. */
export const isPage = ({ endpoint }: TrafficEntry) =>
	endpoint === 'auth' || endpoint === 'account' || endpoint === 'device';

/** The step in which exchanges were caused. */
export type Views = ReadonlyMap<TrafficEntry, number>;

/**
 * The step that was open when a page of ours sent an exchange, where that step asks for it. A program sends for the first step that its
 * exchanges fit, whichever is open.
 */
export function viewsOf(
	steps: readonly Pick<StageStep, 'tools'>[],
	{ entries, visits = [] }: Pick<Evidence, 'entries' | 'visits'>
): Views {
	const views = new Map<TrafficEntry, number>();
	if (visits.length === 0) return views;
	for (const entry of entries) {
		const { step = -1 } = visits.findLast(({ after }) => after < entry.seq) ?? {};
		const data = steps[step];
		if (data !== undefined && asksFor(data, entry) && isOfPage(entry, entries)) views.set(entry, step);
	}
	return views;
}

/** Whether a page of ours sent an exchange. Of a sign-in, whether it opened it: the pages of the service are ours for every client. */
function isOfPage(entry: TrafficEntry, entries: readonly TrafficEntry[]): boolean {
	const isSignIn = entry.endpoint === 'auth' && entry.flow !== undefined;
	const first = isSignIn ? authorizationRequestOf(entries, entry) : undefined;
	return (first ?? entry).request.headers.some(
		([name, value]) => name.toLowerCase() === 'sec-fetch-site' && value === 'same-origin'
	);
}

/** The steps of a run. An exchange belongs to the step that it was caused in, or of a program, to the first one that it shows or that is open. */
export function stepsOf({ steps, conditions, shown, entries, visits = [] }: Options): readonly Step[] {
	const all = entries.filter(isMessage);
	const cited = new Set(Object.values(shown).flat());
	const views = viewsOf(steps, { entries, visits });
	let from = 0;
	let start = 0;
	const groups = steps.map((data, index) => {
		const end = conditions.indexOf(data.condition) + 1;
		const evidence = new Set(conditions.slice(from, end).flatMap((id) => shown[id] ?? []));
		from = end;
		const isDone = shown[data.condition] !== undefined;
		const isLast = index === steps.length - 1;
		let last = isDone && !isLast ? all.findLastIndex(({ id }) => evidence.has(id)) + 1 : all.length;
		const isLoad = data.tools.some((tool) => tool.kind === 'load' || tool.kind === 'own-client' || isHerd(tool));
		// The rest of a press: its first exchanges showed the step already. Without a page, only equal ones.
		for (let next = all[last]; isDone && last > 0 && next !== undefined && !cited.has(next.id); next = all[++last]) {
			const isRest = views.has(next) ? views.get(next) === index : isLoad && isRepeated(all[last - 1], next);
			if (!isRest) break;
		}
		const own = all.slice(start, Math.max(start, last));
		start = Math.max(start, last);
		return { index, data, isDone, entries: own, evidence };
	});
	const owners = new Map<TrafficEntry, number>();
	for (const { index, data, entries: own, evidence } of groups)
		for (const entry of own) {
			const viewed = views.get(entry);
			if (evidence.has(entry.id)) owners.set(entry, index);
			else if (viewed !== undefined && viewed < index) owners.set(entry, viewed);
			else if (asksFor(data, entry)) owners.set(entry, index);
		}
	return groups.map((group) => ({ ...group, attempts: all.filter((entry) => owners.get(entry) === group.index) }));
}

/** A run, for a comparison of two of its results. */
export const shownRun = (entries: readonly TrafficEntry[], shown: Shown, steps: readonly Step[]): ShownRun => ({
	entries,
	shown: (id) => entries.filter((entry) => shown[id]?.includes(entry.id) === true),
	sent: (step) => steps[step]?.attempts ?? []
});

const isHerd = (tool: Tool) => tool.kind === 'limit' && tool.action === 'herd';
const isRepeated = (one: TrafficEntry | undefined, next: TrafficEntry | undefined) =>
	one !== undefined && next !== undefined && !isPage(one) && keyOf(one) === keyOf(next);

/** The last one of the equal exchanges of a load that an exchange of a step belongs to: a load is judged by its first ones. */
export function lastLike(steps: readonly Step[], id: string | undefined): TrafficEntry | undefined {
	const attempts = steps.find(({ evidence }) => id !== undefined && evidence.has(id))?.attempts ?? [];
	const at = attempts.findIndex((entry) => entry.id === id);
	const first = attempts[at];
	if (first === undefined) return undefined;
	const end = attempts.findIndex((entry, index) => index > at && keyOf(entry) !== keyOf(first));
	return attempts[(end < 0 ? attempts.length : end) - 1];
}

/** Whether a message of a step would go through that the step wants to wait. */
export const goesThrough = ({ isDone, data }: Pick<Step, 'isDone' | 'data'>, isPaused: boolean): boolean =>
	!isDone && !isPaused && data.tools.some(({ kind }) => kind === 'pause');

/** What equal exchanges have in common: who sent what as which user with which credential, and what came back. */
export function keyOf(entry: TrafficEntry): string {
	const { endpoint, request, response, trace, username, client_id, address } = entry;
	const failed = trace.find(({ outcome }) => outcome === 'failed');
	// The request that puts an address on the blacklist is not like those before it.
	const result = `${response?.status ?? 'none'} ${failed?.id ?? ''} ${failed?.cause ?? ''}`;
	const issued = new Set(entry.credentials.flatMap(({ type, id }) => (type === 'issued' ? [id] : [])));
	const sent = entry.values.flatMap(({ id }) => (issued.has(id) ? [] : [id]));
	const isInUrl = parameter(entry, 'access_token') !== undefined;
	const what = endpoint === 'character' ? isInUrl : `${request.target} ${request.body}`;
	return JSON.stringify([endpoint, request.method, what, result, username, client_id, address, sent]);
}

/** Whether a step asks for an exchange. One without a control asks for what a program sends. */
export const asksFor = ({ tools }: Pick<StageStep, 'tools'>, entry: TrafficEntry): boolean =>
	tools.some((tool) => sends(tool, entry));

const hasToken = ({ request: { headers } }: TrafficEntry) =>
	headers.some(([name]) => name.toLowerCase() === 'authorization');
const isCharacter = (entry: TrafficEntry) => entry.endpoint === 'character' && hasToken(entry);

/** A page of the service that came to a decision: a code, a denial or a rejection. */
export const isDecision = (entry: TrafficEntry) =>
	issuedCode(entry) || isDenied(entry) || (entry.endpoint === 'auth' && (entry.response?.status ?? 0) >= 400);

/** The user denied access, also on the page for the code of a device. */
export const isDenied = ({ endpoint, request }: TrafficEntry) =>
	(endpoint === 'auth' || endpoint === 'device') && /(?:^|&)decision=deny(?:&|$)/.test(request.body);

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

const requests: Readonly<Record<Extract<Tool, { kind: 'request' }>['request'], (entry: TrafficEntry) => boolean>> = {
	authorization: ({ endpoint }) => endpoint === 'auth',
	exchange: (entry) => isTokenRequest(entry, 'authorization_code'),
	refresh: (entry) => isTokenRequest(entry, 'refresh_token'),
	character: ({ endpoint }) => endpoint === 'character',
	ratelimits: ({ endpoint }) => endpoint === 'ratelimits',
	revoke: ({ endpoint }) => endpoint === 'revoke',
	introspection: ({ endpoint }) => endpoint === 'introspect',
	pushed: ({ endpoint }) => endpoint === 'par',
	device_authorization: ({ endpoint }) => endpoint === 'device_authorization',
	device_poll: (entry) => isTokenRequest(entry, deviceGrant),
	client_credentials: (entry) => isTokenRequest(entry, 'client_credentials'),
	token_exchange: (entry) => isTokenRequest(entry, exchangeGrant)
};

/** Whether a control sends an exchange. */
function sends(tool: Tool, entry: TrafficEntry): boolean {
	const { endpoint, request } = entry;
	switch (tool.kind) {
		case 'request':
			return requests[tool.request](entry);
		case 'sign-in':
		case 'companion':
			return isDecision(entry) || isTokenRequest(entry, 'authorization_code');
		case 'attack':
			return isDecision(entry) || exchangedCode(entry) || endpoint === 'control';
		case 'load':
			return isCharacter(entry) || isTokenRequest(entry, 'refresh_token');
		case 'look-up':
			return isCharacter(entry);
		case 'limit':
			if (tool.action === 'send') return isCharacter(entry) && nameOf(request.target) === tool.name;
			return tool.action === 'herd' && isCharacter(entry);
		case 'leak':
			return endpoint === 'character' || parameter(entry, 'access_token') !== undefined;
		case 'rate-limits':
			return endpoint === 'ratelimits';
		case 'refresh':
			return isTokenRequest(entry, 'refresh_token');
		case 'sign-out':
			return endpoint === 'revoke';
		case 'account':
		case 'device':
			return endpoint === tool.kind;
		case 'status':
			return endpoint === 'ratelimiting';
		case 'tickets':
			return endpoint === 'control';
		case 'own-client':
			return true;
		default:
			return false;
	}
}

/** The last part of a path, decoded. */
export function nameOf(target: string): string {
	const name = target.replace(/\?.*$/s, '').split('/').at(-1) ?? '';
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}
