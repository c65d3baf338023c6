import type { TrafficValue } from '#api/control/traffic.ts';
import { findForeign } from './findings/find-foreign.ts';
import { labelPattern, referTo } from './foreign-labels.ts';
import type { ForeignExchange, HarContent, RoleSummary } from './har-reading.ts';
import { linkExchanges } from './link-exchanges.ts';

/** A difference of clocks between a browser and a server that is corrected, in milliseconds. */
const smallestShift = 2000;
/** Requests of the back channel without a common value belong to a sign-in of this time, in milliseconds. */
const nearby = 60_000;

/**
 * Adds what a client recorded to what its browser recorded. Equal codes, states and tokens get one label, and the clock of the back
 * channel is moved so that a token request follows its callback. Nothing is dropped: `unmatched` names what belongs to no sign-in.
 */
export function mergeHars(browser: HarContent, backChannel: HarContent): HarContent {
	const names = commonLabels(browser.exchanges, backChannel.exchanges);
	const shift = clockShift(browser.exchanges, backChannel.exchanges);
	const added = backChannel.exchanges.map((one) => relabel(one, names, shift));
	const sorted = [...browser.exchanges, ...added].sort((one, other) => beginOf(one) - beginOf(other));
	const exchanges = linkExchanges(
		sorted.map((exchange, at) => {
			const { flow: _flow, grant: _grant, ...entry } = exchange.entry;
			return { ...exchange, entry: { ...entry, seq: at + 1 } };
		})
	);
	return {
		...browser,
		total: browser.total + backChannel.total,
		startedAt: Math.min(browser.startedAt, backChannel.startedAt + shift),
		exchanges,
		roles: sumRoles([...browser.roles, ...backChannel.roles]),
		removed: [...browser.removed, ...backChannel.removed],
		...findForeign(exchanges, browser.hasCookies),
		notes: [...new Set([...browser.notes, ...backChannel.notes])],
		unmatched: unmatchedOf(exchanges, new Set(added.map(({ entry }) => entry.id)))
	};
}

const beginOf = ({ entry }: ForeignExchange) => entry.at - entry.duration;
const valuesOf = (exchanges: readonly ForeignExchange[]) => exchanges.flatMap(({ entry }) => entry.values);
/** A value that has no digest has its label as its id, which says nothing in another file. */
const hasDigest = ({ id, label }: TrafficValue) => id !== label;

/** New values for the labels of the second file: those of equal values in the first, or the next numbers. */
function commonLabels(
	first: readonly ForeignExchange[],
	second: readonly ForeignExchange[]
): ReadonlyMap<string, TrafficValue> {
	const known = new Map(
		valuesOf(first)
			.filter(hasDigest)
			.map((value) => [value.id, value])
	);
	const counts = new Map<string, number>();
	for (const { label } of valuesOf(first)) {
		const [, kind = '', number = '0'] = /^(.+) (\d+)$/.exec(label) ?? [];
		counts.set(kind, Math.max(counts.get(kind) ?? 0, Number(number)));
	}
	const names = new Map<string, TrafficValue>();
	for (const value of valuesOf(second)) {
		if (names.has(value.label)) continue;
		const same = hasDigest(value) ? known.get(value.id) : undefined;
		const kind = value.label.replace(/ \d+$/, '');
		const next = (counts.get(kind) ?? 0) + 1;
		if (same === undefined) counts.set(kind, next);
		const label = `${kind} ${next}`;
		names.set(value.label, same ?? { ...value, label, preview: `[${label}]`, id: hasDigest(value) ? value.id : label });
	}
	return names;
}

function relabel(exchange: ForeignExchange, names: ReadonlyMap<string, TrafficValue>, shift: number): ForeignExchange {
	const change = (text: string) =>
		text.replace(labelPattern, (found, label: string) => names.get(label)?.preview ?? found);
	const headers = (pairs: readonly (readonly [string, string])[]) =>
		pairs.map(([name, value]): readonly [string, string] => [name, change(value)]);
	const { values: _values, references: _references, ...entry } = exchange.entry;
	const byLabel = new Map([...names.values()].map((value) => [value.label, value]));
	const renamed = {
		...entry,
		id: entry.id.replace(/^file-/, 'added-'),
		at: entry.at + shift,
		request: {
			...entry.request,
			target: change(entry.request.target),
			headers: headers(entry.request.headers),
			body: change(entry.request.body)
		},
		response: entry.response && {
			...entry.response,
			headers: headers(entry.response.headers),
			body: change(entry.response.body)
		}
	};
	return {
		...exchange,
		entry: referTo(renamed, (label) => byLabel.get(label)),
		tokens: exchange.tokens.map((token) => ({ ...token, label: names.get(token.label)?.label ?? token.label }))
	};
}

/** How much the clock of the back channel is moved: a code is exchanged after it has arrived. */
function clockShift(browser: readonly ForeignExchange[], back: readonly ForeignExchange[]): number {
	for (const callback of browser.filter(({ role }) => role === 'callback')) {
		const code = callback.entry.values.find(({ label }) => label.startsWith('code '));
		const token =
			code && back.find(({ role, entry }) => role === 'token' && entry.values.some(({ id }) => id === code.id));
		if (token === undefined) continue;
		const early = beginOf(callback) - beginOf(token);
		const late = beginOf(token) - callback.entry.at;
		return early > 0 || late > nearby * 10 ? Math.round(early + 1) : 0;
	}
	return 0;
}

/** Exchanges of the second file that share no value with the first, and are at no time of a sign-in. */
function unmatchedOf(exchanges: readonly ForeignExchange[], added: ReadonlySet<string>): string[] {
	const own = exchanges.filter(({ entry }) => !added.has(entry.id));
	const known = new Set(valuesOf(own).map(({ label }) => label));
	const flows = new Set(own.flatMap(({ entry }) => entry.flow ?? []));
	const times = own.map(({ entry }) => entry.at);
	const [from, to] = [Math.min(...times) - smallestShift, Math.max(...times) + nearby];
	return exchanges.flatMap(({ entry, role }) => {
		if (!added.has(entry.id)) return [];
		const isKnown =
			entry.values.some(({ label }) => known.has(label)) || (entry.flow !== undefined && flows.has(entry.flow));
		if (isKnown) for (const { label } of entry.values) known.add(label);
		const isNear = (role === 'keys' || role === 'metadata') && entry.at >= from && entry.at <= to;
		return isKnown || isNear ? [] : [entry.id];
	});
}

function sumRoles(roles: readonly RoleSummary[]): RoleSummary[] {
	return roles
		.filter((one, at) => roles.findIndex(({ role }) => role === one.role) === at)
		.map((first) => {
			const same = roles.filter(({ role }) => role === first.role);
			return {
				...first,
				count: same.reduce((sum, { count }) => sum + count, 0),
				endpoints: same.flatMap(({ endpoints }) => endpoints)
			};
		});
}
