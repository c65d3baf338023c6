import { failureWords, findCheck } from '#api/logged-check.ts';
import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { locationOf } from './message-text.ts';

/** What a request led to, in words. */
export type ExchangeOutcome = {
	/** `rejected`: with an error, in the response or in a redirect to the client. */
	readonly kind: 'accepted' | 'rejected' | 'no_response';
	/** For readers: `Tokens issued`, `invalid_grant · wrong code_verifier`, `No such character`. */
	readonly text: string;
	/** The same without the error code: `Wrong code_verifier`. */
	readonly short: string;
};

/** Error codes of RFC 6749 and RFC 6750. The words for others say the same. */
const protocolCodes =
	/^(?:invalid_\w+|unsupported_\w+|access_denied|server_error|temporarily_unavailable|insufficient_scope)$/;

/**
 * What an exchange led to.
 * @param resource what the world calls its resource: `character`
 */
export function describeOutcome(entry: TrafficEntry, resource = 'resource'): ExchangeOutcome {
	const { response, trace } = entry;
	const line = decidingLine(trace);
	const code = errorCodeOf(entry);
	const isRejected = line?.outcome === 'failed' || code !== undefined || (response?.status ?? 0) >= 400;
	const kind = response === null ? 'no_response' : isRejected ? 'rejected' : 'accepted';
	const said = wordsOf(entry, line)
		.replace('{resource}', resource)
		.replace('{kind}', kindOf(entry))
		.replace('{page}', pageOf(entry));
	const short = capitalize(said);
	const isNamed = code !== undefined && kind === 'rejected' && protocolCodes.test(code);
	return { kind, short, text: isNamed ? `${code} · ${said}` : short };
}

/** The check that decided a request: the one that rejected it, or the last one. A provider decides about the response only. */
function decidingLine(trace: readonly TraceLine[]): TraceLine | undefined {
	const others = trace.filter(({ id }) => !id.startsWith('provider.'));
	return trace.findLast(({ outcome }) => outcome === 'failed') ?? others.at(-1);
}

function wordsOf(entry: TrafficEntry, line: TraceLine | undefined): string {
	const { response, credentials } = entry;
	if (line?.outcome === 'failed') return failureWords(line.id, line.cause) ?? line.name;
	const known = findCheck(line?.id ?? '');
	if (response === null) return known?.responds ?? 'No response';
	if (errorCodeOf(entry) === 'access_denied' && known?.responds?.includes('denied') !== true)
		return 'denied by the user';
	if (line?.id === 'account.changed' && response.status === 403) return 'Wrong user name or password';
	if (credentials.some((event) => event.type === 'issued' && event.kind === 'code')) return 'Code issued';
	if (line?.id === 'account.changed' && credentials.some(({ type }) => type === 'ended')) return 'Access revoked';
	return known?.responds ?? line?.name ?? `status ${response.status}`;
}

/** The kind of resources of a request, as its path names it. */
function kindOf({ request }: TrafficEntry): string {
	return /\/ws\/v2\.0\/([a-z0-9_]+)/.exec(request.target)?.[1] ?? 'records';
}

/** The page that asks the user. Another step of the same path sends the browser on. */
function pageOf({ response }: TrafficEntry): string {
	if (response !== null && response.status >= 300 && response.status < 400) return 'Next page';
	return /<title>Sign in|"step":\s*"sign_in"/.test(response?.body ?? '') ? 'Sign-in page' : 'Consent page';
}

/** Names of parameters and codes keep their letter case. */
function capitalize(text: string): string {
	const [first = ''] = text.split(' ', 1);
	return /[_A-Z]/.test(first) ? text : (text[0]?.toUpperCase() ?? '') + text.slice(1);
}

/** The error code of a response: in its body, or in the redirect that carries it back to the client. */
export function errorCodeOf(entry: TrafficEntry): string | undefined {
	const sent = /[?&#]error=([\w.-]+)/.exec(locationOf(entry)?.text ?? '')?.[1];
	if (sent !== undefined) return sent;
	const inBody = /"error":\s*"([\w.-]+)"|<error>([\w.-]+)</.exec(entry.response?.body ?? '');
	return inBody?.[1] ?? inBody?.[2];
}

/** Fields of messages that explain a flow, in the order in which they are named. */
const explained = ['error', 'code', 'state', 'access_token', 'refresh_token', 'revoked'];

/** A request in a few words: `POST /ws/oauth2/token/ authorization_code`. */
export function describeRequest({ endpoint, request }: TrafficEntry): string {
	const [path = ''] = request.target.replace(/^\/~[^/]+/, '').split('?');
	const grantType = endpoint === 'token' ? /(?:^|&)grant_type=([\w.-]+)/.exec(request.body)?.[1] : undefined;
	return [request.method, path, grantType].filter(Boolean).join(' ');
}

/**
 * A response in a few words: `200 access_token, refresh_token`, `400 invalid_grant · code used twice`, `303 code, state`.
 * @param location where the browser is sent
 * @param resource what the world calls its resource
 */
export function describeResponse(entry: TrafficEntry, location: string | undefined, resource: string): string {
	const { response } = entry;
	const { kind, text } = describeOutcome(entry, resource);
	if (response === null) return text;
	const content = kind === 'rejected' ? text : contentOf(entry, response.body, location);
	return [String(response.status), content].filter(Boolean).join(' ');
}

function contentOf(entry: TrafficEntry, body: string, location: string | undefined): string {
	if (location !== undefined) {
		const sent = explained.filter((name) => new RegExp(`[?&]${name}=`).test(location));
		return sent.length > 0 ? sent.join(', ') : 'to the next page';
	}
	const title = /<title>([^<]*?)(?: · [^<·]*)?<\/title>/.exec(body)?.[1];
	if (title !== undefined) return title.startsWith('Success,code=') ? 'page with the code' : `${title} page`;
	const remaining = entry.response?.headers.find(([name]) => name.toLowerCase() === 'x-ratelimit-remaining')?.[1];
	if (remaining !== undefined) return remaining === '1' ? '1 request left' : `${remaining} requests left`;
	return explained.filter((name) => body.includes(`"${name}":`) || body.includes(`<${name}>`)).join(', ');
}
