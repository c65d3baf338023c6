import type { ForeignExchange } from '#evidence/har/har-reading.ts';
import { valuesIn } from '../inspector/message/message-text.ts';

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
