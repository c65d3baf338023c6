import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangedCode, isResourceRequest, issuedCode, parameter, succeeded } from '#evidence/exchanges.ts';

/** Whether a code was exchanged after an entry: a sign-in worked. @param after number of an entry */
export function hasSignIn(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some((entry) => entry.seq > after && exchangedCode(entry));
}

/** Whether a call of the client worked after an entry. @param after number of an entry */
export function hasCall(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some((entry) => entry.seq > after && isResourceRequest(entry) && succeeded(entry));
}

/** What an attacker knows of the client's authorization requests. */
export type KnownRequest = {
	readonly redirect_uri: string;
	readonly scope: string;
	/** Of the first request, where a nonce takes the place of PKCE: the attacker began a sign-in before. */
	readonly nonce: string | undefined;
	/** Whether the client gets its responses as forms. */
	readonly posts: boolean;
};

/** The client's latest authorization request, as an attacker knows it. */
export function latestRequest(entries: readonly TrafficEntry[], client_id: string): KnownRequest | undefined {
	const requests = entries.filter(
		(entry) =>
			entry.endpoint === 'auth' && entry.request.method === 'GET' && parameter(entry, 'client_id') === client_id
	);
	const [first, last] = [requests[0], requests.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const scope = parameter(last, 'scope') ?? '';
	const isBoundByNonce = scope.split(' ').includes('openid') && parameter(last, 'code_challenge') === undefined;
	return {
		redirect_uri: parameter(last, 'redirect_uri') ?? '',
		scope,
		nonce: isBoundByNonce ? parameter(first, 'nonce') : undefined,
		posts: parameter(last, 'response_mode') === 'form_post'
	};
}

/** The address that the calls of the client count for. */
export function clientAddress(entries: readonly TrafficEntry[], client_id: string): string | undefined {
	return entries.findLast((entry) => entry.client_id === client_id && isResourceRequest(entry))?.address;
}

/** The product token of the client's user agent: `node`, `python-requests`. */
export function userAgent(entries: readonly TrafficEntry[]): string | undefined {
	const request = entries.find(exchangedCode)?.request;
	const value = request?.headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1];
	return value === undefined ? undefined : /^[!#$%&'*+.^_`|~\w-]{1,60}/.exec(value)?.[0];
}

/** Why no sign-in worked, as a sentence that says where to look. */
export function whyNoSignIn(entries: readonly TrafficEntry[]): string {
	const token = entries.findLast(({ endpoint }) => endpoint === 'token');
	if (token !== undefined) return `The service rejected the code exchange${failedCheck(token)}.`;
	if (entries.some(issuedCode))
		return 'The client got an authorization response with a code, and sent no token request to TOLLGATE_BASE_URL. Look at its callback: the state, the session cookie, and the path of the token endpoint, which begins with that of TOLLGATE_BASE_URL.';
	const request = entries.findLast(({ endpoint }) => endpoint === 'auth');
	if (request !== undefined) return `The authorization request led to no code${failedCheck(request)}.`;
	return 'The client sent no authorization request. Check the sign-in URL, and that the client uses TOLLGATE_BASE_URL.';
}

/**
 * Why no call worked, as a sentence that names the check. Undefined where one did, or the client was not used.
 * @param useStatus of the page that used the client last. Undefined: it was not used
 */
export function whyNoCall(entries: readonly TrafficEntry[], useStatus: number | undefined): string | undefined {
	const call = entries.find(isResourceRequest);
	if (hasCall(entries, 0)) return undefined;
	if (call === undefined) {
		if (useStatus === undefined) return undefined;
		const problem = useStatus === 0 ? ' gave no response' : ` responded with status ${useStatus}`;
		const page = useStatus === 0 || useStatus >= 400 ? ` The page that uses it${problem}.` : '';
		return `The client signs in, but sent no request for a resource.${page} Check the URL or command that uses it, and what it needs besides cookies.`;
	}
	return `The client signs in, but none of its calls worked${failedCheck(call)}.`;
}

/** Names the check that rejected a request, if one did. */
function failedCheck({ trace }: TrafficEntry): string {
	const line = trace.findLast(({ outcome }) => outcome === 'failed');
	return line === undefined ? '' : `: check ${line.id}, “${line.name}”, failed`;
}
