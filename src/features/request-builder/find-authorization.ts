import type { TrafficEntry } from '#api/control/traffic.ts';
import { queryOf, readParameters } from '../inspector/message/http-message.ts';
import { plainText } from '#evidence/message-text.ts';
import { type ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import type { RequestDraft } from './draft.ts';

const pageSize = 500;
const compared = ['response_type', 'client_id', 'redirect_uri', 'scope'];

/**
 * The last exchange of an authorization request in the log, by its parameters, because a navigation shows no `X-Request-Id`.
 * @throws ControlError
 */
export async function findAuthorization(
	api: ControlApi,
	{ parameters }: RequestDraft
): Promise<TrafficEntry | undefined> {
	const sent = signatureOf(
		parameters.filter((one) => one.isOn && one.in === 'query').map(({ name, value }) => [name, value])
	);
	let found: TrafficEntry | undefined;
	let after = 0;
	for (;;) {
		const { entries } = await api.request('GET /control/traffic', trafficAfter(after));
		found = entries.findLast((entry) => isSame(entry, sent)) ?? found;
		after = entries.at(-1)?.seq ?? after;
		if (entries.length < pageSize) return found;
	}
}

/**
 * The exchange whose response sent the browser back, after an authorization request: with a code, or without one.
 * @throws ControlError
 */
export async function findAuthorizationResponse(
	api: ControlApi,
	request: TrafficEntry
): Promise<TrafficEntry | undefined> {
	const { entries } = await api.request('GET /control/traffic', trafficAfter(request.seq));
	return entries.findLast((entry) => issuesCode(entry) || isDenied(entry));
}

function issuesCode({ endpoint, credentials }: TrafficEntry): boolean {
	return endpoint === 'auth' && credentials.some(({ type, kind }) => type === 'issued' && kind === 'code');
}

/** The user denied access. */
const isDenied = ({ endpoint, request, response }: TrafficEntry) =>
	endpoint === 'auth' && /(?:^|&)decision=deny(?:&|$)/.test(request.body) && response?.status === 303;

function isSame({ endpoint, request }: TrafficEntry, sent: string): boolean {
	const isNavigation = endpoint === 'auth' && request.method === 'GET';
	return (
		isNavigation &&
		signatureOf(readParameters(queryOf(plainText(request.target))).map(([name, { text }]) => [name, text])) === sent
	);
}

/** All names, and the values that the log does not hide. */
function signatureOf(parameters: readonly (readonly [name: string, value: string])[]): string {
	return JSON.stringify(parameters.map(([name, value]) => [name, compared.includes(name) ? value : '']));
}
