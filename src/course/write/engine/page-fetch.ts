import type { WireResponse } from '#api/message.ts';
import { headerOf, type SentRequest } from '#hosts/page/page-service.ts';
import { redirectUri } from './exercise-client.ts';

/** The origin of the client's page in the user's browser. */
export const pageOrigin = new URL(redirectUri).origin;

const simpleMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);
const simpleTypes: ReadonlySet<string> = new Set([
	'application/x-www-form-urlencoded',
	'multipart/form-data',
	'text/plain'
]);
const simpleHeaders: ReadonlySet<string> = new Set(['accept', 'accept-language', 'content-language']);
const readableHeaders: readonly string[] = [
	'cache-control',
	'content-language',
	'content-length',
	'content-type',
	'expires',
	'last-modified',
	'pragma'
];

/**
 * Sends a request as a browser does for a script of the client's page: with `Origin`, after a preflight where one is needed, and without
 * the headers of the response that the service does not expose (Fetch, CORS protocol). Cookies are not sent.
 * @throws TypeError where a browser would not give the page the response
 */
export async function sendAsPage(
	request: SentRequest,
	send: (request: SentRequest) => Promise<WireResponse | undefined>
): Promise<WireResponse | undefined> {
	const unsafe = unsafeHeaders(request);
	if (!simpleMethods.has(request.method) || unsafe.length > 0) await preflight(request, unsafe, send);
	const response = await send({ ...request, headers: [...request.headers, ['origin', pageOrigin]] });
	if (response === undefined) return undefined;
	expectOrigin(response, 'response');
	if (response.status >= 300 && response.status < 400) return response;
	const exposed = listOf(response, 'access-control-expose-headers');
	const headers = response.headers.flatMap((name, at) => {
		const isReadable = [...readableHeaders, ...exposed].includes(name.toLowerCase()) || exposed.includes('*');
		return at % 2 === 0 && isReadable ? [name, response.headers[at + 1] ?? ''] : [];
	});
	return { ...response, headers };
}

/** The names of the headers that a page may send only after a preflight: lower case, sorted. */
function unsafeHeaders({ headers }: SentRequest): string[] {
	const names = headers.flatMap(([name, value]) => {
		const lower = name.toLowerCase();
		const type = value.split(';')[0]?.trim().toLowerCase() ?? '';
		const isSimple = simpleHeaders.has(lower) || (lower === 'content-type' && simpleTypes.has(type));
		return isSimple ? [] : [lower];
	});
	return [...new Set(names)].sort();
}

async function preflight(
	{ method, url }: SentRequest,
	unsafe: readonly string[],
	send: (request: SentRequest) => Promise<WireResponse | undefined>
): Promise<void> {
	const response = await send({
		method: 'OPTIONS',
		url,
		headers: [
			['accept', '*/*'],
			['access-control-request-method', method],
			...(unsafe.length > 0 ? [['access-control-request-headers', unsafe.join(',')] as const] : []),
			['origin', pageOrigin]
		],
		body: new Uint8Array(0)
	});
	if (response === undefined) throw rejected('There was no response to the preflight.');
	expectOrigin(response, 'response to the preflight');
	if (response.status < 200 || response.status > 299)
		throw rejected(`The response to the preflight has status ${response.status}.`);
	const methods = listOf(response, 'access-control-allow-methods');
	if (!simpleMethods.has(method) && !methods.includes(method.toLowerCase()) && !methods.includes('*'))
		throw rejected(`The service does not allow the method ${method} for pages.`);
	const allowed = listOf(response, 'access-control-allow-headers');
	const missing = unsafe.find(
		(name) => !allowed.includes(name) && (name === 'authorization' || !allowed.includes('*'))
	);
	if (missing !== undefined) throw rejected(`The service does not allow the header ${missing} for pages.`);
}

function expectOrigin(response: WireResponse, what: string): void {
	const allowed = headerOf(response, 'access-control-allow-origin');
	if (allowed === '*' || allowed === pageOrigin) return;
	throw rejected(
		allowed === undefined
			? `The ${what} has no Access-Control-Allow-Origin.`
			: `The ${what} allows ${allowed}, not ${pageOrigin}.`
	);
}

/** The parts of a header, in lower case. */
function listOf(response: WireResponse, name: string): string[] {
	return (headerOf(response, name) ?? '').split(',').map((part) => part.trim().toLowerCase());
}

/** Scripts of a page get no reason. Readers of an exercise do. */
function rejected(reason: string): TypeError {
	return new TypeError(`Failed to fetch. CORS: ${reason}`);
}
