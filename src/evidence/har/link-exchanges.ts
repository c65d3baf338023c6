import type { CredentialEvent, TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import type { ForeignExchange } from './har-reading.ts';
import { fieldsOfBody } from './foreign-entry.ts';
import { valueIn, type Pair } from './raw-exchange.ts';

/**
 * Values by which a request joins the sign-in of another one, the strongest first. A nonce, a challenge and a verifier are not among
 * them: two sign-ins may repeat them by mistake.
 */
const joining = 'code,device code,request URI,refresh token,access token,ID token,token,user code,state'.split(',');

const pairs = new WeakMap<TrafficEntry, { readonly request: readonly Pair[]; readonly response: readonly Pair[] }>();

/** The parameters of a request, and those of its response: of its body, or of the URL that it redirects to. */
export function parametersIn(entry: TrafficEntry): {
	readonly request: readonly Pair[];
	readonly response: readonly Pair[];
} {
	const before = pairs.get(entry);
	if (before !== undefined) return before;
	const { request, response } = entry;
	const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
	const page = response?.body.startsWith('[page]') === true ? response.body.slice(6).split(';') : [];
	const found = {
		request: [...pairsAfter(request.target), ...fieldsOfBody(request.body)],
		response: [
			...pairsAfter(location),
			...page.flatMap((part) => fieldsOfBody(part.replace(/^ ?(?:form|shows) /, '').trim())),
			...(response === null || response.body.startsWith('[') ? [] : fieldsOfBody(response.body))
		]
	};
	pairs.set(entry, found);
	return found;
}

/** The parameters of a URL, also those behind a hash. */
function pairsAfter(url: string): Pair[] {
	const [before = '', fragment = ''] = url.split('#', 2);
	const query = before.includes('?') ? before.slice(before.indexOf('?') + 1) : '';
	return [...fieldsOfBody(query), ...(fragment.includes('=') ? fieldsOfBody(fragment) : [])];
}

/** The value of a parameter that has a label. */
export function labeledValue(
	entry: TrafficEntry,
	side: 'request' | 'response',
	name: string
): TrafficValue | undefined {
	const text = valueIn(parametersIn(entry)[side], name);
	return text === undefined ? undefined : entry.values.find(({ preview }) => preview === text);
}

/** The token that a request sent to a resource. */
export function sentToken(entry: TrafficEntry): TrafficValue | undefined {
	const header = entry.request.headers.findIndex(([name]) => /^authorization$|access-token$/i.test(name));
	const reference = entry.references.find(({ pointer }) => pointer === `/request/headers/${header}/1`);
	return (reference && entry.values[reference.value]) ?? labeledValue(entry, 'request', 'access_token');
}

/**
 * Exchanges with what follows from their order and values: the sign-in that each belongs to, the client, and what issued, used and
 * ended each code and token. Nothing of it is a statement of the provider.
 * @param exchanges oldest first
 */
export function linkExchanges(exchanges: readonly ForeignExchange[]): ForeignExchange[] {
	const flows = new Map<string, string>();
	const clients = new Map<string, string>();
	/** The authorization request of each sign-in, by what two of them may differ in. */
	const starts = new Map<string, string>();
	let count = 0;
	let current: string | undefined;
	const ended = new Set<string>();
	const requested = new Set<string>();
	const linked = exchanges.map((exchange) => {
		const { entry, role } = exchange;
		const labels = entry.values.map(({ label }) => label);
		const joined = joining.flatMap((kind) => labels.filter((label) => label.startsWith(`${kind} `)));
		const begins =
			/^(?:authorization|par|device)$/.test(role) ||
			(role === 'application' && valueIn(parametersIn(entry).response, 'client_id') !== undefined);
		let flow = joined.map((label) => flows.get(label)).find((known) => known !== undefined);
		if (begins) {
			const start = startOf(exchange);
			const known = flow === undefined ? undefined : starts.get(flow);
			// A state that is sent again after its callback, or with another challenge or nonce, is that of another sign-in.
			// So is one for which the application redirects again after an authorization request.
			const isAgain = role === 'application' && requested.has(flow ?? '');
			const isOther = isAgain || ended.has(flow ?? '') || (known !== undefined && start !== '' && known !== start);
			const isFresh = flow === undefined || isOther;
			if (isFresh) flow = `sign-in ${++count}`;
			if (flow !== undefined && (isFresh || known === undefined || known === '')) starts.set(flow, start);
			if (isFresh) for (const label of joined) flows.set(label, flow ?? '');
			if (role === 'authorization') requested.add(flow ?? '');
		}
		// Some recorders leave redirects out: a callback with a new state may be that of a request that is not in the file.
		const isUnknown = role === 'callback' && labels.some((label) => label.startsWith('state '));
		if (flow === undefined && !isUnknown && /^(?:sign_in|application|callback|sign_out)$/.test(role)) flow = current;
		if (flow === undefined && (role === 'token' || role === 'callback')) flow = `sign-in ${++count}`;
		if (flow !== undefined) for (const label of joined) if (!flows.has(label)) flows.set(label, flow);
		if (begins || role === 'callback') current = flow;
		if (role === 'callback') ended.add(flow ?? '');
		const { request } = parametersIn(entry);
		const client_id = entry.client_id ?? valueIn(request, 'client_id') ?? clients.get(flow ?? '');
		if (client_id !== undefined && flow !== undefined) clients.set(flow, client_id);
		return {
			...exchange,
			entry: {
				...entry,
				...(flow === undefined ? {} : { flow, grant: flow }),
				...(client_id === undefined || client_id === '' ? {} : { client_id })
			}
		};
	});
	return withEvents(linked);
}

/** What tells an authorization request from that of another sign-in with the same state. Empty where it shows neither. */
function startOf({ entry }: ForeignExchange): string {
	const { request, response } = parametersIn(entry);
	const all = entry.endpoint === 'application' ? response : request;
	return `${valueIn(all, 'nonce') ?? ''} ${valueIn(all, 'code_challenge') ?? ''}`.trim();
}

function withEvents(exchanges: readonly ForeignExchange[]): ForeignExchange[] {
	const origins = new Map<string, string>();
	const codes = new Set<string>();
	const events = exchanges.map(({ entry, role }) => {
		const found = eventsOf(entry, role, origins);
		for (const event of found) if (event.type === 'issued' && event.kind === 'code') codes.add(event.id);
		return found;
	});
	// Safari leaves redirects out: the code was issued by the last request to the authorization server.
	exchanges.forEach(({ entry, role }, at) => {
		const code = role === 'callback' ? labeledValue(entry, 'request', 'code') : undefined;
		if (code === undefined || codes.has(code.id) || entry.flow === undefined) return;
		const last = exchanges
			.slice(0, at)
			.findLastIndex((one) => /^(?:auth|sign_in)$/.test(one.entry.endpoint) && one.entry.flow === entry.flow);
		if (last >= 0) events[last]?.push(issued('code', code.id, entry.flow, {}));
		codes.add(code.id);
	});
	return exchanges.map((exchange, at) => ({
		...exchange,
		entry: { ...exchange.entry, credentials: events[at] ?? [] }
	}));
}

function issued(
	kind: 'code' | 'access_token' | 'refresh_token',
	id: string,
	grant: string,
	more: { readonly from?: string; readonly scopes?: string[]; readonly expires?: number }
): CredentialEvent {
	return { type: 'issued', kind, id, grant, family: grant, scopes: [], ...more };
}

function eventsOf(entry: TrafficEntry, role: ForeignExchange['role'], origins: Map<string, string>): CredentialEvent[] {
	const { flow = '', response, at } = entry;
	if (response === null || response.status >= 400) return [];
	const { request, response: sent } = parametersIn(entry);
	if (role === 'authorization' || role === 'sign_in') {
		const code = labeledValue(entry, 'response', 'code');
		return code === undefined ? [] : [issued('code', code.id, flow, {})];
	}
	if (role === 'resource' || role === 'userinfo') {
		const token = sentToken(entry);
		return token === undefined ? [] : [{ type: 'used', kind: 'access_token', id: token.id }];
	}
	if (role === 'revocation') {
		const token = labeledValue(entry, 'request', 'token');
		if (token === undefined) return [];
		const grant = origins.get(token.id) ?? flow;
		return [{ type: 'ended', kind: 'grant', id: grant, reason: 'revoked' }];
	}
	if (role !== 'token') return [];
	const token = labeledValue(entry, 'response', 'access_token');
	if (token === undefined) return [];
	const events: CredentialEvent[] = [];
	const code = labeledValue(entry, 'request', 'code') ?? labeledValue(entry, 'request', 'device_code');
	const refresh = labeledValue(entry, 'request', 'refresh_token');
	const from = code?.id ?? refresh?.id;
	if (code !== undefined)
		events.push(
			{ type: 'used', kind: 'code', id: code.id },
			{ type: 'ended', kind: 'code', id: code.id, reason: 'exchanged' }
		);
	if (refresh !== undefined) events.push({ type: 'used', kind: 'refresh_token', id: refresh.id });
	const scopes = (valueIn(sent, 'scope') ?? valueIn(request, 'scope') ?? '')
		.split(/[ ,]+/)
		.filter((scope) => scope !== '');
	const seconds = Number(valueIn(sent, 'expires_in') ?? valueIn(sent, 'expires') ?? NaN);
	const more = { scopes, ...(from === undefined ? {} : { from }) };
	const expires = seconds > 0 && seconds < 4e8 ? { expires: at + seconds * 1000 } : {};
	events.push(issued('access_token', token.id, flow, { ...more, ...expires }));
	origins.set(token.id, flow);
	const next = labeledValue(entry, 'response', 'refresh_token');
	if (next !== undefined) {
		events.push(issued('refresh_token', next.id, flow, more));
		origins.set(next.id, flow);
	}
	return events;
}
