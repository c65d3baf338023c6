import type { ForeignExchange, HarContent } from '#evidence/har/har-reading.ts';
import type { FlowMessage } from '../inspector/flow-messages.ts';
import type { ExchangeOutcome } from '#evidence/describe-exchange.ts';
import { errorOf } from '#evidence/har/describe-exchange.ts';
import { locationOf, valuesIn } from '#evidence/message-text.ts';
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

/** What an exchange led to. An error counts as one where it has the status of a success, in a redirect or a body. */
export function foreignKind({ entry }: ForeignExchange): ExchangeOutcome['kind'] {
	if (entry.response === null) return 'no_response';
	return entry.response.status >= 400 || errorOf(entry) !== undefined ? 'rejected' : 'accepted';
}

function arrowsOf(exchange: ForeignExchange, before: ForeignExchange | undefined): FlowMessage[] {
	const { entry, from, to, outcome } = exchange;
	const status = entry.response?.status;
	// The error in a redirect rejects at the client, with the callback that brings it.
	const isCallback = entry.endpoint === 'callback' && status !== undefined && status < 400;
	const isRedirect = status !== undefined && status < 400 && locationOf(entry) !== undefined;
	const isRejected = foreignKind(exchange) !== 'accepted' && !isRedirect;
	const sent = valuesIn(entry, '/request/');
	const named = sent.slice(0, 3).map(({ label }) => `[${label}]`);
	const pause = before === undefined ? 0 : Math.round((entry.at - before.entry.at) / 1000);
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
			isRejected: isRejected && isCallback,
			values: sent
		},
		{
			...common,
			id: `${entry.id} response`,
			from: to,
			to: from,
			label: status === undefined ? 'no response' : `${status} ${outcome}`,
			isReply: true,
			isRejected: isRejected && !isCallback,
			values: valuesIn(entry, '/response/')
		}
	];
}
