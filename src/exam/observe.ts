import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	contains,
	exchangedCode,
	failedAt,
	isAuthorization,
	isResourceRequest,
	issued,
	issuedCode,
	isTokenRequest,
	parameter,
	queryOf,
	succeeded
} from '#evidence/exchanges.ts';
import { withoutKeys } from './not-shown.ts';

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Whether a code was exchanged after an entry, of a browser or of a device: a sign-in worked. @param after number of an entry */
export function hasSignIn(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some(
		(entry) =>
			entry.seq > after &&
			(exchangedCode(entry) || (isTokenRequest(entry, deviceGrant) && issued(entry, 'access_token') !== undefined))
	);
}

/** Whether a call of the client worked after an entry. @param after number of an entry */
export function hasCall(entries: readonly TrafficEntry[], after: number): boolean {
	return entries.some((entry) => entry.seq > after && isResourceRequest(entry) && succeeded(entry));
}

/** What the service reads of an authorization request. A state is random, and a secret is none of the attacker's. */
const known = [
	'response_type',
	'client_id',
	'redirect_uri',
	'scope',
	'access_type',
	'code_challenge',
	'code_challenge_method',
	'nonce',
	'response_mode',
	'resource',
	'dpop_jkt'
];

/** The authorization requests of a client, with their parameters: those of URLs, and those that it pushed. */
const requestsOf = (entries: readonly TrafficEntry[], client_id: string): TrafficEntry[] =>
	entries.filter(
		(entry) =>
			isAuthorization(entry) &&
			(entry.endpoint === 'par' ? succeeded(entry) : entry.request.method === 'GET') &&
			parameter(entry, 'client_id') === client_id
	);

/** The parameters of a request, without its state, and without those that ask the user to sign in again. */
const parametersOf = (sent: URLSearchParams): URLSearchParams =>
	new URLSearchParams([...sent].filter(([name]) => known.includes(name)));

/**
 * The parameters of the first authorization request of a client, which an attacker can have begun: each sign-in has another browser. The
 * redirect URI is that of the latest one. An installed client may listen on another port each time.
 */
export function earlierRequest(entries: readonly TrafficEntry[], client_id: string): URLSearchParams | undefined {
	const requests = requestsOf(entries, client_id);
	const [first, last] = [requests[0], requests.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const parameters = parametersOf(queryOf(first));
	const redirectUri = parameter(last, 'redirect_uri');
	// Some providers know it without.
	if (redirectUri !== undefined) parameters.set('redirect_uri', redirectUri);
	return parameters;
}

/** The parameters of the request that a client pushed for a `request_uri` (RFC 9126). @param id of the value in the log */
export function pushedRequest(entries: readonly TrafficEntry[], id: string): URLSearchParams | undefined {
	const pushed = entries.find((entry) => entry.endpoint === 'par' && contains(entry, id));
	return pushed && parametersOf(queryOf(pushed));
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

/**
 * Why no sign-in worked, in sentences that say where to look.
 * @param obstacle why the browser could not go on, if that is known
 */
export function whyNoSignIn(entries: readonly TrafficEntry[], obstacle?: string): string {
	const exchange = entries.findLast(
		(entry) => entry.endpoint === 'token' && issued(entry, 'access_token') === undefined
	);
	if (exchange !== undefined && isTokenRequest(exchange, 'authorization_code'))
		return `The service rejected the code exchange${failedCheck(exchange)}.${withoutAssertion(exchange)}`;
	if (exchange !== undefined) return `The service rejected the token request${failedCheck(exchange)}.`;
	if (obstacle !== undefined) return obstacle;
	if (entries.some(issuedCode))
		return 'The client got an authorization response with a code, and sent no token request to TOLLGATE_BASE_URL. Look at its callback: the state, the session cookie, and the path of the token endpoint, which begins with that of TOLLGATE_BASE_URL.';
	const request = entries.findLast(({ endpoint }) => endpoint === 'auth' || endpoint === 'par');
	if (request !== undefined)
		return `The authorization request led to no code${failedCheck(request)}.${registeredUri(request)}`;
	return 'The client sent no authorization request. Check the sign-in URL, and that the client uses TOLLGATE_BASE_URL.';
}

/** What to do about a client that authenticates with a key. */
const withoutAssertion = (exchange: TrafficEntry): string =>
	parameter(exchange, 'client_assertion') === undefined ? '' : ` ${withoutKeys} Let the client use its secret.`;

/** What to do about a redirect URI of an installed client that has a path: only the port may differ (RFC 8252, section 7.3). */
function registeredUri(request: TrafficEntry): string {
	const uri = parameter(request, 'redirect_uri') ?? '';
	if (!failedAt(request, 'auth.redirect_uri_registered') || !URL.canParse(uri)) return '';
	const { protocol, hostname, port, pathname, search } = new URL(uri);
	const isLoopback = protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
	const registered = isLoopback && port !== '' ? `http://${hostname}${pathname}${search}` : uri;
	return ` Register it: --callback ${registered}${registered === uri ? '' : ', with any port'}.`;
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
