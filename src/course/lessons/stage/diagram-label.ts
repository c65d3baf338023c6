import type { TrafficEntry } from '#api/control/traffic.ts';
import { isTokenRequest, parameter } from '#evidence/exchanges.ts';
import type { FlowMessage } from '#features/inspector/flow-messages.ts';
import { sentDifference } from '../uri-difference.ts';

/**
 * What an arrow says of a message.
 * @param isMany whether it means several equal exchanges
 */
export function labelOf(
	entry: TrafficEntry,
	{ label }: FlowMessage,
	part: 'request' | 'response' | 'callback',
	isMany: boolean
): string {
	const name = nameIn(entry.request.target);
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
		return isMany ? 'GET character' : [`GET character/${name}`, value].filter(Boolean).join(' · ');
	if (entry.endpoint === 'token') {
		const own = parameter(entry, 'client_assertion') === undefined ? 'secret' : 'assertion';
		const sent = entry.values.find((one) => /^(?:code|refresh token|device code|access token) /.test(one.label))?.label;
		return `POST token · ${value ?? (isTokenRequest(entry, 'client_credentials') ? own : sent) ?? ''}`;
	}
	return path;
}

const statusOf = ({ response }: TrafficEntry) => response?.status ?? 'no response';

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
