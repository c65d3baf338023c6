import { countText } from '#lib/count-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { partyLabels, type PartyId } from '#ui/flow/flow-parties.ts';
import { flowMessages, type FlowMessage } from '#features/inspector/flow-messages.ts';
import { isPage, keyOf, type Step, nameOf } from '../evaluation/step.ts';
import type { ExpectedRequest, StageStep } from '../stage.ts';
import { parameter } from '#evidence/exchanges.ts';
import { sentDifference } from '../uri-difference.ts';

export type DiagramRow = {
	/** Stable while the row is shown. */
	readonly id: string;
	/** Index of the step that it belongs to. */
	readonly step: number | undefined;
} & (
	| { readonly kind: 'fold'; readonly label: string }
	| {
			readonly kind: 'arrow';
			readonly from: PartyId;
			readonly to: PartyId;
			/** Empty for a response that is still to come. */
			readonly label: string;
			readonly isReply: boolean;
			readonly isRejected: boolean;
			/** There was no response. */
			readonly isCut: boolean;
			/** It has not happened yet. */
			readonly isGhost: boolean;
			readonly isSeen: boolean;
			/** `X-Request-Id` of the exchange, the last one of several equal ones; undefined for what has not happened. */
			readonly exchange: string | undefined;
			/** `X-Request-Id` of all equal exchanges that the row counts. */
			readonly exchanges: readonly string[];
			readonly part: 'request' | 'response' | 'callback' | undefined;
	  }
);

type Options = {
	/** Those that the result box and the notice read, too. */
	readonly steps: readonly Step[];
	/** The exchanges of this run, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** Whether a thief sent an exchange. */
	readonly isThief?: (entry: TrafficEntry) => boolean;
	/** Whether a client of this browser rejected what an exchange redirected to it. The service does not see that. */
	readonly isLinkRejected?: (entry: TrafficEntry) => boolean;
	/** How many rows there is room for without scrolling. */
	readonly most: number;
	/** The step that stays unfolded. */
	readonly keep: number;
	/** What the world calls its resource. */
	readonly noun?: string;
};

/**
 * The rows of a diagram: all exchanges of the run in the order of the log, then what the open steps are expected to send. Equal exchanges
 * that follow each other are one row with their number. Where the room is too small, steps that are done are folded from the oldest on,
 * then what came before the exchanges that show a step.
 */
export function diagramRows({
	steps: groups,
	entries,
	most,
	keep,
	isThief = () => false,
	isLinkRejected = () => false,
	noun = 'resource'
}: Options): readonly DiagramRow[] {
	const steps = groups.map(({ data }) => data);
	const open = groups.find(({ isDone }) => !isDone)?.index;
	const ghosts = ghostsOf(open, steps);
	const fits = (rows: number) => rows + ghosts.length <= most;
	const values = entries.flatMap((entry) => entry.values);
	const known = new Map(values.map(({ preview, label }) => [preview, label]));
	const never = () => false;
	const runs = groups.map((group) =>
		recordedRuns(group, hasThief(group.data) ? isThief : never, isLinkRejected, known, noun)
	);
	const rows = fold(
		runs.map((ofStep) => rowsOf(ofStep)),
		groups,
		fits,
		keep
	);
	for (const { index: step } of groups) {
		const others = rows.flat().length - (rows[step]?.length ?? 0);
		if (!fits(others) || fits(rows.flat().length) || (rows[step]?.length ?? 0) < 2) continue;
		rows[step] = shorten(runs[step] ?? [], step, (own) => fits(others + own));
	}
	const recorded = rows.flat();
	const later = steps.flatMap((_, step) => (open !== undefined && step > open ? ghostsOf(step, steps) : []));
	return [...recorded, ...ghosts, ...later.slice(0, Math.max(0, most - recorded.length - ghosts.length))];
}

/** A row in words, for screen readers. */
export function rowText(row: DiagramRow): string {
	if (row.kind === 'fold') return row.label;
	const label = row.label === '' ? 'response to come' : row.label;
	const state = row.isGhost ? ', not done yet' : row.isRejected && !row.label.endsWith('rejected') ? ', rejected' : '';
	return `${partyLabels[row.from]} to ${partyLabels[row.to]}: ${label}${state}`;
}

/** The rows of the flow that is known before the lesson. A message without a reply has an unknown one. */
export function knownRows(known: readonly (ExpectedRequest & { readonly reply?: string })[]): readonly DiagramRow[] {
	return known.flatMap(({ from, to, label, reply }, index) => {
		const isGhost = reply === undefined;
		return [
			{ ...expected({ from, to, label }, `known ${index}`, undefined), isGhost },
			{ ...unknownReply({ from, to }, `known ${index}`, undefined), label: reply ?? '', isGhost }
		];
	});
}

/** Exchanges of a step that are drawn together. */
type Run = {
	readonly entries: readonly TrafficEntry[];
	readonly rows: readonly DiagramRow[];
	/** Whether one of them shows the step. */
	readonly isEvidence: boolean;
};

/** In other steps, an application may send the same request. */
const hasThief = ({ tools }: StageStep) => tools.some((tool) => 'sender' in tool);

const rowsOf = (runs: readonly Run[]) => runs.flatMap(({ rows }) => rows);

function recordedRuns(
	{ index: step, data, isDone, entries, evidence }: Step,
	isThief: (entry: TrafficEntry) => boolean,
	isLinkRejected: (entry: TrafficEntry) => boolean,
	known: KnownValues,
	noun: string
): Run[] {
	const all = (label: string) => [{ entries, rows: [foldRow(`${step} fold`, step, label)], isEvidence: true }];
	const { folds } = data;
	if (isDone && folds !== undefined) {
		// Another account than that of the exchange that shows the step.
		const own = new Set(entries.flatMap(({ id, username }) => (evidence.has(id) ? [username] : [])));
		const others = new Set(entries.flatMap(({ username }) => (own.has(username) ? [] : (username ?? []))));
		const after = others.size === 0 ? '' : `, after ${[...others].join(' and ')}`;
		return all(`${folds}${after} · ${countText(entries.length, 'exchange')}`);
	}
	if (isDone && entries.length === 0) return all(data.title);
	return runsOf(entries, evidence, isThief).flatMap((run) => {
		const [first] = run;
		if (first === undefined) return [];
		const isEvidence = run.some(({ id }) => evidence.has(id));
		const rows =
			isPage(first) && !isEvidence && (first.response?.status ?? 0) < 400
				? [foldRow(`${first.id} pages`, step, `Pages of the service · ${countText(run.length, 'exchange')}`)]
				: exchangeRows(run, step, isThief(first), isLinkRejected(first), known, noun);
		return [{ entries: run, rows, isEvidence }];
	});
}

/** Folds the first runs of a step until its rows fit: up to the exchanges that show it, or to the last ones where it is open. */
function shorten(runs: readonly Run[], step: number, fits: (rows: number) => boolean): readonly DiagramRow[] {
	const proof = runs.findIndex(({ isEvidence }) => isEvidence);
	const most = proof < 0 ? runs.length - 1 : proof;
	let rows: readonly DiagramRow[] = rowsOf(runs);
	for (let count = 2; count <= most && !fits(rows.length); count++) {
		const earlier = countText(runs.slice(0, count).flatMap(({ entries }) => entries).length, 'exchange');
		rows = [foldRow(`${step} earlier`, step, `Before that · ${earlier}`), ...rowsOf(runs.slice(count))];
	}
	return rows;
}

/** What a step is expected to send. */
function ghostsOf(step: number | undefined, steps: readonly StageStep[]): DiagramRow[] {
	if (step === undefined) return [];
	return (steps[step]?.expected ?? []).flatMap((request, index) => [
		expected(request, `${step} expected ${index}`, step),
		unknownReply(request, `${step} expected ${index}`, step)
	]);
}

/** Equal exchanges that follow each other, and pages that do not show the step. */
function runsOf(
	entries: readonly TrafficEntry[],
	evidence: ReadonlySet<string>,
	isThief: (entry: TrafficEntry) => boolean
): TrafficEntry[][] {
	const runs: TrafficEntry[][] = [];
	const key = (entry: TrafficEntry) =>
		isPage(entry) && !evidence.has(entry.id) && (entry.response?.status ?? 0) < 400
			? 'page'
			: `${isThief(entry)} ${keyOf(entry)}`;
	for (const entry of entries) {
		const run = runs.at(-1);
		if (run?.[0] !== undefined && key(run[0]) === key(entry)) run.push(entry);
		else runs.push([entry]);
	}
	return runs;
}

const shownParts = ['request', 'response', 'callback'] as const;

/** The messages of an exchange, or of several equal ones in a row. */
function exchangeRows(
	run: readonly TrafficEntry[],
	step: number,
	isThief: boolean,
	isLinkRejected: boolean,
	known: KnownValues,
	noun: string
): DiagramRow[] {
	const entry = run.at(-1);
	if (entry === undefined) return [];
	return flowMessages([entry], noun).flatMap((message) => {
		const part = shownParts.find((name) => message.id.endsWith(` ${name}`));
		if (part === undefined) return [];
		const { id, isReply, isSeen, exchange } = message;
		const isRejected = message.isRejected || (part === 'callback' && isLinkRejected);
		const sender = (party: PartyId) => (isThief && party === 'application' ? 'thief' : party);
		const [from, to] = [sender(message.from), sender(message.to)];
		const isCut = isReply && entry.response === null;
		const exchanges = run.map((one) => one.id);
		const said = labelOf(entry, message, part, run.length > 1, known);
		const counted = run.length > 1 ? `${run.length} × ${said}` : said;
		const label = part === 'callback' && isLinkRejected ? 'callback rejected' : counted;
		const state = { isReply, isRejected, isSeen, isCut, isGhost: false };
		return [{ kind: 'arrow', id, step, from, to, ...state, exchange, exchanges, part, label }];
	});
}

/** Folds the oldest steps that are done until the rows fit. */
function fold(
	parts: readonly (readonly DiagramRow[])[],
	groups: readonly Step[],
	fits: (rows: number) => boolean,
	keep: number
): (readonly DiagramRow[])[] {
	const rows = [...parts];
	const folded = new Set<number>();
	for (const { index: step, isDone } of groups) {
		if (fits(rows.flat().length)) break;
		if (!isDone || step === keep) continue;
		folded.add(step);
		const first = Math.min(...folded);
		const isJoined = [...folded].every((one) => one - first < folded.size);
		const joined = isJoined ? [...folded] : [step];
		for (const one of joined) rows[one] = [];
		const text = countText(joined.flatMap((one) => groups[one]?.entries ?? []).length, 'exchange');
		const from = joined[0] ?? step;
		const name = from === step ? `Step ${step + 1}` : `Steps ${from + 1}–${step + 1}`;
		rows[from] = [foldRow(`fold ${from}`, joined.length > 1 ? undefined : step, `${name} · ${text}`)];
	}
	return rows;
}

const foldRow = (id: string, step: number | undefined, label: string): DiagramRow => ({
	kind: 'fold',
	id,
	step,
	label
});

function expected(request: ExpectedRequest, id: string, step: number | undefined) {
	const ghost = {
		isReply: false,
		isRejected: false,
		isCut: false,
		isGhost: true,
		isSeen: true,
		exchange: undefined,
		exchanges: [],
		part: undefined
	};
	return { kind: 'arrow', id: `${id} request`, step, ...ghost, ...request } as const;
}

function unknownReply({ from, to }: Pick<ExpectedRequest, 'from' | 'to'>, id: string, step: number | undefined) {
	return { ...expected({ from: to, to: from, label: '' }, id, step), id: `${id} reply`, isReply: true } as const;
}

/** The labels of values of the run, by their previews: `GQVJab…` is `access token 1`. */
type KnownValues = ReadonlyMap<string, string>;

/** Parameters of token requests with the value that the request is about. */
const decisive = ['code', 'refresh_token', 'device_code', 'subject_token'] as const;

/**
 * What an arrow says of a message: a request by what was sent, never by its response.
 * @param isMany whether it means several equal exchanges
 */
export function labelOf(
	entry: TrafficEntry,
	{ label }: FlowMessage,
	part: 'request' | 'response' | 'callback',
	isMany: boolean,
	known: KnownValues
): string {
	const name = nameOf(entry.request.target);
	const difference = part === 'callback' ? undefined : sentDifference(entry);
	if (difference !== undefined) return `${part === 'request' ? 'GET auth' : statusOf(entry)} · ${difference}`;
	if (part === 'response') {
		// The headers are what some lessons ask for, so they are not shown here.
		if (entry.response?.status === 200 && entry.endpoint === 'character') return isMany ? '200' : `200 ${name}`;
		if (entry.response?.status === 200 && entry.endpoint === 'ratelimits') return '200 limits';
		const issued = entry.endpoint === 'token' ? entry.credentials.filter(({ type }) => type === 'issued') : [];
		if (isMany && issued.length > 0) return String(entry.response?.status ?? '');
		const labels = issued.flatMap(({ id }) => valueLabel(entry, id) ?? []);
		return labels.length > 0 ? `200 ${labels.join(', ')}` : label;
	}
	const path = label.replace(/\/ws\/(?:oauth2|v2\.0)\//, '').replace(/\/(?=\s|$)/, '');
	const used = entry.credentials.find(({ type }) => type === 'used');
	const value = used && valueLabel(entry, used.id);
	if (entry.endpoint === 'character')
		return isMany
			? 'GET character'
			: [`GET character/${name}`, isProven(entry) ? 'proof' : value].filter(Boolean).join(' · ');
	if (entry.endpoint === 'control' && part === 'request') {
		const [, kind = '', id] = /\/control\/(authorization-response|tickets)(\/)?/.exec(entry.request.target) ?? [];
		if (kind === 'tickets') return id === undefined ? 'file ticket' : 'decide ticket';
		if (kind !== '') return ['GET link', entry.values[0]?.label].filter(Boolean).join(' · ');
	}
	if (entry.endpoint === 'token') return ['POST token', sentIn(entry, known)].filter(Boolean).join(' · ');
	return path;
}

const statusOf = ({ response }: TrafficEntry) => response?.status ?? 'no response';

const valueLabel = ({ values }: TrafficEntry, id: string) => values.find((value) => value.id === id)?.label;

const isProven = ({ request: { headers } }: TrafficEntry) => headers.some(([name]) => name.toLowerCase() === 'dpop');

/** What a token request is about: the code or token in it, or how the application proves who it is. */
function sentIn(entry: TrafficEntry, known: KnownValues): string | undefined {
	for (const name of decisive) {
		const sent = parameter(entry, name);
		if (sent === undefined) continue;
		return entry.values.find(({ preview }) => preview === sent)?.label ?? known.get(sent) ?? name.replace('_', ' ');
	}
	if (isProven(entry)) return 'proof';
	if (parameter(entry, 'client_assertion') !== undefined) return 'assertion';
	return parameter(entry, 'client_secret') === undefined ? undefined : 'secret';
}
