import { headerValues } from '#wire/headers.ts';
import type { WireResult, WireRequest, WireResponse } from '#wire/message.ts';
import type { Service } from '#service/service.ts';
import type { Handle } from '../msw/fetch-adapter.ts';
import { CookiesLost, type CookieJar } from './cookies.ts';

/**
 * Handles the requests of scripts with the cookies of this browser. A cookie that cannot be stored is a 503 (BR-06).
 * @param service that handles the request once its cookies are set
 * @param cookies of this browser
 */
export function withCookies(service: Service, cookies: CookieJar): Handle {
	return (request, { credentials }) => {
		const headers = request.headers.filter((_, at, all) => all[at - (at % 2)] !== 'cookie');
		return exchange(service, { ...request, headers }, credentials === 'omit' ? undefined : cookies).catch(refusalOf);
	};
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
): Promise<WireResult> {
	if (cookies === undefined) return service.handle(request);
	const path = request.target.split('?', 1)[0] ?? '/';
	const header = await cookies.header(path);
	const headers = header === undefined ? request.headers : [...request.headers, 'Cookie', header];
	const answer = await service.handle({ ...request, headers });
	if (answer.kind !== 'no_response') await cookies.take(headerValues(answer.headers, 'set-cookie'), path);
	return answer;
}

function refusalOf(fault: unknown): WireResponse {
	if (!(fault instanceof CookiesLost)) throw fault;
	const headers = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];
	const body = JSON.stringify({ error: 'temporarily_unavailable', error_description: fault.message });
	return { kind: 'response', status: 503, headers, body };
}
