import { grantOf } from '#api/protocol/grant-types.ts';
import type { HeldParameter, PausePoint } from '#api/control/pause.ts';
import { headerValue } from '#api/headers.ts';
import { hiddenFields, html } from '#lib/html.ts';
import type { PostedForm, WireRequest, WireResponse, WireResult } from '#api/message.ts';
import { decodePercent } from '#lib/percent.ts';
import { base64url, decodeUtf8, encodeUtf8 } from '../core/encoding.ts';
import { FormFields } from '../core/form-fields.ts';
import { prefersHtml } from '../core/negotiation.ts';
import { findRoute } from '../core/routes.ts';
import { readTarget } from '../core/target.ts';
import { redactToken } from '#api/redact.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { Place } from './places.ts';

/** A line of a trace, for what the pause did with a request. */
export type PauseLine = { readonly id: 'pause.released' | 'pause.not_held'; readonly detail: string };

export type Handle = (request: WireRequest, line?: PauseLine) => Promise<WireResult>;

/** A message at a point of a flow: what its reader sees of it, and how it is changed. */
export type Message<T> = {
	readonly point: PausePoint;
	/** Without its parameters. */
	readonly target: string;
	readonly client_id: string | undefined;
	readonly parameters: readonly HeldParameter[];
	/** Of an authorization response. */
	readonly response_mode?: 'query' | 'form_post';
	readonly bytes: number;
	readonly change: (changes: Changes) => T;
};

/** The message that a request is; undefined if it is none at which a flow can be held. */
export function requestMessage(request: WireRequest): Message<WireRequest> | undefined {
	const { path, query } = readTarget(request.target);
	const { name } = findRoute(path, request.method);
	const { method } = request;
	if (name === 'auth' && method === 'GET') return authorizationRequest(request, query);
	if (name === 'auth' && method === 'POST') return formMessage(request, decisionPoint);
	if (name === 'token' && method === 'POST') return formMessage(request, grantPoint);
	return name === 'character' && method === 'GET' ? resourceRequest(request) : undefined;
}

/** The message that the response of the authorization endpoint is; undefined if it does not lead to a redirect URI. */
export function responseMessage(request: WireRequest, result: WireResult): Message<WireResponse> | undefined {
	if (result.kind !== 'response') return undefined;
	const { path } = readTarget(request.target);
	if (findRoute(path, request.method).name !== 'auth') return undefined;
	if (result.form !== undefined) return formResponse(result, result.form);
	if (result.status !== 303) return undefined;
	const location = headerValue(result.headers, 'location');
	const [target = '', query = ''] = location?.split('?') ?? [];
	const parameters = parametersOf(query.split('#')[0] ?? '');
	if (location === undefined || !parameters.some(({ name }) => name === 'code' || name === 'error')) return undefined;
	return {
		point: 'authorization_response',
		target,
		client_id: undefined,
		parameters,
		response_mode: 'query',
		bytes: location.length,
		change: (changes) => ({
			...result,
			headers: replaceHeader(result.headers, 'location', changeQuery(location, changes))
		})
	};
}

/** The response as a form that the browser posts. A change is one of its fields. */
function formResponse(result: WireResponse, { action, fields }: PostedForm): Message<WireResponse> {
	const inputs = html`${hiddenFields(fields)}`.html;
	return {
		point: 'authorization_response',
		target: action,
		client_id: undefined,
		parameters: Object.entries(fields).map(([name, value]) => shownParameter(name, value)),
		response_mode: 'form_post',
		bytes: result.body.length,
		change(changes) {
			const changed = new Map([...Object.entries(fields), ...Object.entries(changes)]);
			const kept = [...changed].filter((field): field is [string, string] => field[1] !== null);
			const body = result.body.replace(inputs, () => html`${hiddenFields(Object.fromEntries(kept))}`.html);
			return { ...result, body };
		}
	};
}

/**
 * Whether the script of a page sent the request. It keeps one of the six connections that a browser opens to a server. Programs do not
 * send this header.
 */
export function isOfScript(request: WireRequest): boolean {
	return headerValue(request.headers, 'sec-fetch-site') !== undefined && !isBrowser(request);
}

/** Whether a browser that shows the response sent the request. A program gets its response as soon as the message is released. */
export function isBrowser({ headers }: WireRequest): boolean {
	const mode = headerValue(headers, 'sec-fetch-mode');
	return mode === undefined ? prefersHtml(headerValue(headers, 'accept')) : mode === 'navigate';
}

/**
 * A request that a browser sends again: the parameters of the one that was held, with the cookies and the other headers that are sent now.
 * So it does as much as its sender may.
 */
export function resend({ target, body, headers }: WireRequest, sent: WireRequest): WireRequest {
	const content = ['content-type', 'content-length'];
	const resent = content.reduce(
		(all, name) => replaceHeader(all, name, headerValue(headers, name) ?? null),
		sent.headers
	);
	return { ...sent, target, body, bodyTooLarge: false, headers: resent };
}

function authorizationRequest(request: WireRequest, query: string): Message<WireRequest> | undefined {
	const fields = new FormFields(query);
	// A pending authorization that continues after the sign-in.
	if (fields.has('interaction') && !fields.has('client_id')) return undefined;
	return {
		point: 'authorization_request',
		target: pathOf(request.target),
		client_id: fields.get('client_id'),
		parameters: parametersOf(query),
		bytes: request.target.length,
		change: (changes) => ({ ...request, target: changeQuery(request.target, changes) })
	};
}

function formMessage(
	request: WireRequest,
	pointOf: (fields: FormFields) => PausePoint | undefined
): Message<WireRequest> | undefined {
	const body = decodeUtf8(request.body);
	if (body === undefined || request.bodyTooLarge) return undefined;
	const fields = new FormFields(body);
	const point = pointOf(fields);
	if (point === undefined) return undefined;
	return {
		point,
		target: pathOf(request.target),
		client_id: fields.get('client_id'),
		parameters: parametersOf(body),
		bytes: request.body.length,
		change(changes) {
			const bytes = encodeUtf8(changePairs(body, changes));
			const headers = replaceHeader(request.headers, 'content-length', String(bytes.length));
			return { ...request, headers, body: bytes };
		}
	};
}

function decisionPoint(fields: FormFields): PausePoint | undefined {
	return ['approve', 'deny'].includes(fields.get('decision') ?? '') ? 'consent' : undefined;
}

function grantPoint(fields: FormFields): PausePoint | undefined {
	return grantOf(fields.get('grant_type'))?.pause.point;
}

const nameParameter = 'character_name';

function resourceRequest(request: WireRequest): Message<WireRequest> {
	const [whole = '', query = ''] = request.target.split('?');
	const [, before = whole, segment = ''] = /^(.*\/)([^/]*)$/s.exec(whole.replace(/\/$/, '')) ?? [];
	const authorization = headerValue(request.headers, 'authorization');
	return {
		point: 'resource_request',
		target: before,
		client_id: undefined,
		parameters: [
			shownParameter(nameParameter, decodePercent(segment, false) ?? segment),
			...(authorization === undefined ? [] : [shownParameter('Authorization', authorization)]),
			...parametersOf(query)
		],
		bytes: request.target.length,
		change({ [nameParameter]: name, Authorization: credentials, ...changes }) {
			const path = name === undefined ? whole : before + encodeURIComponent(name ?? '');
			const target = changeQuery(`${path}${query === '' ? '' : `?${query}`}`, changes);
			if (credentials === undefined) return { ...request, target };
			return { ...request, target, headers: replaceHeader(request.headers, 'authorization', credentials) };
		}
	};
}

/** The path of a target, still encoded, without its query. */
export function pathOf(target: string): string {
	return target.split('?', 1)[0] ?? target;
}

/** @param value null removes the header */
export function replaceHeader(headers: readonly string[], lower: string, value: string | null): readonly string[] {
	const replaced: string[] = [];
	let isSet = false;
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', sent = ''] = [headers[at], headers[at + 1]];
		const isIt = name.toLowerCase() === lower;
		isSet ||= isIt;
		if (!isIt) replaced.push(name, sent);
		else if (value !== null) replaced.push(name, value);
	}
	return isSet || value === null || lower === 'content-length' ? replaced : [...replaced, lower, value];
}

/** Names of parameters whose value its reader must not learn. A code and a state are shown: they are what a learner looks at. */
const secretName = /secret|password|refresh_token|access_token|authorization|csrf|interaction|cookie/i;

/** New values by parameter; null removes one. */
type Changes = Readonly<Record<string, string | null>>;

/**
 * The parameters of a query or a form body, in the order sent.
 * @param pairs encoded, without the `?`
 */
function parametersOf(pairs: string): HeldParameter[] {
	return splitPairs(pairs).map(([name, value]) => shownParameter(name, value));
}

/** A parameter as the owner of the sandbox sees it. */
function shownParameter(name: string, value: string): HeldParameter {
	const is_secret = secretName.test(name);
	return { name, value: is_secret ? redactToken(value) : value, is_secret };
}

/**
 * Changes parameters of a query or a form body. All others stay exactly as sent.
 * @param pairs encoded, without the `?`
 */
export function changePairs(pairs: string, changes: Changes): string {
	const changed = new Map(Object.entries(changes));
	if (changed.size === 0) return pairs;
	const left = new Map(changed);
	const kept = pairs.split('&').flatMap((pair) => {
		const name = decodedName(pair);
		const value = changed.get(name);
		if (pair === '' || value === undefined) return pair === '' ? [] : [pair];
		left.delete(name);
		return value === null ? [] : [encodePair(name, value)];
	});
	const added = [...left].flatMap(([name, value]) => (value === null ? [] : [encodePair(name, value)]));
	return [...kept, ...added].join('&');
}

/** Changes parameters of the query of a URL. */
function changeQuery(url: string, changes: Changes): string {
	const [, before = url, query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
	const changed = changePairs(query, changes);
	return `${before}${changed === '' ? '' : `?${changed}`}${fragment}`;
}

function splitPairs(pairs: string): [name: string, value: string][] {
	return pairs.split('&').flatMap((pair): [string, string][] => {
		if (pair === '') return [];
		const equals = pair.indexOf('=');
		const raw = equals < 0 ? '' : pair.slice(equals + 1);
		return [[decodedName(pair), decodePercent(raw, true) ?? raw]];
	});
}

function decodedName(pair: string): string {
	const equals = pair.indexOf('=');
	const raw = equals < 0 ? pair : pair.slice(0, equals);
	return decodePercent(raw, true) ?? raw;
}

function encodePair(name: string, value: string): string {
	return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** How long a browser may take to send its request again after the release, in milliseconds. */
const period = 60_000;
/** The parameter that names the released request. Its value is random. */
const parameter = 'released';

/** A request that a browser sends again after its release. */
type Released = Place & {
	readonly method: string;
	/** Where it is sent, with the changes of the release. */
	readonly target: string;
	/** Responds to the request that the browser sends. */
	readonly respond: (sent: WireRequest, handle: Handle) => Promise<WireResult>;
	/** How often it is handled. */
	readonly times: number;
};

/** The released requests of one sandbox that browsers send again. */
export class ReleasedRequests {
	readonly #options: Pick<ServiceOptions, 'now' | 'random'>;
	readonly #released = new Map<string, Released & { readonly until: number }>();

	constructor(options: Pick<ServiceOptions, 'now' | 'random'>) {
		this.#options = options;
	}

	/** Those that are still expected, oldest first. */
	get kept(): readonly (readonly [id: string, place: Place])[] {
		const now = this.#options.now();
		for (const [id, { until }] of this.#released) if (until <= now) this.#released.delete(id);
		return [...this.#released];
	}

	/** Returns the target that the browser continues to. */
	add(released: Released): string {
		const id = base64url(this.#options.random(12));
		this.#released.set(id, { ...released, until: this.#options.now() + period });
		return changeQuery(released.target, { [parameter]: id });
	}

	delete(id: string): void {
		this.#released.delete(id);
	}

	/** The released request that a browser sends again, with its method and to its path only. */
	take(sent: WireRequest): Pick<Released, 'respond'> | undefined {
		const id = new URLSearchParams(readTarget(sent.target).query).get(parameter) ?? '';
		const released = this.#released.get(id);
		if (released === undefined || released.until <= this.#options.now()) return undefined;
		const { method, target, times } = released;
		if (sent.method !== method || pathOf(sent.target) !== pathOf(target)) return undefined;
		if (times > 1) this.#released.set(id, { ...released, times: times - 1 });
		else this.#released.delete(id);
		return released;
	}
}
