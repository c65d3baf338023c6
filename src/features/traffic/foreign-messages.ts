import type { ForeignExchange, HarContent } from '#evidence/har/har-reading.ts';
import type { FlowMessage } from '../inspector/flow-messages.ts';
import { valuesIn } from '#evidence/message-text.ts';
import { pathText } from '../inspector/strip/strip-text.ts';

/** The exchanges of a file as arrows. Those that must have happened and are not in the file are faint. */
export function foreignMessages({ exchanges, gaps }: HarContent): FlowMessage[] {
	const common = { isRejected: false, isSeen: true, isGhost: true, text: '', values: [] };
	return exchanges.flatMap((exchange, index) => [
		...arrowsOf(exchange, exchanges[index - 1]),
		...gaps
			.filter(({ after }) => after === exchange.entry.id)
			.flatMap(({ after, role, text }): FlowMessage[] => {
				const [id, to] = [`${after} ${role}`, role === 'resource' ? 'resource' : 'authorization'] as const;
				const label = 'response: not in this file';
				return [
					{ ...common, id, exchange: after, from: 'application', to, label: text, isReply: false },
					{ ...common, id: `${id} reply`, exchange: after, from: to, to: 'application', label, isReply: true }
				];
			})
	]);
}

function arrowsOf({ entry, from, to, outcome }: ForeignExchange, before: ForeignExchange | undefined): FlowMessage[] {
	const sent = valuesIn(entry, '/request/');
	const named = sent.slice(0, 3).map(({ label }) => `[${label}]`);
	const pause = before === undefined ? 0 : Math.round((entry.at - before.entry.at) / 1000);
	const status = entry.response?.status;
	const common = { exchange: entry.id, isSeen: true, text: entry.request.target };
	const request = [`${entry.request.method} ${pathText(entry)}`, named.join(', ')].filter(Boolean).join(' · ');
	return [
		{
			...common,
			id: `${entry.id} request`,
			from,
			to,
			label: request + (pause >= 10 ? `, ${pause} s later` : ''),
			isReply: false,
			isRejected: false,
			values: sent
		},
		{
			...common,
			id: `${entry.id} response`,
			from: to,
			to: from,
			label: status === undefined ? 'no response' : `${status} ${outcome}`,
			isReply: true,
			isRejected: status === undefined || status >= 400,
			values: valuesIn(entry, '/response/')
		}
	];
}
