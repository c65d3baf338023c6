import { countText } from '#api/count-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { isAutomatic } from '#evidence/exchanges.ts';
import { partyLabels, type PartyId } from '#ui/flow/flow-parties.ts';
import { flowMessages } from '#features/inspector/flow-messages.ts';
import type { Shown } from '../evaluation/evaluate.ts';
import type { ExpectedRequest, StageStep } from '../stage.ts';
import { labelOf } from './diagram-label.ts';

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
	readonly steps: readonly StageStep[];
	/** Ids of the conditions, in their order. */
	readonly conditions: readonly string[];
	readonly shown: Shown;
	/** The exchanges of this run, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** Whether a thief sent an exchange. */
	readonly isThief?: (entry: TrafficEntry) => boolean;
	/** How many rows there is room for without scrolling. */
	readonly most: number;
	/** The step that stays unfolded. */
	readonly keep: number;
};

/** The exchanges of one step, in the order of the log. */
type Group = {
	readonly step: number;
	readonly isDone: boolean;
	readonly entries: readonly TrafficEntry[];
	/** `X-Request-Id` of those that show it. */
	readonly evidence: ReadonlySet<string>;
};

/**
 * The rows of a diagram: all exchanges of the run in the order of the log, then what the open steps are expected to send. Equal exchanges
 * that follow each other are one row with their number. Where the room is too small, steps that are done are folded from the oldest on,
 * then what came before the exchanges that show a step.
 */
export function diagramRows(options: Options): readonly DiagramRow[] {
	const { steps, most, keep, isThief = () => false } = options;
	const groups = groupsOf(options);
	const open = groups.find(({ isDone }) => !isDone)?.step;
	const ghosts = ghostsOf(open, steps);
	const fits = (rows: number) => rows + ghosts.length <= most;
	const runs = groups.map((group) => recordedRuns(group, steps[group.step], isThief));
	const rows = fold(
		runs.map((ofStep) => rowsOf(ofStep)),
		groups,
		fits,
		keep
	);
	for (const { step } of groups) {
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
	const state = row.isGhost ? ', not done yet' : row.isRejected ? ', rejected' : '';
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

/** The step that each exchange belongs to: the first one that is shown by it or by a later exchange. */
function groupsOf({ steps, conditions, shown, entries }: Options): Group[] {
	const all = entries.filter(isMessage);
	const cited = new Set(Object.values(shown).flat());
	const isCited = (entry: TrafficEntry | undefined) => entry !== undefined && cited.has(entry.id);
	let from = 0;
	let start = 0;
	return steps.map(({ condition }, step) => {
		const end = conditions.indexOf(condition) + 1;
		const evidence = new Set(conditions.slice(from, end).flatMap((id) => shown[id] ?? []));
		from = end;
		const isDone = shown[condition] !== undefined;
		const isLast = step === steps.length - 1;
		let last = isDone && !isLast ? all.findLastIndex(({ id }) => evidence.has(id)) + 1 : all.length;
		// The rest of a load: the first equal exchanges showed the step already.
		while (last > 0 && all[last] !== undefined && isEqual(all[last - 1], all[last]) && !isCited(all[last])) last++;
		const own = all.slice(start, Math.max(start, last));
		start = Math.max(start, last);
		return { step, isDone, entries: own, evidence };
	});
}

/** Pages of the service in the browser: they lead to what shows a step. */
const isPage = ({ endpoint }: TrafficEntry) => endpoint === 'auth' || endpoint === 'account' || endpoint === 'device';

/** A message of the lesson: not what a page requests without the learner, and of the control API the links and tickets only. */
export const isMessage = (entry: TrafficEntry) =>
	!isAutomatic(entry) &&
	(entry.endpoint !== 'control' || /\/control\/(?:authorization-response|tickets)/.test(entry.request.target));

/** Exchanges of a step that are drawn together. */
type Run = {
	readonly entries: readonly TrafficEntry[];
	readonly rows: readonly DiagramRow[];
	/** Whether one of them shows the step. */
	readonly isEvidence: boolean;
};

const rowsOf = (runs: readonly Run[]) => runs.flatMap(({ rows }) => rows);

function recordedRuns(
	{ step, isDone, entries, evidence }: Group,
	data: StageStep | undefined,
	isThief: (entry: TrafficEntry) => boolean
): Run[] {
	const all = (label: string) => [{ entries, rows: [foldRow(`${step} fold`, step, label)], isEvidence: true }];
	if (isDone && data?.folds !== undefined) return all(`${data.folds} · ${countText(entries.length, 'exchange')}`);
	if (isDone && entries.length === 0) return all(data?.title ?? '');
	return runsOf(entries, evidence).flatMap((run) => {
		const [first] = run;
		if (first === undefined) return [];
		const isEvidence = run.some(({ id }) => evidence.has(id));
		const rows =
			isPage(first) && !isEvidence
				? [foldRow(`${first.id} pages`, step, `Pages of the service · ${countText(run.length, 'exchange')}`)]
				: exchangeRows(run, step, isThief(first));
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

const isEqual = (one: TrafficEntry | undefined, other: TrafficEntry | undefined) =>
	one !== undefined && other !== undefined && !isPage(one) && keyOf(one) === keyOf(other);

/** Equal exchanges that follow each other, and pages that do not show the step. */
function runsOf(entries: readonly TrafficEntry[], evidence: ReadonlySet<string>): TrafficEntry[][] {
	const runs: TrafficEntry[][] = [];
	const key = (entry: TrafficEntry) => (isPage(entry) && !evidence.has(entry.id) ? 'page' : keyOf(entry));
	for (const entry of entries) {
		const run = runs.at(-1);
		if (run?.[0] !== undefined && key(run[0]) === key(entry)) run.push(entry);
		else runs.push([entry]);
	}
	return runs;
}

const keyOf = ({ endpoint, request, response, trace }: TrafficEntry) => {
	const failed = trace.find(({ outcome }) => outcome === 'failed');
	// The request that puts an address on the blacklist is not like those before it.
	const result = `${response?.status ?? 'none'} ${failed?.id ?? ''} ${failed?.cause ?? ''}`;
	return endpoint === 'character'
		? `${endpoint} ${request.method} ${result}`
		: `${request.method} ${request.target} ${request.body} ${result}`;
};

const shownParts = ['request', 'response', 'callback'] as const;

/** The messages of an exchange, or of several equal ones in a row. */
function exchangeRows(run: readonly TrafficEntry[], step: number, isThief: boolean): DiagramRow[] {
	const entry = run.at(-1);
	if (entry === undefined) return [];
	return flowMessages([entry]).flatMap((message) => {
		const part = shownParts.find((name) => message.id.endsWith(` ${name}`));
		if (part === undefined) return [];
		const { id, isReply, isRejected, isSeen, exchange } = message;
		const sender = (party: PartyId) => (isThief && party === 'application' ? 'thief' : party);
		const [from, to] = [sender(message.from), sender(message.to)];
		const isCut = isReply && entry.response === null;
		const exchanges = run.map((one) => one.id);
		const label =
			run.length > 1 ? `${run.length} × ${labelOf(entry, message, part, true)}` : labelOf(entry, message, part, false);
		const state = { isReply, isRejected, isSeen, isCut, isGhost: false };
		return [{ kind: 'arrow', id, step, from, to, ...state, exchange, exchanges, part, label }];
	});
}

/** Folds the oldest steps that are done until the rows fit. */
function fold(
	parts: readonly (readonly DiagramRow[])[],
	groups: readonly Group[],
	fits: (rows: number) => boolean,
	keep: number
): (readonly DiagramRow[])[] {
	const rows = [...parts];
	const folded = new Set<number>();
	for (const { step, isDone } of groups) {
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
