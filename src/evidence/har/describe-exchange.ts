import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ForeignRole } from './har-reading.ts';
import { fieldOf, isObject, listOf, numberOf, parseJson, parseObject, textOf } from './json-fields.ts';
import { parametersIn } from './link-exchanges.ts';
import { valueIn } from './raw-exchange.ts';

/** The error of an exchange, as it was sent. */
export type ExchangeError = {
	/** `invalid_grant`, `AADSTS50020`. The first is shown. Empty: there are only words. */
	readonly names: readonly string[];
	readonly text: string;
};

const nameFields =
	/^(?:errors?|error_?code|error_?type|errcode|error_subtype|code|suberror|type|status|category|\.tag)$/i;
/** What an error is about. It is no name of the error. */
const aboutFields = /^(?:field|param)$/;
const textFields =
	/^(?:error_description|errmsg|error_?message|message|detail|errorSummary|error_user_msg|reason|err|details)$/i;

/** The error of an exchange: in the response, in the redirect, or in the request to the callback or a page. Undefined where it has none. */
export function errorOf(entry: TrafficEntry): ExchangeError | undefined {
	const { request, response } = parametersIn(entry);
	const status = entry.response?.status ?? 0;
	const body = entry.response?.body ?? '';
	// Salesforce responds with a list of errors.
	const document = parseObject(status >= 400 ? body.replace(/^\[(\{.*\})\]$/s, '{"errors":[$1]}') : body);
	if (document !== undefined && (status >= 400 || saysError(document))) {
		const found = errorIn(document);
		if (found.names.length > 0 || found.text !== '') return found;
	}
	const isPage = /^(?:auth|sign_in|callback)$/.test(entry.endpoint);
	const code = valueIn(response, 'error') ?? (isPage ? valueIn(request, 'error') : undefined);
	const text = valueIn(response, 'error_description') ?? (isPage ? valueIn(request, 'error_description') : undefined);
	if (code || text) return named([code ?? ''], text ?? '');
	const header = entry.response?.headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1] ?? '';
	const [, ofHeader = ''] = /\berror="?([\w.-]{1,80})/.exec(header) ?? [];
	const [, ofRealm = ''] = /error_description="([^"]{1,300})"/.exec(header) ?? [];
	if (ofHeader !== '') return named([ofHeader], ofRealm);
	const isText = status >= 400 && body !== '' && !/^[[{<]/.test(body) && !body.includes('\n\n');
	return isText ? named([], body.slice(0, 300)) : undefined;
}

/** Whether a body with the status of a success says that it is an error: as Slack does, or by a number that is 0 in others, as WeChat does. */
function saysError(document: unknown): boolean {
	const isFailed = fieldOf(document, 'ok') === false || (numberOf(document, 'errcode') ?? 0) !== 0;
	return isFailed || (fieldOf(document, 'error') ?? '') !== '';
}

function named(given: readonly string[], text: string): ExchangeError {
	const isName = /^[a-z]+(?:_[a-z]+)+$/.test(text);
	const all = [...given, ...(isName ? [text] : []), ...(text.match(/\bAADSTS\d{5,8}\b/g) ?? [])];
	return {
		names: [...new Set(all.filter((name) => name !== '' && !name.startsWith('[')).map((name) => name.slice(0, 80)))],
		text
	};
}

/** The names and words of an error in a JSON document, of any provider: in `error`, or in objects and lists inside. */
function errorIn(document: object): ExchangeError {
	const names: string[] = [];
	const texts: string[] = [];
	const about: string[] = [];
	const look = (value: unknown, depth: number) => {
		if (depth > 5 || names.length > 10) return;
		if (Array.isArray(value)) for (const item of value.slice(0, 10)) look(item, depth + 1);
		if (!isObject(value)) return;
		for (const name of Object.keys(value).slice(0, 40)) {
			const found = textOf(value, name);
			const isWord = found !== '' && !/^\[[^\]]*\]$/.test(found);
			if (isWord && aboutFields.test(name)) about.push(found);
			if (isWord && nameFields.test(name) && /^[\w./-]{1,80}$/.test(found)) {
				if (name !== 'status' || !/^\d+$/.test(found)) names.push(found);
			} else if (isWord && (textFields.test(name) || nameFields.test(name))) texts.push(found);
			else look(fieldOf(value, name), depth + 1);
		}
	};
	look(document, 0);
	const type = textOf(document, 'error', 'type');
	const code = textOf(document, 'error', 'code');
	if (type !== '' && code !== '') names.push(`${type}/${code}`);
	return named([...names, ...about], [...new Set(texts)].slice(0, 3).join(' '));
}

/** How an error is quoted: `invalid_grant: Code expired`. */
export const quotedError = ({ names: [name = ''], text }: ExchangeError): string =>
	[name, text].filter((part) => part !== '').join(': ');

/** What a request of a role leads to, whatever is in the response. */
const plainOutcomes: Partial<Record<ForeignRole, string>> = {
	par: 'request_uri',
	device: 'device_code, user_code',
	revocation: 'Revoked',
	sign_out: 'Signed out',
	metadata: 'Metadata'
};

/** What an exchange led to, in a few words. */
export function outcomeOf(entry: TrafficEntry, role: ForeignRole): string {
	const error = errorOf(entry);
	if (error !== undefined)
		return error.names[0] ?? (entry.response === null ? 'No response' : `Status ${entry.response.status}`);
	const { response } = entry;
	if (response === null) return 'No response';
	if (response.status >= 400) return `Status ${response.status}`;
	const { request, response: sent } = parametersIn(entry);
	const has = (name: string) => valueIn(sent, name) !== undefined;
	const isRedirect = response.status >= 300 && response.status < 400;
	switch (role) {
		case 'authorization':
		case 'sign_in': {
			const found = ['code', 'access_token', 'id_token', 'state'].filter(has);
			if (found.length > 1 || has('code')) return found.join(', ');
			if (isRedirect) return entry.request.method === 'POST' ? 'Signed in' : 'Next page';
			return 'Sign-in page';
		}
		case 'callback':
			if (valueIn(request, 'code') !== undefined) return 'Code received';
			return valueIn(request, 'access_token') === undefined ? 'Callback page' : 'Token received';
		case 'application':
			if (valueIn(request, 'code') !== undefined) return 'Code sent';
			return isRedirect ? 'Sign-in starts' : 'Page';
		case 'token':
			return ['access_token', 'refresh_token', 'id_token'].filter(has).join(', ') || 'No token';
		case 'keys': {
			const count = listOf(parseJson(response.body), 'keys').length;
			return count === 0 ? 'Keys' : `${count} ${count === 1 ? 'key' : 'keys'}`;
		}
		case 'introspection':
			return response.body.includes('"active":true') ? 'Active' : 'Not active';
		default:
			return plainOutcomes[role] ?? `Status ${response.status}`;
	}
}
