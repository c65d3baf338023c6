import { headerValues } from '#wire/headers.ts';
import type { WireAnswer, WireRequest, WireResponse } from '#wire/message.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import { toResponse } from '../response.ts';
import { CookiesLost, type CookieJar } from './cookies.ts';
import { targetBelow } from './target.ts';

/** How requests that a script has made stand on the wire. */
export type Wire = {
	/** The path below which the service stands, without a trailing slash: `/demo`; mostly empty. */
	readonly base: string;
	/** The network address of all requests: there is one browser, and no network. */
	readonly peer: string;
	/** The browser's cookies, where the host has to send and to keep them. */
	readonly cookies?: CookieJar;
	/** Headers that a browser adds to what a script has set. */
	readonly added?: (request: Request) => readonly string[];
};

/** Answers one request of a script. Silence is a network error (BR-07), a cookie that cannot be kept a 503 (BR-06). */
export async function respond(service: Service, request: Request, wire: Wire): Promise<Response> {
	const asked = await toWireRequest(request, wire);
	const cookies = request.credentials === 'omit' ? undefined : wire.cookies;
	const answer = await exchange(service, asked, cookies).catch(refusalOf);
	return answer.kind === 'silence' ? Response.error() : toResponse(answer, request.method);
}

/**
 * One exchange, with the cookies of a browser: they are sent with the request, and what the answer sets is kept.
 * @param cookies undefined for a request without credentials
 * @throws CookiesLost
 */
export async function exchange(
	service: Service,
	request: WireRequest,
	cookies: CookieJar | undefined
): Promise<WireAnswer> {
	if (cookies === undefined) return service.handle(request);
	const path = request.target.split('?', 1)[0] ?? '/';
	const header = await cookies.header(path);
	const headers = header === undefined ? request.headers : [...request.headers, 'Cookie', header];
	const answer = await service.handle({ ...request, headers });
	if (answer.kind !== 'silence') await cookies.take(headerValues(answer.headers, 'set-cookie'), path);
	return answer;
}

function refusalOf(fault: unknown): WireResponse {
	if (!(fault instanceof CookiesLost)) throw fault;
	const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];
	const body = JSON.stringify({ error: 'temporarily_unavailable', error_description: fault.message });
	return { kind: 'response', status: 503, headers, body };
}

async function toWireRequest(request: Request, { base, peer, cookies, added }: Wire): Promise<WireRequest> {
	const { pathname, search } = new URL(request.url);
	const target = targetBelow(base, pathname + search);
	const sent = [...request.headers].filter(([name]) => cookies === undefined || name !== 'cookie');
	const body = new Uint8Array(await request.arrayBuffer());
	const oversized = body.length > bodyLimit(target);
	return {
		method: request.method,
		target,
		headers: [...sent.flat(), ...(added?.(request) ?? [])],
		body: oversized ? new Uint8Array(0) : body,
		oversized,
		peer
	};
}
