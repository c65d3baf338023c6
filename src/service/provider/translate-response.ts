import type { CheckId } from '#api/checks.ts';
import type { TraceLine } from '#api/control/traffic.ts';
import type { ErrorCase, ProviderErrors, RequestRules, Template } from '#api/providers/dialect-schema.ts';
import { headerValue } from '#api/headers.ts';
import type { WireRequest, WireResponse, WireResult } from '#api/message.ts';
import { createTraceLine } from '../core/runner.ts';
import type { Context } from '../core/context.ts';
import { negotiateFormat, prefersJson } from '../core/negotiation.ts';
import { type Data, xmlFromData } from '../core/responses.ts';
import { metadataOfProvider } from './provider-urls.ts';
import type { Provider, Surface } from './providers.ts';
import { fill, fillAll, fillFields, textOf, userValues, type Values } from './templates.ts';
import { decodePercent } from '#lib/percent.ts';
import { decodeUtf8, encodeUtf8 } from '../core/encoding.ts';

/** What was applied of a dialect: the check that shows it, the place in the dialect, and what it did. */
type Applied = { readonly id: CheckId; readonly fact: string; readonly detail: string };

/** Headers of ours that a provider has in its own way, or not at all. */
const ours = /^(?:content-type|www-authenticate|x-ratelimit-.*|ratelimit.*|retry-after|x-tollgate-address)$/i;
const json = 'application/json; charset=utf-8';

/** Makes the response of a provider of ours. The trace says what its file decided. */
export function translateResponse(context: Context, result: WireResult): WireResult {
	const { surface } = context;
	const kind = surface?.endpoint?.kind;
	if (surface === undefined || kind === undefined || kind === 'authorize' || result.kind !== 'response') return result;
	const failed = context.trace.findLast(({ outcome }) => outcome === 'failed');
	// A fault is not the behavior of the provider.
	if (failed?.id.startsWith('fault.') === true || result.status >= 500) return result;
	const body = parseObject(result.body);
	if (body === undefined) return result;
	const applied: Applied[] = [];
	const values = { ...body, ...userValues(context), ...limitValues(context, result) };
	const response =
		failed === undefined
			? successOf(context, surface, result, values, applied)
			: errorOf(context, surface, result, failed, values, applied);
	explain(context, surface, applied);
	return response;
}

function successOf(
	context: Context,
	{ endpoint, provider }: Surface,
	result: WireResponse,
	values: Values,
	applied: Applied[]
): WireResponse {
	const { dialect } = provider;
	switch (endpoint?.kind) {
		case 'token':
			return tokenResponse(context, provider.dialect, result, values, applied);
		case 'api': {
			if (endpoint.body === undefined) return result;
			applied.push({ id: 'provider.api_response', fact: 'endpoints', detail: `The form of ${endpoint.url}` });
			return respond(
				result,
				200,
				fill(endpoint.body, values),
				limitFields(dialect.rateLimit?.headers, values, applied)
			);
		}
		case 'revoke': {
			const { revocationResponse } = dialect;
			if (revocationResponse === undefined) return result;
			applied.push({
				id: 'provider.revocation_response',
				fact: 'revocationResponse',
				detail: `Status ${revocationResponse.status}`
			});
			const { status, body } = revocationResponse;
			return respond(result, status, body === undefined ? undefined : fill(body, values));
		}
		case 'metadata':
			return respond(result, 200, metadataOfProvider(context, values));
		default:
			return result;
	}
}

function tokenResponse(
	context: Context,
	dialect: Surface['provider']['dialect'],
	result: WireResponse,
	given: Values,
	applied: Applied[]
): WireResponse {
	const { scopes, tokenResponse: rules = {}, refreshFor, refresh, lifetimes } = dialect;
	const isRefresh = context.trace.some(({ id }) => id === 'token.refreshed');
	const named = textOf(given.scope).split(' ');
	const scope = named
		.filter((one) => one !== '' && scopes?.hidden?.includes(one) !== true)
		.join(scopes?.separator ?? ' ');
	const values = { ...given, scope };
	const has = given.refresh_token !== undefined;
	applied.push(
		isRefresh
			? { id: 'provider.refresh_token_due', fact: 'refresh', detail: `${has ? 'A new one' : 'No new one'}: ${refresh}` }
			: { id: 'provider.refresh_token_due', fact: 'refreshFor', detail: `${has ? 'Yes' : 'No'}: ${refreshFor}` }
	);
	if (lifetimes?.accessToken !== undefined && given.expires_in !== undefined)
		applied.push({
			id: 'provider.token_response',
			fact: 'lifetimes.accessToken',
			detail: `${textOf(given.expires_in)} seconds`
		});
	if (scopes?.always !== undefined)
		applied.push({ id: 'provider.token_response', fact: 'scopes.always', detail: scopes.always.join(' ') });
	if (scopes?.separator === ',' && named.length > 1)
		applied.push({ id: 'provider.token_response', fact: 'scopes.separator', detail: scope });
	const template = (isRefresh ? rules.refreshBody : undefined) ?? rules.body;
	const fact = isRefresh && rules.refreshBody !== undefined ? 'tokenResponse.refreshBody' : 'tokenResponse.body';
	const data = template === undefined ? standardFields(values) : fill(template, values);
	if (template !== undefined) applied.push({ id: 'provider.token_response', fact, detail: `Fields: ${namesOf(data)}` });
	return encode(context, rules.form, result, 200, data, [], applied);
}

/** The fields of RFC 6749, section 5.1, in our order. */
function standardFields({ access_token, expires_in, token_type, scope, refresh_token, id_token }: Values): object {
	return { access_token, expires_in, token_type, scope, refresh_token, id_token };
}

function errorOf(
	context: Context,
	{ endpoint, provider }: Surface,
	result: WireResponse,
	failed: TraceLine,
	given: Values,
	applied: Applied[]
): WireResponse {
	const { errors = {}, rateLimit, tokenResponse: rules = {} } = provider.dialect;
	if (failed.id === 'rate_limit.not_exceeded' && rateLimit !== undefined) {
		applied.push({ id: 'provider.limit_response', fact: 'rateLimit.status', detail: `Status ${rateLimit.status}` });
		const headers = [
			...limitFields(rateLimit.headers, given, applied),
			...limitFields(rateLimit.limitedHeaders, given, [])
		];
		return respond(
			result,
			rateLimit.status,
			rateLimit.body === undefined ? given : fill(rateLimit.body, given),
			headers
		);
	}
	const kind = endpoint?.kind === 'revoke' ? 'revoke' : endpoint?.kind === 'api' ? 'api' : 'token';
	const own: ProviderErrors = endpoint?.errors ?? errors[kind] ?? {};
	const factOf = (part: string) => (endpoint?.errors === undefined ? `errors.${kind}.${part}` : 'endpoints');
	const at = own.cases?.findIndex(({ checks }) => checks.some((one) => isOf(one, failed))) ?? -1;
	const found: ErrorCase | undefined = own.cases?.[at];
	// A wrong method, a long body and a limit are errors of HTTP. Files say what errors of OAuth look like.
	if (found === undefined && ![400, 401, 403].includes(result.status)) return result;
	const { error = given.error, description = given.error_description } = found ?? {};
	const values = { ...given, ...fillAll(found?.values, given), error, error_description: description };
	const status = found?.status ?? own.status ?? result.status;
	if (status !== result.status) {
		const fact = factOf(found?.status === undefined ? 'status' : `cases.${at}`);
		applied.push({ id: 'provider.error_status', fact, detail: `${status} in place of ${result.status}` });
	}
	const template: Template | undefined = found?.body ?? own.body;
	const data = template === undefined ? { error, error_description: description } : fill(template, values);
	if (found !== undefined || template !== undefined) {
		const id = 'provider.error_body';
		const ofCase = factOf(`cases.${at}`);
		// What a case leaves to the form of all errors is not its own, unless the file says that it surprises.
		const isOfAll = template === own.body && !provider.surprises.some((one) => isAbout(one, id, ofCase));
		const fact = found === undefined || (isOfAll && template !== undefined) ? factOf('body') : ofCase;
		applied.push({ id, fact, detail: `Fields: ${namesOf(data)}` });
	}
	const headers = [
		...fillFields(own.headers ?? {}, values),
		...(endpoint?.kind === 'api' ? limitFields(rateLimit?.headers, given, []) : [])
	];
	if (kind === 'token') return encode(context, rules.form, result, status, data, headers, applied);
	return respond(result, status, data, headers);
}

/** Whether a case of a file is about a failure. */
function isOf(check: string, { id, cause }: TraceLine): boolean {
	return check === id || (cause !== undefined && check === `${id} ${cause}`);
}

/** A response in the form of the provider: JSON, or a form. */
function encode(
	context: Context,
	form: 'form' | 'negotiated' | undefined,
	result: WireResponse,
	status: number,
	data: unknown,
	headers: readonly string[],
	applied: Applied[]
): WireResponse {
	const accept = headerValue(context.received.headers, 'accept');
	const isJson = form === undefined || (form === 'negotiated' && prefersJson(accept));
	if (isJson) return respond(result, status, data, headers);
	if (form === 'negotiated' && negotiateFormat(accept) === 'xml') {
		const body = xmlFromData('OAuth', toData(data));
		return { ...withHeaders(result, ['Content-Type', 'application/xml; charset=utf-8', ...headers]), status, body };
	}
	applied.push({ id: 'provider.token_response', fact: 'tokenResponse.form', detail: 'A form, and not JSON' });
	const fields = Object.entries(toData(data)).map(([name, value]) => [name, textOf(value)]);
	const type = 'application/x-www-form-urlencoded; charset=utf-8';
	return {
		...withHeaders(result, ['Content-Type', type, ...headers]),
		status,
		body: new URLSearchParams(fields).toString()
	};
}

/** The fields of an object that are no objects. A world may have any names, and XML would make elements of a page of them. */
function toData(data: unknown): Readonly<Record<string, Data>> {
	if (typeof data !== 'object' || data === null) return {};
	return Object.fromEntries(
		Object.entries(data).filter(
			(field): field is [string, string | number | boolean] =>
				/^[a-z_][\w.-]*$/i.test(field[0]) && ['string', 'number', 'boolean'].includes(typeof field[1])
		)
	);
}

function respond(result: WireResponse, status: number, data: unknown, headers: readonly string[] = []): WireResponse {
	if (data === undefined || data === '') return { ...withHeaders(result, headers), status, body: '' };
	if (typeof data === 'string')
		return { ...withHeaders(result, ['Content-Type', 'text/plain; charset=utf-8', ...headers]), status, body: data };
	return { ...withHeaders(result, ['Content-Type', json, ...headers]), status, body: JSON.stringify(data) };
}

function withHeaders(result: WireResponse, headers: readonly string[]): WireResponse {
	const kept: string[] = [];
	for (let at = 0; at + 1 < result.headers.length; at += 2) {
		const [name = '', value = ''] = [result.headers[at], result.headers[at + 1]];
		if (!ours.test(name) && headerValue(headers, name.toLowerCase()) === undefined) kept.push(name, value);
	}
	return { ...result, headers: [...headers, ...kept] };
}

function limitFields(
	fields: Readonly<Record<string, string>> | undefined,
	values: Values,
	applied: Applied[]
): string[] {
	if (fields === undefined) return [];
	const names = Object.keys(fields).join(', ');
	applied.push({ id: 'provider.limit_fields', fact: 'rateLimit.headers', detail: names });
	return fillFields(fields, values);
}

/** What the rate limit of ours counted. A success that was taken back has not been counted. */
function limitValues({ sandbox, dialect }: Context, { headers, status }: WireResponse): Values {
	const value = (name: string) => {
		const found = headerValue(headers, name);
		return found === undefined ? undefined : Number(found);
	};
	const [limit, counted, reset] = ['limit', 'remaining', 'reset'].map((name) => value(`x-ratelimit-${name}`));
	if (limit === undefined || counted === undefined || reset === undefined) return {};
	const remaining = dialect.rateLimit?.counts !== undefined && status < 400 ? counted + 1 : counted;
	const reset_after = Math.max(0, reset - sandbox.seconds());
	return { limit, remaining, reset, reset_after, used: limit - remaining };
}

/** Whether a surprise is about a fact that a check shows, or about what the fact is part of. */
function isAbout({ check, fact }: Provider['surprises'][number], id: CheckId, shown: string): boolean {
	return check === id && (`${fact}.`.startsWith(`${shown}.`) || shown.startsWith(`${fact}.`));
}

/** Adds a line for each fact to the trace. A surprise of the file names it. */
function explain(context: Context, { provider: { short, surprises } }: Surface, applied: readonly Applied[]): void {
	for (const { id, fact, detail } of applied) {
		const surprise = surprises.find((one) => isAbout(one, id, fact));
		const line = createTraceLine(id, 'passed', context.dialect.name);
		const said = surprise === undefined ? line.name : surprise.title;
		context.trace.push({ ...line, name: `${short}: ${said.slice(0, 1).toLowerCase()}${said.slice(1)}`, detail });
	}
}

function namesOf(data: unknown): string {
	return typeof data === 'object' && data !== null ? Object.keys(data).join(', ') : 'none';
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const parsed: unknown = JSON.parse(text);
		return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined;
	} catch {
		return undefined;
	}
}

/** A request as the checks read it, and what was changed for them. */
type TranslatedRequest = {
	readonly request: WireRequest;
	/** The raw query, without the `?`. */
	readonly query: string;
	/** For the trace, with the place of each in the dialect. */
	readonly changes: readonly { readonly fact: string; readonly text: string }[];
};

const formType = 'application/x-www-form-urlencoded';

/** Gives a request of a client of a provider the names and values that the standard has. */
export function translateRequest(
	{ endpoint, provider }: Surface,
	request: WireRequest,
	query: string
): TranslatedRequest {
	const kind = endpoint?.kind;
	// A path of ours that the file does not have is as without a provider.
	if (kind === undefined) return { request, query, changes: [] };
	if (kind === 'authorize') {
		// The forms of our own pages are the same for all.
		const rules = provider.dialect.request?.authorize;
		const isRequest = request.method === 'GET' && !/(?:^|&)interaction=/.test(query);
		if (rules === undefined || !isRequest) return { request, query, changes: [] };
		const { pairs, changes } = applyRules(query, rules, 'request.authorize');
		return { request, query: pairs, changes };
	}
	// Errors of ours are read as JSON, and the response of the provider is made of them.
	const asJson = { ...request, headers: withHeader(request.headers, 'Accept', 'application/json') };
	const rules = kind === 'token' || kind === 'revoke' ? provider.dialect.request?.[kind] : undefined;
	if (rules === undefined || request.bodyTooLarge) return { request: asJson, query, changes: [] };
	const text = decodeUtf8(request.body) ?? '';
	const sent = rules.json === true ? formOfJson(request, text) : undefined;
	const { pairs, changes } = applyRules(sent ?? text, rules, `request.${kind}`);
	if (sent === undefined && changes.length === 0) return { request: asJson, query, changes };
	return {
		request: { ...asJson, headers: withHeader(asJson.headers, 'Content-Type', formType), body: encodeUtf8(pairs) },
		query,
		changes: [
			...(sent === undefined ? [] : [{ fact: `request.${kind}.json`, text: 'JSON read as a form' }]),
			...changes
		]
	};
}

/** Renames parameters, and adds those that the provider does not require. */
function applyRules(text: string, { names = {}, defaults = {} }: RequestRules, place: string) {
	const changes: { fact: string; text: string }[] = [];
	const pairs = text.split('&').filter((pair) => pair !== '');
	const named = pairs.map((pair) => {
		const [name = '', ...value] = pair.split('=');
		const decoded = decodePercent(name, true) ?? '';
		const ours = names[decoded];
		if (ours === undefined || !Object.hasOwn(names, decoded)) return pair;
		changes.push({ fact: `${place}.names`, text: `${name} is ${ours}` });
		return [ours, ...value].join('=');
	});
	const has = (name: string) => named.some((pair) => pair.split('=', 1)[0] === name);
	for (const [name, value] of Object.entries(defaults)) {
		if (has(name)) continue;
		named.push(`${name}=${encodeURIComponent(value)}`);
		changes.push({ fact: `${place}.defaults`, text: `${name} is not required` });
	}
	return { pairs: named.join('&'), changes };
}

/** The fields of a body that is JSON, as a form. */
function formOfJson({ headers }: WireRequest, text: string): string | undefined {
	if (!/^application\/json\b/i.test(headerValue(headers, 'content-type') ?? '')) return undefined;
	try {
		const sent: unknown = JSON.parse(text);
		if (typeof sent !== 'object' || sent === null) return undefined;
		const fields = Object.entries(sent).filter((field): field is [string, string | number] =>
			['string', 'number'].includes(typeof field[1])
		);
		return new URLSearchParams(fields.map(([name, value]) => [name, String(value)])).toString();
	} catch {
		return undefined;
	}
}

function withHeader(headers: readonly string[], name: string, value: string): string[] {
	const kept: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [one = '', its = ''] = [headers[at], headers[at + 1]];
		if (one.toLowerCase() !== name.toLowerCase()) kept.push(one, its);
	}
	return [...kept, name, value];
}
