import type { TrafficEntry } from '#api/control/traffic.ts';
import { parameter } from '#evidence/exchanges.ts';
import type { FlowMessage } from '#features/inspector/flow-messages.ts';
import { nameOf } from '../evaluation/step.ts';
import { sentDifference } from '../uri-difference.ts';

/** The labels of values of the run, by their previews: `GQVJab…` is `access token 1`. */
export type KnownValues = ReadonlyMap<string, string>;

/** Parameters of token requests with the value that the request is about. */
const decisive = ['code', 'refresh_token', 'device_code', 'subject_token'] as const;

/**
 * What an arrow says of a message: a request by what was sent, never by its response.
 * @param isMany whether it means several equal exchanges
 */
export function labelOf(
	entry: TrafficEntry,
	{ label }: FlowMessage,
	part: 'request' | 'response' | 'callback',
	isMany: boolean,
	known: KnownValues
): string {
	const name = nameOf(entry.request.target);
	const difference = part === 'callback' ? undefined : sentDifference(entry);
	if (difference !== undefined) return `${part === 'request' ? 'GET auth' : statusOf(entry)} · ${difference}`;
	if (part === 'response') {
		// The headers are what some lessons ask for, so they are not shown here.
		if (entry.response?.status === 200 && entry.endpoint === 'character') return isMany ? '200' : `200 ${name}`;
		if (entry.response?.status === 200 && entry.endpoint === 'ratelimits') return '200 limits';
		const issued = entry.endpoint === 'token' ? entry.credentials.filter(({ type }) => type === 'issued') : [];
		if (isMany && issued.length > 0) return String(entry.response?.status ?? '');
		const labels = issued.flatMap(({ id }) => valueLabel(entry, id) ?? []);
		return labels.length > 0 ? `200 ${labels.join(', ')}` : label;
	}
	const path = label.replace(/\/ws\/(?:oauth2|v2\.0)\//, '').replace(/\/(?=\s|$)/, '');
	const used = entry.credentials.find(({ type }) => type === 'used');
	const value = used && valueLabel(entry, used.id);
	if (entry.endpoint === 'character')
		return isMany
			? 'GET character'
			: [`GET character/${name}`, isProven(entry) ? 'proof' : value].filter(Boolean).join(' · ');
	if (entry.endpoint === 'control' && part === 'request') {
		const [, kind = '', id] = /\/control\/(authorization-response|tickets)(\/)?/.exec(entry.request.target) ?? [];
		if (kind === 'tickets') return id === undefined ? 'file ticket' : 'decide ticket';
		if (kind !== '') return ['GET link', entry.values[0]?.label].filter(Boolean).join(' · ');
	}
	if (entry.endpoint === 'token') return ['POST token', sentIn(entry, known)].filter(Boolean).join(' · ');
	return path;
}

const statusOf = ({ response }: TrafficEntry) => response?.status ?? 'no response';

const valueLabel = ({ values }: TrafficEntry, id: string) => values.find((value) => value.id === id)?.label;

const isProven = ({ request: { headers } }: TrafficEntry) => headers.some(([name]) => name.toLowerCase() === 'dpop');

/** What a token request is about: the code or token in it, or how the application proves who it is. */
function sentIn(entry: TrafficEntry, known: KnownValues): string | undefined {
	for (const name of decisive) {
		const sent = parameter(entry, name);
		if (sent === undefined) continue;
		return entry.values.find(({ preview }) => preview === sent)?.label ?? known.get(sent) ?? name.replace('_', ' ');
	}
	if (isProven(entry)) return 'proof';
	if (parameter(entry, 'client_assertion') !== undefined) return 'assertion';
	return parameter(entry, 'client_secret') === undefined ? undefined : 'secret';
}
