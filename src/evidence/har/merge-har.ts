import type { TrafficValue } from '#api/control/traffic.ts';
import { findForeign } from './findings/find-foreign.ts';
import { labelPattern, referTo } from './foreign-labels.ts';
import type { ForeignExchange, HarContent } from './har-reading.ts';
import { replaceHosts } from './hide-hosts.ts';
import { linkExchanges } from './link-exchanges.ts';

/** A file together with that of a client's process. */
export type MergedHar = {
	readonly content: HarContent;
	/** The exchanges of the client that share no code, token or state with the file, directly or through others. */
	readonly unmatched: readonly ForeignExchange[];
};

/** A token request that comes so long after its callback was recorded by another clock, in milliseconds. */
const longestExchange = 600_000;

/**
 * Adds the exchanges that a client recorded in its process to those of its browser. The same code, token or state gets the same
 * label, by its digest. The order is that of the times. A clock that lets a code be used before it arrives is corrected. Those that
 * were added before are replaced. Requests of a browser are not added: a proxy may record both.
 * @param file of the browser
 * @param recordings of the client, one for each process
 */
export function mergeHar(file: HarContent, ...recordings: readonly HarContent[]): MergedHar {
	const own = file.exchanges.filter(({ source }) => source === 'file');
	const total = file.total - (file.exchanges.length - own.length);
	return addRecordings({ ...file, exchanges: own, total }, recordings);
}

/** Whether a file has requests that no browser sent, so that it can be added to another. */
export const hasClient = ({ exchanges }: HarContent): boolean => exchanges.some(({ from }) => from === 'application');

/** Joins the recordings of several processes of one client. */
export function joinRecordings(first: HarContent, ...others: readonly HarContent[]): HarContent {
	return addRecordings({ ...first, exchanges: [], total: 0 }, [first, ...others]).content;
}

function addRecordings(file: HarContent, recordings: readonly HarContent[]): MergedHar {
	let all: readonly ForeignExchange[] = file.exchanges;
	for (const { exchanges } of recordings) {
		const added = exchanges.filter(({ from }) => from === 'application');
		all = [...all, ...renamed(added, all, all.length - file.exchanges.length)];
	}
	const sorted = [...all].sort((one, other) => beginOf(one) - beginOf(other));
	const exchanges = linkExchanges(
		sorted.map((exchange, at) => {
			const { flow: _flow, grant: _grant, ...entry } = exchange.entry;
			return { ...exchange, entry: { ...entry, seq: at + 1 } };
		})
	);
	const unmatched = unmatchedIn(exchanges);
	return {
		content: {
			...file,
			total: file.total + all.length - file.exchanges.length,
			exchanges,
			...findForeign(exchanges, file),
			unmatched: unmatched.map(({ entry }) => entry.id)
		},
		unmatched
	};
}

const beginOf = ({ entry }: ForeignExchange) => entry.at - entry.duration;
/** A value without a digest has its label as its id, which says nothing in another file. */
const hasDigest = ({ id, label }: TrafficValue) => id !== label;

/** The exchanges of a client with the labels of those before them. @param count how many of a client there are already */
function renamed(
	added: readonly ForeignExchange[],
	before: readonly ForeignExchange[],
	count: number
): ForeignExchange[] {
	const values = new Map(before.flatMap(({ entry }) => entry.values.map((value) => [value.label, value] as const)));
	const byId = new Map([...values.values()].filter(hasDigest).map((value) => [value.id, value]));
	const names = new Map<string, TrafficValue>();
	for (const value of added.flatMap(({ entry }) => entry.values)) {
		if (names.has(value.label)) continue;
		const label = freeLabel(value.label, values);
		const id = hasDigest(value) ? value.id : label;
		const shown = byId.get(value.id) ?? { ...value, label, preview: `[${label}]`, id };
		names.set(value.label, shown);
		values.set(shown.label, shown);
	}
	const rename = (text: string) =>
		text.replace(labelPattern, (whole, label: string) => names.get(label)?.preview ?? whole);
	const shift = clockShift(before, added);
	return added.map((exchange, index) => {
		const { values: _values, references: _references, ...rest } = replaceHosts(exchange.entry, rename);
		return {
			...exchange,
			entry: referTo({ ...rest, id: `watch-${count + index + 1}`, at: rest.at + shift }, (label) => values.get(label)),
			source: 'watch',
			from: 'application',
			tokens: exchange.tokens.map(({ label, claims }) => ({ label: names.get(label)?.label ?? label, claims }))
		};
	});
}

/** A label that the file does not have: the same kind with the next number. */
function freeLabel(label: string, taken: ReadonlyMap<string, unknown>): string {
	const kind = label.replace(/ \d+$/, '');
	let number = 1;
	while (taken.has(`${kind} ${number}`)) number++;
	return `${kind} ${number}`;
}

/** How much the clock of a client is moved: a code is exchanged after it has arrived. */
function clockShift(browser: readonly ForeignExchange[], client: readonly ForeignExchange[]): number {
	for (const callback of browser.filter(({ role }) => role === 'callback')) {
		const code = callback.entry.values.find(({ label }) => label.startsWith('code '));
		const token = client.find(({ role, entry }) => role === 'token' && entry.values.some(({ id }) => id === code?.id));
		if (token === undefined) continue;
		const early = beginOf(callback) - beginOf(token);
		return early > 0 || early < -longestExchange ? Math.round(early + 1) : 0;
	}
	return 0;
}

/** The exchanges of a client that share no value with the browser: directly, or with others of the client that do. */
function unmatchedIn(exchanges: readonly ForeignExchange[]): ForeignExchange[] {
	const known = new Set<string>();
	const add = ({ entry }: ForeignExchange) => {
		for (const value of entry.values)
			if (hasDigest(value) || value.label.startsWith('code verifier')) known.add(value.id);
	};
	const origins = new Set<string>();
	for (const one of exchanges) {
		if (one.source !== 'file') continue;
		add(one);
		origins.add(one.origin);
	}
	return exchanges.filter((one) => {
		if (one.source === 'file') return false;
		// Documents of the provider belong to each sign-in.
		const isDocument = (one.role === 'metadata' || one.role === 'keys') && origins.has(one.origin);
		const isMatched = isDocument || one.entry.values.some((value) => hasDigest(value) && known.has(value.id));
		if (isMatched) add(one);
		return !isMatched;
	});
}
