import type { TrafficEntry } from '#api/control/traffic.ts';
import type { ForeignRole } from './har-reading.ts';
import { listOf, parseJson } from './json-fields.ts';
import { parametersIn } from './link-exchanges.ts';
import { valueIn } from './raw-exchange.ts';

/** The error of an exchange: in the response, in the redirect, or in the request to the callback. Undefined where it has none. */
export function errorOf(entry: TrafficEntry): { readonly code: string; readonly text: string } | undefined {
	const { request, response } = parametersIn(entry);
	const header = entry.response?.headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1] ?? '';
	const [, ofHeader = ''] = /\berror="?([\w.-]{1,80})/.exec(header) ?? [];
	const [, ofPage = ''] = /^\[page\].*\bnames ([\w]+)/.exec(entry.response?.body ?? '') ?? [];
	const isFailed = (entry.response?.status ?? 0) >= 400;
	const sent = entry.endpoint === 'callback' ? valueIn(request, 'error') : undefined;
	const found =
		valueIn(response, 'error') ?? sent ?? (ofHeader || (isFailed || entry.endpoint === 'auth' ? ofPage : ''));
	if (found === '' || found === '[text]') return undefined;
	const text =
		valueIn(response, 'error_description') ?? valueIn(request, 'error_description') ?? valueIn(response, 'message');
	const [, ofRealm = ''] = /error_description="([^"]{1,300})"/.exec(header) ?? [];
	return { code: found.slice(0, 80), text: text ?? ofRealm };
}

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
	if (error !== undefined) return error.code;
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
