import type { TrafficEntry } from '#api/control/traffic.ts';
import type { FlowParty } from '#ui/flow/flow-parties.ts';
import { flowMessages, type FlowMessage } from '../../inspector/flow-messages.ts';
import type { Shown } from '../evaluation/evaluate.ts';
import type { ExpectedRequest, StageStep } from '../stage.ts';

/** A row of the diagram of a lesson. */
export type DiagramRow = {
	/** Stable while the row is shown. */
	readonly id: string;
	/** Index of the step that it belongs to. */
	readonly step: number | undefined;
} & (
	| { readonly kind: 'fold'; readonly label: string }
	| {
			readonly kind: 'arrow';
			readonly from: FlowParty;
			readonly to: FlowParty;
			/** Empty for a response that is still to come. */
			readonly label: string;
			readonly isReply: boolean;
			readonly isRejected: boolean;
			/** It has not happened yet. */
			readonly isGhost: boolean;
			readonly isSeen: boolean;
			/** `X-Request-Id`; undefined for what has not happened. */
			readonly exchange: string | undefined;
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
	/** How many rows there is room for. */
	readonly most: number;
	/** The step that stays unfolded. */
	readonly keep: number;
};

/** The exchanges of one step: those that show it, and the others before them. */
type Group = {
	readonly step: number;
	readonly isDone: boolean;
	readonly evidence: readonly TrafficEntry[];
	readonly others: readonly TrafficEntry[];
};

/** The rows of a diagram: what was recorded for the steps that are done, and what the other steps are expected to send. */
export function diagramRows(options: Options): readonly DiagramRow[] {
	const groups = groupsOf(options);
	const { steps, most, keep } = options;
	const open = groups.find(({ isDone }) => !isDone)?.step;
	const parts = groups.map((group) => {
		const step = steps[group.step];
		return step === undefined ? [] : rowsOf(group, step, group.step === open);
	});
	return fit(parts, groups, most, keep);
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

function groupsOf({ steps, conditions, shown, entries }: Options): Group[] {
	const known = new Map(entries.map((entry) => [entry.id, entry]));
	const taken = new Set<string>();
	let from = 0;
	let after = 0;
	return steps.map(({ condition }, step) => {
		const end = conditions.indexOf(condition) + 1;
		const ids = new Set(conditions.slice(from, end).flatMap((id) => shown[id] ?? []));
		from = end;
		const evidence = [...ids].flatMap((id) => (taken.has(id) ? [] : (known.get(id) ?? [])));
		evidence.sort((one, other) => one.seq - other.seq);
		for (const { id } of evidence) taken.add(id);
		const isDone = shown[condition] !== undefined;
		const last = evidence.at(-1)?.seq ?? after;
		const others = entries.filter(
			({ id, seq }) => seq > after && (seq < last || !isDone) && !taken.has(id) && !ids.has(id)
		);
		if (isDone) after = Math.max(after, last);
		return { step, isDone, evidence, others };
	});
}

/** Pages of the service in the browser: they lead to what shows a step. */
const isPage = ({ endpoint }: TrafficEntry) => endpoint === 'auth' || endpoint === 'account';
/** The viewer requests its limits automatically, and learners decide tickets on this page. */
const isNoise = ({ endpoint, response }: TrafficEntry) =>
	(endpoint === 'ratelimits' && response?.status === 200) || endpoint === 'control';

function rowsOf({ step, isDone, evidence, others }: Group, data: StageStep, isOpen: boolean): DiagramRow[] {
	const before = others.filter(isPage);
	const pages = before.length === 0 ? [] : [fold(`${step} pages`, step, `Pages before · ${messagesText(before)}`)];
	if (isDone && data.folds !== undefined)
		return [fold(`${step} fold`, step, `${data.folds} · ${messagesText([...others.filter(isPage), ...evidence])}`)];
	const recorded = runsOf(evidence).flatMap((run) => exchangeRows(run, step));
	if (isDone) return recorded.length === 0 ? [fold(`${step} fold`, step, data.title)] : [...pages, ...recorded];
	// The last attempt of the open step, which does not show it.
	const attempt = isOpen ? others.filter((entry) => !isNoise(entry)).at(-1) : undefined;
	return [
		...recorded,
		...(attempt === undefined ? [] : exchangeRows([attempt], step)),
		...(data.expected ?? []).flatMap((request, index) => [
			expected(request, `${step} expected ${index}`, step),
			unknownReply(request, `${step} expected ${index}`, step)
		])
	];
}

/** Equal exchanges that follow each other. */
function runsOf(entries: readonly TrafficEntry[]): TrafficEntry[][] {
	const runs: TrafficEntry[][] = [];
	for (const entry of entries) {
		const run = runs.at(-1);
		if (run?.[0] !== undefined && keyOf(run[0]) === keyOf(entry)) run.push(entry);
		else runs.push([entry]);
	}
	return runs;
}

const keyOf = ({ endpoint, request, response }: TrafficEntry) =>
	endpoint === 'character'
		? `${endpoint} ${request.method} ${response?.status ?? 'none'}`
		: `${request.target}${request.body}`;

const shownParts = ['request', 'response', 'callback'] as const;

/** The messages of an exchange, or of several equal ones in a row. */
function exchangeRows(run: readonly TrafficEntry[], step: number): DiagramRow[] {
	const entry = run.at(-1);
	if (entry === undefined) return [];
	return flowMessages([entry]).flatMap((message) => {
		const part = shownParts.find((name) => message.id.endsWith(` ${name}`));
		if (part === undefined) return [];
		const { id, from, to, isReply, isRejected, isSeen, exchange } = message;
		const label =
			run.length > 1 ? `${run.length} × ${labelOf(entry, message, part, true)}` : labelOf(entry, message, part, false);
		return [{ kind: 'arrow', id, step, from, to, isReply, isRejected, isSeen, isGhost: false, exchange, part, label }];
	});
}

function labelOf(
	entry: TrafficEntry,
	{ label }: FlowMessage,
	part: 'request' | 'response' | 'callback',
	isMany: boolean
): string {
	const name = nameIn(entry.request.target);
	if (part === 'response') {
		// The headers are what some lessons ask for, so they are not shown here.
		if (entry.response?.status === 200 && entry.endpoint === 'character') return isMany ? '200' : `200 ${name}`;
		if (entry.response?.status === 200 && entry.endpoint === 'ratelimits') return '200 limits';
		const issued = entry.endpoint === 'token' ? entry.credentials.filter(({ type }) => type === 'issued') : [];
		const labels = issued.flatMap(({ id }) => valueLabel(entry, id) ?? []);
		return labels.length > 0 ? `200 ${labels.join(', ')}` : label;
	}
	const path = label.replace(/\/ws\/(?:oauth2|v2\.0)\//, '').replace(/\/(?=\s|$)/, '');
	const used = entry.credentials.find(({ type }) => type === 'used');
	const value = used && valueLabel(entry, used.id);
	if (entry.endpoint === 'character')
		return isMany ? 'GET character' : [`GET character/${name}`, value].filter(Boolean).join(' · ');
	if (entry.endpoint === 'token')
		return `POST token · ${value ?? entry.values.find((one) => /^(?:code|refresh token) /.test(one.label))?.label ?? ''}`;
	return path;
}

const valueLabel = ({ values }: TrafficEntry, id: string) => values.find((value) => value.id === id)?.label;

/** The last part of a path, decoded. */
function nameIn(target: string): string {
	const name = target.replace(/\?.*$/s, '').split('/').at(-1) ?? '';
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/** Folds the oldest steps until the rows fit, then leaves out what is furthest ahead. */
function fit(
	parts: readonly (readonly DiagramRow[])[],
	groups: readonly Group[],
	most: number,
	keep: number
): readonly DiagramRow[] {
	const rows = [...parts];
	const count = () => rows.reduce((sum, part) => sum + part.length, 0);
	const foldable = groups.filter(({ step, isDone }) => isDone && step !== keep).map(({ step }) => step);
	const folded = new Set<number>();
	for (const step of foldable) {
		if (count() <= most) break;
		folded.add(step);
		const first = Math.min(...folded);
		const isJoined = [...folded].every((one) => one - first < folded.size);
		if (isJoined) {
			for (const one of folded) rows[one] = [];
			const text = messagesText([...folded].flatMap((one) => [...(groups[one]?.evidence ?? [])]));
			const steps = first === step ? `Step ${step + 1}` : `Steps ${first + 1}–${step + 1}`;
			rows[first] = [fold(`fold ${first}`, undefined, `${steps} · ${text}`)];
		} else {
			const text = messagesText(groups[step]?.evidence ?? []);
			rows[step] = [fold(`fold ${step}`, step, `Step ${step + 1} · ${text}`)];
		}
	}
	return rows.flat().slice(0, most);
}

function messagesText(entries: readonly TrafficEntry[]): string {
	const count = flowMessages(entries).length;
	return count === 1 ? '1 message' : `${count} messages`;
}

const fold = (id: string, step: number | undefined, label: string): DiagramRow => ({ kind: 'fold', id, step, label });

function expected(request: ExpectedRequest, id: string, step: number | undefined) {
	const ghost = {
		isReply: false,
		isRejected: false,
		isGhost: true,
		isSeen: true,
		exchange: undefined,
		part: undefined
	};
	return { kind: 'arrow', id: `${id} request`, step, ...ghost, ...request } as const;
}

function unknownReply({ from, to }: Pick<ExpectedRequest, 'from' | 'to'>, id: string, step: number | undefined) {
	return { ...expected({ from: to, to: from, label: '' }, id, step), id: `${id} reply`, isReply: true } as const;
}
