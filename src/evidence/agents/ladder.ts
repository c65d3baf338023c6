import type { TrafficEntry } from '#api/control/traffic.ts';
import { isTokenRequest, parameter } from '../exchanges.ts';
import { requestHeader } from '../facts.ts';
import { type AgentRun, isMetadata, parseObject, pathOf, type Tone, toneOf, type Try, tryOf } from './agent-runs.ts';

/** What the steps are about. Each is one question. */
export const ladderSteps = [
	{ title: 'First request', hint: 'POST /mcp without a token', part: 'Discovery' },
	{ title: 'Resource metadata', hint: 'from the header', part: 'Discovery' },
	{ title: 'Resource metadata', hint: 'second try', part: 'Discovery' },
	{ title: 'Server metadata', hint: 'RFC 8414, then OpenID', part: 'Discovery' },
	{ title: 'Client ID', hint: 'who the client is', part: 'Client identity' },
	{ title: 'Resource indicator', hint: 'resource in both requests', part: 'Token' },
	{ title: 'Authorization response', hint: 'code, state, iss', part: 'Token' },
	{ title: 'Issuer', hint: 'equal as strings', part: 'Token' }
] as const;

/** The two issuers that a client has to compare, and what it did. */
export type IssuerCheck = {
	readonly difference: StringDifference;
	/** Whether the client sent the code. */
	readonly isAccepted: boolean;
	readonly metadata: TrafficEntry;
	readonly response: TrafficEntry;
	/** The request that sent the code. */
	readonly token: TrafficEntry | undefined;
};

/** The eight steps of a client, with what it tried in each. */
export type Ladder = {
	readonly run: AgentRun;
	readonly steps: readonly (readonly Try[])[];
	readonly issuer: IssuerCheck | undefined;
};

const notYet: Try = { tone: 'waiting', text: 'Not yet', reason: 'The client has not come here' };

/** What a client did in each step. */
export function ladderOf(run: AgentRun): Ladder {
	const { entries } = run;
	const asked = entries.find((entry) => entry.endpoint === 'auth' && parameter(entry, 'client_id') !== undefined);
	const before = entries.filter((entry) => asked === undefined || entry.seq < asked.seq);
	const resources = before.filter(({ endpoint }) => endpoint === 'oauth-protected-resource');
	const servers = before.filter((entry) => isMetadata(entry) && entry.endpoint !== 'oauth-protected-resource');
	const first = entries.find((entry) => entry.endpoint === 'mcp');
	const goesOn = entries.some(({ endpoint }) => ['register', 'auth', 'token'].includes(endpoint));
	const named = challengeOf(first);
	const tries = resources.map((entry) => resourceMetadataTry(entry, named, goesOn));
	const isFound = tries[0]?.tone === 'ok' || resources[0]?.response?.status === 200;
	const response = entries.find(isAuthorizationResponse);
	const issuer = issuerOf(servers, response, entries);
	return {
		run,
		issuer,
		steps: [
			[firstTry(first)],
			tries.length === 0 ? [unseen(named, goesOn || servers.length > 0)] : tries.slice(0, 1),
			isFound && tries.length < 2
				? [{ tone: 'skipped', text: 'Not needed', reason: 'Found in step 2' }]
				: orNotYet(tries.slice(1)),
			orNotYet(servers.map((entry) => serverMetadataTry(entry, resources, goesOn))),
			orNotYet(clientIdTries(entries, asked)),
			[resourceTry(entries, asked) ?? notYet],
			[response === undefined ? notYet : responseTry(response, issuer)],
			[issuer === undefined ? notYet : issuerTry(issuer, response)]
		]
	};
}

/** No try is in the log. One at the root path is in that of the root sandbox, which others may use, so it is not shown here. */
function unseen(named: string | undefined, isLate: boolean): Try {
	if (named === undefined || sandboxIn(named) === undefined) return notYet;
	return {
		tone: 'waiting',
		text: isLate ? 'Not in this log' : 'Not yet',
		reason: 'A guess at the root path is in the log of the root sandbox'
	};
}

/** The part of a path that names a sandbox: `/~k3v9x2q7`. Undefined: the root sandbox. */
function sandboxIn(path: string): string | undefined {
	return /\/~[^/]+/.exec(path)?.[0];
}

function orNotYet(tries: readonly Try[]): readonly Try[] {
	return tries.length === 0 ? [notYet] : tries;
}

function firstTry(first: TrafficEntry | undefined): Try {
	if (first === undefined) return { tone: 'skipped', text: 'Not sent', reason: 'Began with the metadata' };
	const hasToken = requestHeader(first, 'authorization') !== undefined;
	const reason =
		challengeOf(first) === undefined ? 'No challenge in the response' : 'WWW-Authenticate names resource_metadata';
	return {
		...tryOf(first, hasToken ? 'caution' : 'ok'),
		text: '/mcp',
		reason: hasToken ? 'Sent a token at once' : reason
	};
}

/** The path of `resource_metadata` in a challenge. */
function challengeOf(entry: TrafficEntry | undefined): string | undefined {
	const header = entry?.response?.headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1];
	const [, url] = /resource_metadata="([^"]+)"/.exec(header ?? '') ?? [];
	return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}

function resourceMetadataTry(entry: TrafficEntry, named: string | undefined, goesOn: boolean): Try {
	const path = pathOf(entry);
	const isOther = entry.response?.status === 200 && !isOwnResource(entry);
	if (isOther)
		return {
			...tryOf(entry, goesOn ? 'error' : 'ok'),
			reason: goesOn ? 'Another resource, but used' : 'Another resource. Stopped, as it must'
		};
	if (path === named) return { ...tryOf(entry, 'ok'), reason: 'Path read from resource_metadata' };
	const sandbox = sandboxIn(path);
	const isRoot = path.replace(sandbox ?? '', '') === '/.well-known/oauth-protected-resource';
	const isOk = entry.response?.status === 200;
	if (isOk && path.startsWith('/.well-known/') && !isRoot)
		return { ...tryOf(entry, 'ok'), reason: 'Path of the server inserted' };
	const guess = !isRoot ? 'path' : sandbox === undefined ? 'root path' : 'root of the sandbox';
	return { ...tryOf(entry, 'caution'), reason: `Header ignored, ${guess} guessed` };
}

/** Whether the metadata is that of the server at its path. */
function isOwnResource(entry: TrafficEntry): boolean {
	const { resource } = parseObject(entry.response?.body ?? '');
	if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
	const path = pathOf(entry).replace('/.well-known/oauth-protected-resource', '');
	return new URL(resource).pathname.startsWith(path === '' ? '/' : path);
}

/** The issuer that the metadata of the resource names. */
function namedIssuer(resources: readonly TrafficEntry[]): string | undefined {
	for (const { response } of resources) {
		const { authorization_servers: servers } = parseObject(response?.body ?? '');
		if (Array.isArray(servers) && typeof servers[0] === 'string') return servers[0];
	}
	return undefined;
}

function serverMetadataTry(entry: TrafficEntry, resources: readonly TrafficEntry[], goesOn: boolean): Try {
	const issuer = namedIssuer(resources);
	const { issuer: found } = parseObject(entry.response?.body ?? '');
	const isOther = typeof found === 'string' && issuer !== undefined && found !== issuer;
	if (isOther)
		return {
			...tryOf(entry, goesOn ? 'error' : 'ok'),
			reason: goesOn ? 'Another issuer, but used' : 'Another issuer. Stopped, as it must'
		};
	const path = pathOf(entry);
	const place = path.startsWith('/.well-known/') ? (path.split('/').length > 3 ? 'inserted' : 'left out') : 'appended';
	const what = entry.endpoint === 'openid-configuration' ? 'OpenID, issuer path' : 'Issuer path';
	const hasPath = issuer !== undefined && URL.canParse(issuer) && new URL(issuer).pathname !== '/';
	const isGuess = place === 'left out' && hasPath;
	const reason = !hasPath && place === 'left out' ? 'The issuer has no path' : `${what} ${place}`;
	return { ...tryOf(entry, entry.response?.status === 200 && !isGuess ? 'ok' : 'caution'), reason };
}

function isAuthorizationResponse({ endpoint, response }: TrafficEntry): boolean {
	return endpoint === 'auth' && /[?&](?:code|error)=/.test(locationOf(response));
}

function locationOf(response: TrafficEntry['response']): string {
	const location = response?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1] ?? '';
	return location.includes('/ws/oauth2/auth/') ? '' : location;
}

function parametersOf(entry: TrafficEntry): URLSearchParams {
	const location = locationOf(entry.response);
	return new URLSearchParams(location.slice(location.indexOf('?')));
}

function responseTry(entry: TrafficEntry, issuer: IssuerCheck | undefined): Try {
	const names = [...parametersOf(entry).keys()].filter((name) => name !== 'error_description');
	const difference = issuer?.difference;
	const found = parametersOf(entry).get('iss');
	let reason = 'As announced';
	if (difference?.isEqual === false)
		reason =
			found === null
				? 'Fault: the server left iss out'
				: difference.title.endsWith('more') && found.endsWith('/')
					? 'Fault: the server added a slash to iss'
					: 'Fault: the server sent another iss';
	return { ...tryOf(entry, 'ok'), text: names.join(', '), reason };
}

/** The comparison that the client has to make. Undefined: there is no response, or no metadata. */
function issuerOf(
	servers: readonly TrafficEntry[],
	response: TrafficEntry | undefined,
	entries: readonly TrafficEntry[]
): IssuerCheck | undefined {
	const metadata = servers.find((entry) => entry.response?.status === 200);
	if (metadata === undefined || response === undefined) return undefined;
	const { issuer, authorization_response_iss_parameter_supported: isAnnounced } = parseObject(
		metadata.response?.body ?? ''
	);
	if (typeof issuer !== 'string') return undefined;
	const found = parametersOf(response).get('iss') ?? undefined;
	const token = entries.find((entry) => entry.seq > response.seq && isTokenRequest(entry, 'authorization_code'));
	const difference = compareStrings(issuer, found === undefined && isAnnounced !== true ? issuer : found);
	return { difference, isAccepted: token !== undefined, metadata, response, token };
}

function issuerTry({ difference, isAccepted, token }: IssuerCheck, response: TrafficEntry | undefined): Try {
	const shown = token ?? response;
	const exchange = shown === undefined ? {} : { exchange: shown.id };
	if (difference.isEqual)
		return {
			tone: 'ok',
			text: 'Equal',
			reason: isAccepted ? 'Accepted, code sent' : 'No code was sent yet',
			...exchange
		};
	return isAccepted
		? { tone: 'error', text: 'Not equal', reason: 'Accepted, code sent', ...exchange }
		: { tone: 'ok', text: 'Not equal', reason: 'Stopped. No code was sent', ...exchange };
}

/** The steps, counted from 1, in which two clients differ: in a status, a URL or a reason. */
export function differentSteps(one: Ladder, other: Ladder): number[] {
	const textOf = (tries: readonly Try[] = []) => tries.map(({ exchange: _, ...shown }) => JSON.stringify(shown)).join();
	return ladderSteps.flatMap((_, at) => (textOf(one.steps[at]) === textOf(other.steps[at]) ? [] : [at + 1]));
}

/** The result of a client in words: where it failed, or how far it is. */
export function resultOf({ steps }: Ladder): { readonly tone: Tone; readonly text: string } {
	const tones = steps.map(toneOf);
	const failed = tones.indexOf('error') + 1;
	if (failed > 0) return { tone: 'error', text: `Failed at ${failed}` };
	const waiting = tones.indexOf('waiting') + 1;
	if (waiting > 0) return { tone: 'waiting', text: `Before step ${waiting}` };
	const detours = tones.filter((tone) => tone === 'caution').length;
	if (detours > 0) return { tone: 'caution', text: detours === 1 ? '1 detour' : `${detours} detours` };
	return { tone: 'ok', text: 'All 8 right' };
}

/** How the client got its id. */
function clientIdTries(entries: readonly TrafficEntry[], asked: TrafficEntry | undefined): Try[] {
	const registrations = entries.filter(({ endpoint }) => endpoint === 'register');
	if (registrations.length > 0)
		return registrations.map(({ id, request, response }) => ({
			tone: response?.status === 201 ? 'ok' : 'caution',
			status: response?.status,
			text: `POST ${request.target}`,
			reason:
				response?.status === 201 ? 'Registered. Consent shows only the name it gave itself' : 'Registration rejected',
			exchange: id
		}));
	const client_id = asked && parameter(asked, 'client_id');
	if (asked === undefined || client_id === undefined) return [];
	const isDocument = /^https?:\/\//.test(client_id) && URL.canParse(client_id);
	return [
		{
			tone: 'ok',
			text: client_id.slice(0, 200),
			reason: isDocument
				? `Metadata document. Consent shows ${new URL(client_id).host}`
				: 'Known client, registered before',
			exchange: asked.id
		}
	];
}

/** Whether the client named the server in both requests. Undefined: it has sent neither. */
function resourceTry(entries: readonly TrafficEntry[], asked: TrafficEntry | undefined): Try | undefined {
	if (asked === undefined) return undefined;
	const token = entries.find((entry) => isTokenRequest(entry, 'authorization_code'));
	const first = parameter(asked, 'resource');
	const second = token && parameter(token, 'resource');
	const exchange = (token ?? asked).id;
	if (first === undefined && second === undefined)
		return { tone: 'error', text: 'no resource', reason: 'The token is for no server', exchange };
	if (first === undefined)
		return {
			tone: 'caution',
			text: 'resource in the token request only',
			reason: 'Authorization request has none',
			exchange
		};
	if (token !== undefined && second === undefined)
		return { tone: 'caution', text: 'resource in the first request only', reason: 'Token request has none', exchange };
	if (token !== undefined && second !== first)
		return { tone: 'caution', text: 'two resources', reason: 'The requests name different ones', exchange };
	return {
		tone: 'ok',
		text: `resource=${shortened(first)}`,
		reason: token === undefined ? 'In the first request. No token request' : 'Token works at this server only',
		exchange
	};
}

/** A URL without its origin. */
function shortened(url: string): string {
	return URL.canParse(url) ? `…${new URL(url).pathname}` : url.slice(0, 100);
}

/** A part of a text beside the same part of another text. */
type MarkedPart = { readonly text: string; readonly isDifferent: boolean };

/** Two texts, compared character by character and without normalization. */
type StringDifference = {
	readonly isEqual: boolean;
	readonly expected: readonly MarkedPart[];
	/** Empty where the value was not sent. */
	readonly found: readonly MarkedPart[];
	/** The first different character, counted from 1. 0: none. */
	readonly position: number;
	readonly lengths: readonly [expected: number, found: number];
	/** What the difference is, as a heading. */
	readonly title: string;
};

/** Characters that look like nothing, or like another one: blanks, controls, formats and separators of Unicode. */
const invisible = /[\p{Cc}\p{Cf}\p{Z}]/u;

/**
 * Compares two texts. Invisible characters are written as `U+200B`.
 * @param found undefined: the value was not sent
 */
function compareStrings(expected: string, found: string | undefined): StringDifference {
	const [one, other] = [[...expected], [...(found ?? '')]];
	const length = Math.max(one.length, other.length);
	let position = 0;
	for (let at = 0; at < length && position === 0; at++) if (one[at] !== other[at]) position = at + 1;
	if (found === undefined) position = 1;
	return {
		isEqual: found === expected,
		expected: partsOf(one, position, found !== undefined && one.length >= other.length),
		found: found === undefined ? [] : partsOf(other, position, true),
		position,
		lengths: [one.length, other.length],
		title: titleOf(one, found === undefined ? undefined : other)
	};
}

/** The beginning that both have, the first different character, and the rest. */
function partsOf(characters: readonly string[], position: number, marks: boolean): MarkedPart[] {
	const parts = [
		{ text: shown(characters.slice(0, position === 0 ? undefined : position - 1)), isDifferent: false },
		{ text: position === 0 ? '' : shown(characters.slice(position - 1, position)), isDifferent: marks },
		{ text: position === 0 ? '' : shown(characters.slice(position)), isDifferent: false }
	];
	return parts.filter(({ text }) => text !== '');
}

function shown(characters: readonly string[]): string {
	return characters
		.map((character) =>
			invisible.test(character)
				? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
				: character
		)
		.join('');
}

function titleOf(expected: readonly string[], found: readonly string[] | undefined): string {
	if (found === undefined) return 'The issuer was not sent';
	const more = found.length - expected.length;
	const [long, short] = more > 0 ? [found, expected] : [expected, found];
	const isPrefix = short.every((character, at) => character === long[at]);
	if (more === 0 && isPrefix) return 'The issuers are equal';
	if (Math.abs(more) === 1 && isPrefix) return `The issuer has one character ${more > 0 ? 'more' : 'less'}`;
	return 'The response names another issuer';
}
