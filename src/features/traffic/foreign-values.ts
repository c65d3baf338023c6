import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ForeignClaims, ForeignExchange } from '#evidence/har/har-reading.ts';
import { valuesIn } from '#evidence/message-text.ts';

/** A code or token of a file: where it came from, where it was sent, and what it says. */
export type ForeignValue = {
	/** `access token 1`. */
	readonly label: string;
	/** The first exchange whose response has it. Undefined: the file does not show where it came from. */
	readonly issued: ForeignExchange | undefined;
	/** The exchanges that sent it, oldest first. */
	readonly sent: readonly ForeignExchange[];
	/** Undefined: it is not a JWT, or says nothing that is kept. */
	readonly claims: ForeignClaims | undefined;
};

const shown = /^(?:code|access token|refresh token|ID token|token|device code|assertion) \d+$/;

/** The codes and tokens of a file, in the order of their first occurrence. */
export function foreignValues(exchanges: readonly ForeignExchange[]): ForeignValue[] {
	const labels = new Set(exchanges.flatMap(({ entry }) => entry.values.map(({ label }) => label)));
	const claims = new Map(
		exchanges.flatMap(({ tokens }) => tokens.map(({ label, claims }) => [label, claims] as const))
	);
	return [...labels]
		.filter((label) => shown.test(label))
		.map((label) => {
			const has = (part: string) => (exchange: ForeignExchange) =>
				valuesIn(exchange.entry, part).some((value) => value.label === label);
			return {
				label,
				issued: exchanges.find(has('/response/')),
				sent: exchanges.filter(has('/request/')),
				claims: claims.get(label)
			};
		});
}

/**
 * Where a value comes from: `from exchange 4`, `equal to exchange 1`. Undefined where this exchange is the first with it.
 * @param label `code 1`
 */
export function originOf(
	label: string,
	at: ForeignExchange,
	exchanges: readonly ForeignExchange[]
): string | undefined {
	const has = ({ entry }: ForeignExchange, part: '/request/' | '/response/') =>
		valuesIn(entry, part).some((value) => value.label === label);
	for (const exchange of exchanges) {
		if (exchange === at) return undefined;
		if (has(exchange, '/request/')) return `equal to exchange ${exchange.position}`;
		if (has(exchange, '/response/')) return `from exchange ${exchange.position}`;
	}
	return undefined;
}

/** Whose exchanges a timeline shows. */
export type TimelineSource = 'all' | 'own' | 'file';

/** An exchange of a timeline. Without `exchange`, it is one of the sandbox. `day`: the one before it was on another day. */
type TimelineRow = { readonly entry: TrafficEntry; readonly exchange?: ForeignExchange; readonly day: boolean };

/** The newest exchanges of the sandbox that are shown beside a file. The inspector of the sandbox shows all. */
const mostOwn = 500;

/** The exchanges of a file and of the sandbox by the times of their requests. Those of a file keep their order. */
export function timelineRows(
	exchanges: readonly ForeignExchange[],
	own: readonly TrafficEntry[],
	source: TimelineSource
): TimelineRow[] {
	const ofFile = exchanges.map((exchange) => ({
		entry: exchange.entry,
		exchange,
		begin: exchange.entry.at - exchange.entry.duration
	}));
	const ofSandbox = own.slice(-mostOwn).map((entry) => ({ entry, begin: entry.at }));
	const rows = [...(source === 'own' ? [] : ofFile), ...(source === 'file' ? [] : ofSandbox)];
	const dayOf = (at = 0) => Math.floor(at / 86_400_000);
	return rows
		.sort((one, other) => one.begin - other.begin)
		.map(({ begin, ...row }, at, all) => ({ ...row, day: at > 0 && dayOf(begin) !== dayOf(all[at - 1]?.begin) }));
}

/** A part of a redacted text: plain, or the name of a value that was removed. */
export type MarkedPart = { readonly text: string; readonly isValue: boolean };

/** Splits a text at the names of removed values: `[code 1]`, `[removed]`. */
export function markedValues(text: string): MarkedPart[] {
	return text
		.split(/(\[(?:removed|[A-Za-z][A-Za-z _-]{0,30} \d+)\])/)
		.map((part, index) => ({ text: part, isValue: index % 2 === 1 }))
		.filter((part) => part.text !== '');
}
