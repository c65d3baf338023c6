import type { ForeignExchange, HarContent } from '#evidence/har/har-reading.ts';
import type { Message } from '#ui/flow/messages.ts';
import { valuesIn } from '../inspector/message/message-text.ts';
import { pathText } from '../inspector/strip/strip-text.ts';

/** An arrow of the diagram of a file. */
export type ForeignMessage = Message & {
	/** The id of the exchange that it belongs to. Undefined: it is not in the file. */
	readonly exchange?: string;
	/** The labels of the values in it. */
	readonly labels: readonly string[];
};

/** The exchanges of a file as arrows. Those that must have happened and are not in the file are faint. */
export function foreignMessages({ exchanges, gaps }: HarContent): ForeignMessage[] {
	return exchanges.flatMap((exchange, index) => [
		...arrowsOf(exchange, exchanges[index - 1]),
		...gaps
			.filter(({ after }) => after === exchange.entry.id)
			.flatMap(({ role, text }): ForeignMessage[] => {
				const common = { isGhost: true, labels: [] };
				const [from, to] = ['application', role === 'resource' ? 'resource' : 'authorization'] as const;
				return [
					{ ...common, id: `${exchange.entry.id} ${role}`, from, to, label: text },
					{
						...common,
						id: `${exchange.entry.id} ${role} reply`,
						from: to,
						to: from,
						isReply: true,
						label: 'response: not in this file'
					}
				];
			})
	]);
}

function arrowsOf(
	{ entry, from, to, outcome }: ForeignExchange,
	before: ForeignExchange | undefined
): ForeignMessage[] {
	const labelsIn = (part: string) => valuesIn(entry, part).map(({ label }) => label);
	const [sent, received] = [labelsIn('/request/'), labelsIn('/response/')];
	const named = sent.slice(0, 3).map((label) => `[${label}]`);
	const pause = before === undefined ? 0 : Math.round((entry.at - before.entry.at) / 1000);
	const status = entry.response?.status;
	const isRejected = status === undefined || status >= 400;
	return [
		{
			id: `${entry.id} request`,
			exchange: entry.id,
			from,
			to,
			labels: sent,
			label:
				[`${entry.request.method} ${pathText(entry)}`, named.join(', ')].filter(Boolean).join(' · ') +
				(pause >= 10 ? `, ${pause} s later` : '')
		},
		{
			id: `${entry.id} response`,
			exchange: entry.id,
			from: to,
			to: from,
			labels: received,
			isReply: true,
			isRejected,
			label: status === undefined ? 'no response' : `${status} ${outcome}`
		}
	];
}
