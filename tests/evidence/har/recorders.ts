import { madeEntry, type MadeEntry } from './make-har.ts';

/**
 * The programs that record HAR files. Their forms follow from their public sources, read on 29 November 2026:
 * Chrome `front_end/models/har/Log.ts` (ChromeDevTools/devtools-frontend), Safari `HARBuilder.js` (WebKit/WebKit), mitmproxy
 * `addons/savehar.py`, Playwright `harTracer.ts`. Those of Firefox, Charles and Fiddler are what their exports look like.
 */
export type Recorder =
	| 'Chrome'
	| 'Chrome with sensitive data'
	| 'Firefox'
	| 'Safari'
	| 'Charles'
	| 'Fiddler'
	| 'mitmproxy'
	| 'Playwright';

type Entry = ReturnType<typeof madeEntry>;
type Header = { name: string; value: string };

const without = (headers: readonly Header[], names: RegExp) => headers.filter(({ name }) => !names.test(name));
const isDocument = ({ request, response }: Entry) =>
	response.content.mimeType === 'text/html' || (response.status >= 300 && response.status < 400 && request.url !== '');

/** The fields that Chrome adds, and its pseudo headers of HTTP/2. It exports no fragment. */
function chrome(entry: Entry, isSanitized: boolean): object {
	const { request, response } = entry;
	const { host, pathname, search } = new URL(request.url);
	const pseudo = [
		{ name: ':authority', value: host },
		{ name: ':method', value: request.method },
		{ name: ':path', value: pathname + search },
		{ name: ':scheme', value: 'https' }
	];
	const secret = isSanitized ? /^(?:cookie|set-cookie|authorization)$/i : /^$/;
	return {
		_initiator: { type: 'other' },
		_priority: 'VeryHigh',
		_resourceType: isDocument(entry) ? 'document' : 'fetch',
		...entry,
		request: {
			...request,
			url: request.url.split('#', 1)[0],
			httpVersion: 'h2',
			cookies: [],
			headers: [...pseudo, ...without(request.headers, secret)]
		},
		response: {
			...response,
			httpVersion: 'h2',
			cookies: [],
			headers: without(response.headers, secret),
			_transferSize: 512,
			_error: response.status === 0 ? 'net::ERR_FAILED' : null
		}
	};
}

/** Only the last request of a chain of redirects is listed. */
function safari(entries: readonly Entry[]): object[] {
	return entries.flatMap((entry, at) => {
		const next = entries[at + 1];
		if (next !== undefined && entry.response.redirectURL.split('#', 1)[0] === next.request.url.split('#', 1)[0])
			return [];
		return [{ pageref: 'page_0', ...entry, _fetchType: 'Network Load' }];
	});
}

/** Bodies in base64, and the parameters of a form in place of its text. A tunnel for each host comes first. */
function charles(entries: readonly Entry[]): object[] {
	const hosts = new Set<string>();
	return entries.flatMap((entry) => {
		const { host } = new URL(entry.request.url);
		const connect = hosts.has(host)
			? []
			: [
					{
						startedDateTime: entry.startedDateTime,
						time: 1,
						request: { method: 'CONNECT', url: `https://${host}:443`, headers: [], httpVersion: 'HTTP/1.1' },
						response: { status: 200, headers: [], content: { size: 0, mimeType: '' }, redirectURL: '' }
					}
				];
		hosts.add(host);
		const { postData = { mimeType: '', text: '' } } = entry.request;
		const isForm = postData.mimeType === 'application/x-www-form-urlencoded';
		const params = isForm ? [...new URLSearchParams(postData.text)].map(([name, value]) => ({ name, value })) : [];
		const { text = '', ...content } = entry.response.content;
		return [
			...connect,
			{
				...entry,
				_charlesStatus: 'COMPLETE',
				request: { ...entry.request, ...(isForm ? { postData: { mimeType: postData.mimeType, params } } : {}) },
				response: {
					...entry.response,
					content:
						text === '' ? content : { ...content, text: Buffer.from(text).toString('base64'), encoding: 'base64' }
				}
			}
		];
	});
}

const local = (at: string) => `${new Date(Date.parse(at) + 3_600_000).toISOString().slice(0, 23)}4567+01:00`;

/** The text of a HAR file, in the form of a recorder. */
export function recordedBy(recorder: Recorder, made: readonly MadeEntry[]): string {
	const entries = made.map(madeEntry);
	const log = (creator: object, all: readonly object[], more: object = {}) =>
		JSON.stringify({ log: { version: '1.2', creator, pages: [], entries: all, ...more } });
	switch (recorder) {
		case 'Chrome':
		case 'Chrome with sensitive data':
			return log(
				{ name: 'WebInspector', version: '537.36' },
				entries.map((entry) => chrome(entry, recorder === 'Chrome'))
			);
		case 'Firefox':
			return log({ name: 'Firefox', version: '144.0' }, entries, { browser: { name: 'Firefox', version: '144.0' } });
		case 'Safari':
			return log({ name: 'WebKit Web Inspector', version: '1.0' }, safari(entries));
		case 'Charles':
			return log({ name: 'Charles Proxy', version: '5.0' }, charles(entries));
		case 'Fiddler':
			return `\ufeff${log(
				{ name: 'Fiddler', version: '5.0', comment: '' },
				entries.map((entry) => ({ ...entry, startedDateTime: local(entry.startedDateTime) }))
			)}`;
		case 'mitmproxy':
			return log(
				{ name: 'mitmproxy', version: '12', comment: '' },
				entries.map((entry) => ({
					...entry,
					startedDateTime: entry.startedDateTime.replace('Z', '123+00:00'),
					serverIPAddress: '203.0.113.7'
				}))
			);
		case 'Playwright':
			return log(
				{ name: 'Playwright', version: '1.57' },
				entries.map((entry) =>
					entry.response.status === 0
						? { ...entry, response: { ...entry.response, status: -1, _failureText: 'net::ERR_FAILED' } }
						: entry
				),
				{ browser: { name: 'chromium', version: '141' } }
			);
	}
}
