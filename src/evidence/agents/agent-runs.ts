import type { TrafficEntry } from '#api/control/traffic.ts';
import { parameter } from '../exchanges.ts';
import { requestHeader } from '../facts.ts';

/** What one agent did from its first request on. */
export type AgentRun = {
	/** The id of its first exchange. */
	readonly id: string;
	/** What the agent calls itself, with its version. */
	readonly name: string;
	readonly client_id: string | undefined;
	/** Oldest first. */
	readonly entries: readonly TrafficEntry[];
};

type OpenRun = { id: string; name: string; client_id: string | undefined; entries: TrafficEntry[] };

const metadataEndpoints: ReadonlySet<string> = new Set([
	'oauth-protected-resource',
	'oauth-authorization-server',
	'openid-configuration'
]);

/** Whether an exchange is a request for metadata. */
export const isMetadata = ({ endpoint }: TrafficEntry): boolean => metadataEndpoints.has(endpoint);

/**
 * The agents of a log, in the order of their first requests. A message without a token begins a run. Other requests belong to the run
 * of their client, or of their program and address.
 * @param entries of one sandbox, oldest first
 */
export function agentRuns(entries: readonly TrafficEntry[]): AgentRun[] {
	const runs: OpenRun[] = [];
	const byProgram = new Map<string, OpenRun>();
	for (const entry of entries) {
		if (entry.request.method === 'OPTIONS') continue;
		const key = `${entry.address} ${requestHeader(entry, 'user-agent') ?? ''}`;
		const current = byProgram.get(key);
		const run = begins(entry, current) ? begin(entry) : (runOf(entry, runs) ?? ofProgram(entry, current));
		if (run === undefined) continue;
		if (run.entries.length === 0) {
			runs.push(run);
			byProgram.set(key, run);
		}
		run.entries.push(entry);
		run.client_id ??= clientOf(entry);
		run.name = infoOf(entry) ?? run.name;
	}
	return runs;
}

/** Whether an exchange begins a run. A client may send several messages before it looks for the server. */
function begins(entry: TrafficEntry, current: OpenRun | undefined): boolean {
	const { endpoint, request } = entry;
	if (endpoint === 'mcp') {
		if (requestHeader(entry, 'authorization') !== undefined || request.method !== 'POST') return false;
		return current === undefined || current.entries.some((one) => one.endpoint !== 'mcp');
	}
	const isOfServer = endpoint === 'oauth-protected-resource' && pathOf(entry).endsWith('/mcp');
	return isOfServer && current === undefined;
}

function begin(entry: TrafficEntry): OpenRun {
	return { id: entry.id, name: infoOf(entry) ?? programOf(entry), client_id: undefined, entries: [] };
}

/** The run of the client or of the flow of an exchange, or the one that waits for its user to be sent there. */
function runOf(entry: TrafficEntry, runs: readonly OpenRun[]): OpenRun | undefined {
	const { client_id, flow, endpoint } = entry;
	if (!['auth', 'token', 'mcp', 'revoke'].includes(endpoint)) return undefined;
	const known = runs.findLast(
		(run) =>
			(client_id !== undefined && run.client_id === client_id) ||
			(flow !== undefined && run.entries.some((one) => one.flow === flow))
	);
	if (endpoint !== 'auth') return known;
	const isForServer = parameter(entry, 'resource')?.endsWith('/mcp') === true;
	const waiting = runs.findLast(
		(run) => run.client_id === undefined && run.entries.some(isMetadata) && (isForServer || client_id !== undefined)
	);
	if (known === undefined) return waiting;
	// A client that was registered before begins again.
	const isAgain = waiting?.name === known.name && (waiting.entries[0]?.seq ?? 0) > (known.entries.at(-1)?.seq ?? 0);
	return isAgain ? waiting : known;
}

/** Requests that name no client belong to the program that sent them. */
function ofProgram(entry: TrafficEntry, current: OpenRun | undefined): OpenRun | undefined {
	const isOfProgram = isMetadata(entry) || ['mcp', 'register', 'token'].includes(entry.endpoint);
	return isOfProgram ? current : undefined;
}

function clientOf(entry: TrafficEntry): string | undefined {
	if (entry.endpoint === 'register' || entry.endpoint === 'token') return entry.client_id;
	return entry.endpoint === 'auth' ? (entry.client_id ?? parameter(entry, 'client_id')) : undefined;
}

/** What a message says about the program: in its `_meta` (2026-07-28), or in `initialize` (before). */
function infoOf({ endpoint, request }: TrafficEntry): string | undefined {
	if (endpoint !== 'mcp') return undefined;
	const [, object = ''] = /clientInfo"\s*:\s*(\{[^{}]*\})/.exec(request.body) ?? [];
	const info = parseObject(object);
	if (typeof info.name !== 'string') return undefined;
	return `${info.name} ${typeof info.version === 'string' ? info.version : ''}`.trim().slice(0, 60);
}

/** The first product of the `User-Agent`. */
function programOf(entry: TrafficEntry): string {
	return (requestHeader(entry, 'user-agent') ?? '').split(' ')[0]?.replace('/', ' ').slice(0, 60) || 'Unnamed client';
}

/** The path of a request, without the query. */
export function pathOf({ request }: TrafficEntry): string {
	return request.target.split('?')[0] ?? '';
}

/** The JSON object of a text. Empty for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === 'object' && value !== null ? { ...value } : {};
	} catch {
		return {};
	}
}

/** `skipped`: not needed. `waiting`: it has not happened yet. */
export type Tone = 'ok' | 'caution' | 'error' | 'skipped' | 'waiting';

/** One thing that a client did in a step, and why. */
export type Try = {
	readonly tone: Tone;
	readonly status?: number | undefined;
	/** A URL, or what the message has. */
	readonly text: string;
	readonly reason: string;
	/** The exchange that shows it. */
	readonly exchange?: string;
};

/** An exchange as a try, without its reason. */
export function tryOf(entry: TrafficEntry, tone: Tone): Omit<Try, 'reason'> {
	return { tone, status: entry.response?.status, text: pathOf(entry), exchange: entry.id };
}

/** The worst tone of a step. */
export function toneOf(tries: readonly Try[]): Tone {
	const order: readonly Tone[] = ['error', 'caution', 'waiting', 'ok', 'skipped'];
	return order.find((tone) => tries.some((one) => one.tone === tone)) ?? 'waiting';
}
