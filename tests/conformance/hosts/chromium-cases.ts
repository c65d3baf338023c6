import { runCase } from '../run-case.ts';
import { cases } from '../cases.ts';
import type { TestRequest } from '../transport.ts';
import { carrier, pack, unpack } from './carrier.ts';
import { fetchTransport } from './fetching.ts';

const forbidden =
	/^(cookie|origin|host|referer|user-agent|date|te|trailer|connection|content-length|accept-|sec-|proxy-)/i;

/**
 * Lets the test run a case by its name where this script runs, so that a case costs one call from outside and not one for each
 * request.
 * @param respond sends a request without the cookies of the browser
 */
export function offerCases(respond: (request: Request) => Promise<Response>, isExhaustive: boolean): void {
	const send = (request: Request, sent: TestRequest) => sendCarried(respond, request, sent);
	const transport = { ...fetchTransport(location.origin, '', send, () => Promise.resolve()), isExhaustive };
	Reflect.set(globalThis, 'runNamed', async (name: string) => {
		const one = cases.find((known) => known.name === name);
		if (one !== undefined) await runCase(one, transport);
	});
}

async function sendCarried(
	respond: (request: Request) => Promise<Response>,
	request: Request,
	{ headers = [] }: TestRequest
): Promise<Response> {
	const hidden: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', value = ''] = headers.slice(at, at + 2);
		if (forbidden.test(name)) hidden.push(name, value);
	}
	request.headers.set(carrier, pack(hidden));
	const response = await respond(new Request(request, { credentials: 'omit' }));
	if (response.type === 'error') return response;
	const [status, ...all] = unpack(response.headers.get(carrier));
	const hasBody = status !== '204' && request.method !== 'HEAD';
	const shown = new Response(hasBody ? response.body : null, { status: Number(status) });
	Reflect.defineProperty(shown, 'headers', { value: { [Symbol.iterator]: () => pairs(all) } });
	return shown;
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
	for (let at = 0; at + 1 < flat.length; at += 2) yield [(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''];
}
