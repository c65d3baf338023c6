import type { TrafficEntry } from '#api/control/traffic.ts';

/** Who sends and receives the messages of a lab. `attacker`, `victim` and `good_user` are browsers. */
export type Party =
	| 'attacker'
	| 'victim'
	| 'good_user'
	| 'client'
	| 'service'
	| 'second_service'
	| 'attacker_site'
	| 'resource';

/** The parties that have a browser. */
export type BrowserParty = Extract<Party, 'attacker' | 'victim' | 'good_user'>;
export const usernames: Readonly<Record<BrowserParty, string>> = {
	attacker: 'player-three',
	victim: 'player-one',
	good_user: 'player-two'
};
/** The base URL of the second service, which the attacker owns. */
export const secondIssuer = 'https://second-issuer.example';

/** What a check found, and what it expected. */
export type Compared = { readonly found?: string | undefined; readonly expected?: string | undefined };

/** What ended a request: a check of the service, or a rule of another party. */
export type Rejection = Compared & {
	/** Of a check (`token.code_verifier_matches`) or of a rule of the lab (`client.state_matches`). */
	readonly id: string;
	readonly by: Party;
};

/** A request of a lab, with what its receiver recorded. */
export type Message = {
	/** In the order in which they were sent, from 1. */
	readonly id: number;
	readonly from: Party;
	readonly to: Party;
	/** The message that its sender was handling. Absent of those of a browser. */
	readonly cause?: number;
	readonly method: string;
	readonly url: string;
	/** The form of the body. */
	readonly form: string;
	/** `held`: the attacker holds it, and the receiver knows nothing of it. */
	readonly state: 'held' | 'sent' | 'responded';
	/** Undefined: there is none yet, or the receiver did not respond. */
	readonly status?: number | undefined;
	/** What the receiver recorded, in words. */
	readonly outcome: string;
	readonly tone: 'plain' | 'ok' | 'caution' | 'error' | 'held';
	readonly rejection?: Rejection;
	/** The recording of a service. Absent of messages to others: the sites of the lab record those. */
	readonly entry?: TrafficEntry;
};

/** A parameter of the query or the form. */
export function parameterOf({ url, form }: Pick<Message, 'url' | 'form'>, name: string): string | undefined {
	return new URLSearchParams(form).get(name) ?? new URL(url).searchParams.get(name) ?? undefined;
}

/** The browser where a message began. Undefined: no browser caused it. */
export function originOf(log: readonly Message[], message: Message): BrowserParty | undefined {
	const cause = log.find(({ id }) => id === message.cause);
	if (cause !== undefined) return originOf(log, cause);
	const { from } = message;
	return from === 'attacker' || from === 'victim' || from === 'good_user' ? from : undefined;
}

/** Whether the message leads to the redirect URI of the client. */
export const arrivesAtClient = ({ to, url }: Pick<Message, 'to' | 'url'>) =>
	to === 'client' && new URL(url).pathname.startsWith('/callback');

/** The message that read a character of a user for the session of a browser. */
export function readIn(log: readonly Message[], browser: string, username: string): Message | undefined {
	return log.find(
		(message) =>
			message.entry?.endpoint === 'character' &&
			message.entry.response?.status === 200 &&
			message.entry.username === username &&
			originOf(log, message) === browser
	);
}

/** The first character of the good user. */
export const findGoodUser = (log: readonly Message[]) => readIn(log, 'good_user', usernames.good_user);

/** The parameters that messages are known by, the first one of a message first, with their names in its row. */
const shown = {
	code: 'code',
	refresh_token: 'refresh',
	device_code: 'device code',
	user_code: 'user code',
	state: 'state',
	redirect_uri: 'redirect'
};

/** A part of the text of a message. `isMarked`: a value that the attacker chose. */
export type MessagePart = { readonly text: string; readonly isMarked: boolean };

/** `GET callback`, `code kT9wL…`: what a message is, for its row. @param marked the values of the attacker */
export function partsOf(message: Message, marked: ReadonlySet<string>): MessagePart[] {
	const all = Object.entries(shown).flatMap(([parameter, name]) => {
		const value = parameterOf(message, parameter);
		// Where it is the registered one, it says nothing.
		const isUsual = parameter === 'redirect_uri' && !marked.has(value ?? '');
		return value === undefined || isUsual ? [] : { name, value };
	});
	const known = all.find(({ value }) => marked.has(value)) ?? all[0];
	const text = `${message.method} ${nameOf(message)}`;
	if (known === undefined) {
		const decision = parameterOf(message, 'decision');
		const said = decision === undefined ? '' : decision === 'deny' ? ' · Deny' : ' · Allow';
		return [{ text: text + said, isMarked: false }];
	}
	const { name, value } = known;
	return [
		{ text: `${text} · ${name} `, isMarked: false },
		{ text: shorten(value), isMarked: marked.has(value) }
	];
}

/** The start of a long value. Of a URL its path, or its host if it has none. */
export function shorten(value: string): string {
	if (URL.canParse(value)) {
		const { host, pathname } = new URL(value);
		return pathname === '/' ? host : `${pathname}…`;
	}
	return value.length <= 12 ? value : `${value.slice(0, 5)}…`;
}

/** The endpoint of a message, or the last part of its path that is no name of a resource. */
export function nameOf({ url, entry, to }: Message): string {
	if (url.includes('/.well-known/')) return 'metadata';
	if (entry !== undefined) return entry.endpoint;
	const { pathname } = new URL(url);
	if (to === 'service' || to === 'second_service')
		return /\/(auth|token|character|userinfo|introspect)\b/.exec(pathname)?.[1] ?? pathname;
	return pathname === '/' ? '/' : pathname.slice(1);
}

/**
 * The messages that are shown: those between the parties, without the steps of a sign-in that only pages have. Of several requests
 * for characters in a row, the last one.
 */
export function rowsOf(log: readonly Message[], parties: readonly Party[]): Message[] {
	const shownOnes = log.filter(
		(message) => parties.includes(message.from) && parties.includes(message.to) && !isStepOfPage(message)
	);
	return shownOnes.filter((message, at) => {
		const next = shownOnes[at + 1];
		const isCharacter = message.entry?.endpoint === 'character';
		return (
			!isCharacter ||
			next?.entry?.endpoint !== 'character' ||
			next.cause !== message.cause ||
			next.from !== message.from
		);
	});
}

/** Whether it is the sign-in or the redirect between two pages of the service. */
function isStepOfPage(message: Message): boolean {
	if (message.to !== 'service' || message.entry?.endpoint !== 'auth' || message.rejection !== undefined) return false;
	if (message.method === 'GET') return parameterOf(message, 'interaction') !== undefined;
	return parameterOf(message, 'password') !== undefined && message.entry.credentials.length === 0;
}
