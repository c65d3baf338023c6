import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { describeOutcome, describeRequest, describeResponse } from '#evidence/describe-exchange.ts';
import { headerOf } from './message/http-message.ts';
import { bodyOf, locationOf, targetOf, valuesIn, valuesOf, type MessageText } from '#evidence/message-text.ts';
import { partyLabels, type FlowParty } from '#ui/flow/flow-parties.ts';
import type { PlacedEvent } from './place-events.ts';

/** One arrow of a flow, or what the application did without a message: from it to itself. */
export type FlowMessage = {
	readonly id: string;
	/** `X-Request-Id` of the exchange that it belongs to, or follows. */
	readonly exchange: string;
	readonly from: FlowParty;
	readonly to: FlowParty;
	/** `POST /ws/oauth2/token/`, `200 access_token`. */
	readonly label: string;
	readonly isReply: boolean;
	/** A response that rejects the request, or no response. */
	readonly isRejected: boolean;
	/** False: the service did not receive or send it. It follows from what the service saw. */
	readonly isSeen: boolean;
	/** It must have happened, and is not in the file that is shown. It cannot be selected. */
	readonly isGhost?: boolean;
	/** The redacted text in which a client_id or a redirect URI is found. */
	readonly text: string;
	/** The labeled values that it contains. */
	readonly values: readonly TrafficValue[];
};

const cache = new WeakMap<TrafficEntry, { readonly resource: string; readonly messages: readonly FlowMessage[] }>();

/**
 * The messages of a flow: what the service received and sent, and what follows from it.
 * @param entries of the flow, oldest first
 * @param resource what the world calls its resource: `character`
 * @param events of our own client in this flow, in order
 */
export function flowMessages(
	entries: readonly TrafficEntry[],
	resource: string,
	events: readonly PlacedEvent[] = []
): FlowMessage[] {
	const first = entries[0]?.seq ?? 0;
	const waiting = events.filter(({ after }) => after >= first - 1);
	return entries.flatMap((entry, index) => {
		let known = cache.get(entry);
		if (known?.resource !== resource) cache.set(entry, (known = { resource, messages: messagesOf(entry, resource) }));
		const next = entries[index + 1]?.seq ?? Infinity;
		const before = index === 0 ? take(waiting, entry.seq, entry.id) : [];
		return [...before, ...known.messages, ...take(waiting, next, entry.id)];
	});
}

/** Removes the events before an exchange, and returns them as messages. */
function take(waiting: PlacedEvent[], seq: number, exchange: string): FlowMessage[] {
	const end = waiting.findIndex(({ after }) => after >= seq);
	return waiting.splice(0, end < 0 ? waiting.length : end).map(({ event, values }) => ({
		id: `${event.source} ${event.seq}`,
		exchange,
		from: 'application',
		to: 'application',
		label: event.message,
		isReply: false,
		isRejected: event.tone === 'error',
		isSeen: false,
		values,
		text: ''
	}));
}

/** A message in words: `Browser to Application: GET /viewer/callback`. */
export function messageText({ from, to, label, isSeen }: FlowMessage): string {
	if (from === to) return `${partyLabels[from]}: ${label}`;
	return `${partyLabels[from]} to ${partyLabels[to]}: ${label}${isSeen ? '' : ' (not seen by the service)'}`;
}

/** The value of a response header; `name` in lower case. */
export function responseHeader(entry: TrafficEntry, name: string): string | undefined {
	return entry.response?.headers.find(([key]) => key.toLowerCase() === name)?.[1];
}

/** Whether a response itself rejects the request. The error in a redirect does it at the client, where the browser brings it. */
export function isRejection(entry: TrafficEntry): boolean {
	const { response } = entry;
	if (response === null || response.status >= 400) return true;
	return describeOutcome(entry).kind === 'rejected' && locationOf(entry) === undefined;
}

function messagesOf(entry: TrafficEntry, resource: string): FlowMessage[] {
	const { id: exchange, request, response } = entry;
	const { from, to } = partiesOf(entry);
	const message = (part: string, rest: Pick<FlowMessage, 'from' | 'to' | 'label' | 'text' | 'values'>) => ({
		id: `${exchange} ${part}`,
		exchange,
		isReply: false,
		isRejected: false,
		isSeen: true,
		...rest
	});
	const unseen = (part: string, from: FlowParty, to: FlowParty, label: string, text: MessageText) => ({
		...message(part, { from, to, label, text: text.text, values: valuesOf(text) }),
		isSeen: false
	});
	const sentTo = locationOf(entry);
	const location = sentTo?.text;
	const isFront = entry.endpoint === 'auth';
	const messages: FlowMessage[] = [];
	if (isFront) {
		const action = userAction(entry);
		if (action !== undefined) messages.push(unseen('action', 'user', 'browser', action, bodyOf(entry, 'request')));
		if (/[?&]client_id=/.test(request.target))
			messages.push({
				...unseen('start', 'application', 'browser', 'redirect to the authorization endpoint', targetOf(entry)),
				isReply: true
			});
	}
	messages.push(
		message('request', {
			from,
			to,
			label: describeRequest(entry),
			text: [request.target, ...request.headers.map((pair) => pair.join(': ')), request.body].join('\n'),
			values: valuesIn(entry, '/request/')
		}),
		{
			...message('response', {
				from: to,
				to: from,
				label: describeResponse(entry, location, resource),
				text: response === null ? '' : [...response.headers.map((pair) => pair.join(': ')), response.body].join('\n'),
				values: valuesIn(entry, '/response/')
			}),
			isReply: true,
			isRejected: isRejection(entry)
		}
	);
	const isLink = entry.endpoint === 'control' && /\/control\/authorization-response(\?|$)/.test(request.target);
	if ((isFront || isLink) && sentTo !== undefined && !isOwnPage(sentTo.text)) {
		const path = pathOf(sentTo.text);
		const error = /[?&]error=([\w.-]+)/.exec(sentTo.text)?.[1];
		messages.push({
			...unseen('callback', 'browser', 'application', `GET ${path}`, sentTo),
			...(error === undefined ? {} : { label: `GET ${path} · ${error}`, isRejected: true })
		});
	} else if (isFront && location === undefined && issuesCode(entry))
		messages.push(
			unseen('callback', 'browser', 'application', 'code, from the page or by hand', bodyOf(entry, 'response'))
		);
	return messages;
}

function partiesOf({ endpoint, request }: TrafficEntry): { readonly from: FlowParty; readonly to: FlowParty } {
	const isResource =
		['character', 'ratelimits', 'ratelimiting'].includes(endpoint) ||
		/^(?:\/~[^/]+)?\/ws\/v2\.0\//.test(request.target);
	// A page or image that the browser loads, not a fetch of the application (Fetch Metadata).
	const isLoaded = !['', 'empty'].includes(headerOf(request.headers, 'sec-fetch-dest') ?? '');
	const isBrowser = isLoaded || ['auth', 'account'].includes(endpoint) || request.method === 'OPTIONS';
	return { from: isBrowser ? 'browser' : 'application', to: isResource ? 'resource' : 'authorization' };
}

/** What the user did on a page before this request. */
function userAction({ request }: TrafficEntry): string | undefined {
	if (request.method !== 'POST') return undefined;
	const decision = /(?:^|&)decision=(\w+)/.exec(request.body)?.[1];
	if (decision === 'approve') return 'allows access';
	if (decision === 'deny') return 'denies access';
	if (decision === 'switch') return 'switches the account';
	return /(?:^|&)password=/.test(request.body) ? 'enters user name and password' : undefined;
}

function isOwnPage(location: string): boolean {
	return /\/ws\/oauth2\/auth\/?\?interaction=/.test(location);
}

/** The path of a URL: `/viewer/callback`. Other URIs are returned without the query. */
function pathOf(location: string): string {
	return location.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]+(?:\/~[^/]+)?/, '') || '/';
}

function issuesCode({ credentials }: TrafficEntry): boolean {
	return credentials.some((event) => event.type === 'issued' && event.kind === 'code');
}
