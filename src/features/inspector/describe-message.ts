import type { TrafficEntry } from '#api/control/traffic.ts';
import { describeOutcome } from './outcome.ts';

/** Fields of messages that explain a flow, in the order in which they are named. */
const names = ['error', 'code', 'state', 'access_token', 'refresh_token', 'revoked'];

/** A request in a few words: `POST /ws/oauth2/token/ authorization_code`. */
export function describeRequest({ endpoint, request }: TrafficEntry): string {
	const [path = ''] = request.target.replace(/^\/~[^/]+/, '').split('?');
	const grantType = endpoint === 'token' ? /(?:^|&)grant_type=([\w.-]+)/.exec(request.body)?.[1] : undefined;
	return [request.method, path, grantType].filter(Boolean).join(' ');
}

/**
 * A response in a few words: `200 access_token, refresh_token`, `400 invalid_grant · code used twice`, `303 code, state`.
 * @param location where the browser is sent
 */
export function describeResponse(entry: TrafficEntry, location: string | undefined): string {
	const { response } = entry;
	const { kind, text } = describeOutcome(entry);
	if (response === null) return text;
	const content = kind === 'rejected' ? text : contentOf(entry, response.body, location);
	return [String(response.status), content].filter(Boolean).join(' ');
}

function contentOf(entry: TrafficEntry, body: string, location: string | undefined): string {
	if (location !== undefined) {
		const sent = names.filter((name) => new RegExp(`[?&]${name}=`).test(location));
		return sent.length > 0 ? sent.join(', ') : 'to the next page';
	}
	const title = /<title>([^<]*?)(?: · [^<·]*)?<\/title>/.exec(body)?.[1];
	if (title !== undefined) return title.startsWith('Success,code=') ? 'page with the code' : `${title} page`;
	const remaining = entry.response?.headers.find(([name]) => name.toLowerCase() === 'x-ratelimit-remaining')?.[1];
	if (remaining !== undefined) return remaining === '1' ? '1 request left' : `${remaining} requests left`;
	return names.filter((name) => body.includes(`"${name}":`) || body.includes(`<${name}>`)).join(', ');
}
