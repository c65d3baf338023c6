import type { ForeignExchange, ForeignFinding, ForeignRole, HarContent } from '../har-reading.ts';
import { labeledValue, parametersIn, sentToken } from '../link-exchanges.ts';
import { valueIn } from '../raw-exchange.ts';
import { wordsOf } from './finding-words.ts';

/** The parts of one sign-in. */
export type ForeignFlow = {
	readonly id: string;
	/** The first authorization request, or the pushed one. */
	readonly authorization: ForeignExchange | undefined;
	/** The authorization requests, and the pages of the provider between them and the callback. */
	readonly pages: readonly ForeignExchange[];
	readonly callbacks: readonly ForeignExchange[];
	readonly tokens: readonly ForeignExchange[];
	/** Requests in which a page sends the response to its own server. */
	readonly relays: readonly ForeignExchange[];
};

/** What recorded a file, and whether it kept Cookie headers. */
export type Recorder = Pick<HarContent, 'recorder' | 'hasCookies'>;

/** The exchanges of a file in groups. */
export type ForeignRun = Recorder & {
	readonly all: readonly ForeignExchange[];
	readonly flows: readonly ForeignFlow[];
	readonly of: (...roles: readonly ForeignRole[]) => readonly ForeignExchange[];
};

/** What a finding says beside the words of its id, or in place of them. */
type More = Partial<Omit<ForeignFinding, 'id' | 'state' | 'exchanges'>>;

const mostExchanges = 10;

/** @param exchanges oldest first */
export function foreignRun(exchanges: readonly ForeignExchange[], { recorder, hasCookies }: Recorder): ForeignRun {
	const of: ForeignRun['of'] = (...roles) => exchanges.filter(({ role }) => roles.includes(role));
	const ids = new Set(exchanges.flatMap(({ entry }) => entry.flow ?? []));
	const flows = [...ids].map((id) => {
		const own = exchanges.filter(({ entry }) => entry.flow === id);
		const pushed = own.find(({ role }) => role === 'par');
		return {
			id,
			authorization: pushed ?? own.find(({ role }) => role === 'authorization'),
			pages: own.filter(({ role }) => role === 'authorization' || role === 'sign_in'),
			callbacks: own.filter(({ role }) => role === 'callback'),
			tokens: own.filter(({ role }) => role === 'token'),
			relays: own.filter(
				(one) => one.role === 'application' && sent(one, 'client_id') === undefined && hasResponse(one)
			)
		};
	});
	return { all: exchanges, flows, of, recorder, hasCookies };
}

/** A parameter of a request, of its query or its form. */
export const sent = ({ entry }: ForeignExchange, name: string): string | undefined =>
	valueIn(parametersIn(entry).request, name);

/** A parameter of a response, of its body or its redirect. */
export const received = ({ entry }: ForeignExchange, name: string): string | undefined =>
	valueIn(parametersIn(entry).response, name);

/** The value behind a label in a request. */
export const sentValue = ({ entry }: ForeignExchange, name: string) => labeledValue(entry, 'request', name);

/** The value of a response header. @param name in lower case */
export const responseHeaderOf = ({ entry }: ForeignExchange, name: string): string | undefined =>
	valueIn(entry.response?.headers ?? [], name);

/** Where a response leads to. */
export const locationOf = (one: ForeignExchange): string | undefined => responseHeaderOf(one, 'location') || undefined;

/** The value of a request header. @param name in lower case */
export const requestHeaderOf = ({ entry }: ForeignExchange, name: string): string | undefined =>
	valueIn(entry.request.headers, name);

/** Whether a request has an authorization response in its URL or its form. A page reads a fragment itself. */
export const hasResponse = (one: ForeignExchange) =>
	['code', 'error', 'state'].some((name) => sent(one, name) !== undefined);

/** Whether the response of an authorization request comes as a message to another page. It has no callback. */
export const isMessage = (one: ForeignExchange): boolean => /message$/.test(sent(one, 'response_mode') ?? '');

/** Whether the provider has sent a response to the application: in a redirect, a form or a message. */
export const hasResponded = ({ callbacks, pages }: ForeignFlow): boolean =>
	callbacks.some(hasResponse) || pages.some((one) => isMessage(one) && received(one, 'state') !== undefined);

export const isOk = ({ entry: { response } }: ForeignExchange): boolean => response !== null && response.status < 400;

/** Whether a host is this computer. */
export const isLoopback = (host: string) =>
	/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$|\.localhost(?::\d+)?$/.test(host);

/** Whether a text of an exchange has a label. @param pointer of the text */
export const hasLabelIn = ({ entry }: ForeignExchange, pointer: RegExp, label: RegExp) =>
	entry.references.some((one) => pointer.test(one.pointer) && label.test(entry.values[one.value]?.label ?? ''));

/** When a request began, in Unix milliseconds. */
export const beginOf = ({ entry }: ForeignExchange): number => entry.at - entry.duration;

/** A time of a file: `09:12:51 UTC`. */
export const timeText = (at: number): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;

/** The ids of the exchanges of a finding, each once. */
export const idsOf = (exchanges: readonly (ForeignExchange | undefined)[]): string[] =>
	[...new Set(exchanges.flatMap((one) => one?.entry.id ?? []))].slice(0, mostExchanges);

/** A finding of a state, with the words of its id and the exchanges that show it. @param text what happened */
export function findingOf(
	state: ForeignFinding['state'],
	id: string,
	exchanges: readonly (ForeignExchange | undefined)[],
	text: string,
	more: More = {}
): ForeignFinding {
	const { title, severity, sections, why, fix } = wordsOf(id);
	const isCause = state !== 'shown' && state !== 'not_shown' && fix !== undefined;
	return {
		id,
		state,
		title,
		text,
		basis: 'inferred',
		sections,
		exchanges: idsOf(exchanges),
		...(isCause ? { ...(why !== undefined && { cause: why }), fix } : {}),
		...(state === 'failed' && severity !== undefined ? { severity } : {}),
		...more
	};
}

/** Whether a form posts the authorization response. Safari writes the form of a sign-in page at the end of its redirects. */
export const isPosted = ({ entry }: ForeignExchange): boolean =>
	/(?:^|&)(?:code|id_token|error)=/.test(entry.request.body);

/** When the token of a request expired, in Unix milliseconds: by its claims, or by the response that issued it. */
export function expiryOf(exchange: ForeignExchange, { all }: ForeignRun): number | undefined {
	const token = sentToken(exchange.entry);
	if (token === undefined) return undefined;
	const exp = exchange.tokens.find(({ label }) => label === token.label)?.claims.exp;
	if (exp !== undefined) return exp * 1000;
	for (const { entry } of all)
		for (const event of entry.credentials)
			if (event.type === 'issued' && event.id === token.id && event.expires !== undefined) return event.expires;
	return undefined;
}
