import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	exchangedCode,
	isResourceRequest,
	issuedCode,
	isTokenRequest,
	parameter,
	succeeded
} from '#evidence/exchanges.ts';

/** Whether a code was exchanged after an entry: a sign-in worked. @param after number of an entry */
export function hasSignIn(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some((entry) => entry.seq > after && exchangedCode(entry));
}

/** Whether a call of the client worked after an entry. @param after number of an entry */
export function hasCall(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some((entry) => entry.seq > after && isResourceRequest(entry) && succeeded(entry));
}

/** The parameters of the client's latest authorization request. */
export function latestRequest(
	entries: readonly TrafficEntry[],
	client_id: string
): { readonly redirect_uri: string; readonly scope: string } | undefined {
	const entry = entries.findLast(
		({ endpoint, ...entry }) =>
			endpoint === 'auth' &&
			entry.request.method === 'GET' &&
			parameter({ endpoint, ...entry }, 'client_id') === client_id
	);
	if (entry === undefined) return undefined;
	return { redirect_uri: parameter(entry, 'redirect_uri') ?? '', scope: parameter(entry, 'scope') ?? '' };
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
	const token = entries.findLast((entry) => isTokenRequest(entry, 'authorization_code'));
	if (token !== undefined) return `The service refused the code exchange${failedCheck(token)}.`;
	if (entries.some(issuedCode))
		return 'The client got an authorization response with a code, and sent no token request. Look at its callback: the state, the session cookie, and other cookies of localhost beside it.';
	const request = entries.findLast(({ endpoint }) => endpoint === 'auth');
	if (request !== undefined) return `The authorization request led to no code${failedCheck(request)}.`;
	return 'The client sent no authorization request. Check the sign-in URL, and that the client uses TOLLGATE_BASE_URL.';
}

/** Names the check that rejected a request, if one did. */
function failedCheck({ trace }: TrafficEntry): string {
	const line = trace.findLast(({ outcome }) => outcome === 'failed');
	return line === undefined ? '' : `: check ${line.id}, “${line.name}”, failed`;
}
