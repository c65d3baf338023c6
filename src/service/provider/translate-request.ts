import type { RequestRules } from '#api/providers/dialect-schema.ts';
import { headerValue } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';
import { decodePercent } from '#lib/percent.ts';
import { decodeUtf8, encodeUtf8 } from '../core/encoding.ts';
import type { Surface } from './surface.ts';

/** A request as the checks read it, and what was changed for them. */
export type TranslatedRequest = {
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
