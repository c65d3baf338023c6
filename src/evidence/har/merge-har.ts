import type { TrafficValue } from '#api/control/traffic.ts';
import { findForeign } from './findings/find-foreign.ts';
import { labelPattern, referTo } from './foreign-labels.ts';
import type { ForeignExchange, HarContent } from './har-reading.ts';
import { linkExchanges } from './link-exchanges.ts';

/** A file together with that of a client's process. */
export type MergedHar = {
	readonly content: HarContent;
	/** The exchanges of the client that share no code, token or state with the file. Only their time says where they belong. */
	readonly unmatched: readonly ForeignExchange[];
};

/**
 * Adds the exchanges that a client recorded in its process to those of its browser. The same code, token or state gets the same
 * label, by its digest. The order is that of the times.
 * @param file of the browser
 * @param watch of the client
 */
export function mergeHar(file: HarContent, watch: HarContent): MergedHar {
	const own = file.exchanges.filter(({ source }) => source === 'file');
	const values = new Map(own.flatMap(({ entry }) => entry.values.map((value) => [value.label, value] as const)));
	const byId = new Map([...values.values()].map((value) => [value.id, value]));
	const renamed = new Map<string, TrafficValue>();
	for (const value of watch.exchanges.flatMap(({ entry }) => entry.values)) {
		if (renamed.has(value.label)) continue;
		const known = value.id === value.label ? undefined : byId.get(value.id);
		const label = known?.label ?? freeLabel(value.label, values);
		const shown = known ?? { ...value, label, preview: `[${label}]` };
		renamed.set(value.label, shown);
		values.set(label, shown);
	}
	const rename = (text: string) =>
		text.replace(labelPattern, (whole, label: string) => renamed.get(label)?.preview ?? whole);
	const unmatched: ForeignExchange[] = [];
	const added = watch.exchanges.map((exchange, index): ForeignExchange => {
		const { request, response, values: _, references: __, ...rest } = exchange.entry;
		const pairs = (headers: readonly (readonly [string, string])[]) =>
			headers.map(([name, value]) => [name, rename(value)] as const);
		const entry = referTo(
			{
				...rest,
				id: `watch-${index + 1}`,
				request: {
					...request,
					target: rename(request.target),
					headers: pairs(request.headers),
					body: rename(request.body)
				},
				response: response && { ...response, headers: pairs(response.headers), body: rename(response.body) }
			},
			(label) => values.get(label)
		);
		const isMatched = exchange.entry.values.some(({ id, label }) => id !== label && byId.has(id));
		const next: ForeignExchange = {
			...exchange,
			entry,
			source: 'watch',
			from: 'application',
			position: file.total + index + 1,
			tokens: exchange.tokens.map(({ label, claims }) => ({ label: renamed.get(label)?.label ?? label, claims }))
		};
		if (!isMatched) unmatched.push(next);
		return next;
	});
	const beginOf = ({ entry }: ForeignExchange) => entry.at - entry.duration;
	const sorted = [...own, ...added].sort((one, other) => beginOf(one) - beginOf(other));
	const exchanges = linkExchanges(sorted.map((one, at) => ({ ...one, entry: { ...one.entry, seq: at + 1 } })));
	const hasCookies = own.some(({ entry }) => entry.request.headers.some(([name]) => /^cookie$/i.test(name)));
	return { content: { ...file, exchanges, ...findForeign(exchanges, hasCookies) }, unmatched };
}

/** A label that the file does not have: the same kind with the next number. */
function freeLabel(label: string, taken: ReadonlyMap<string, unknown>): string {
	const kind = label.replace(/ \d+$/, '');
	let number = 1;
	while (taken.has(`${kind} ${number}`)) number++;
	return `${kind} ${number}`;
}
