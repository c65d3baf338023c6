import { watchRecorder } from './har-reading.ts';
import { fieldOf, isObject, listOf, numberOf, parseObject, textOf } from './json-fields.ts';

export type Pair = readonly [name: string, value: string];

/** One request of a file as it was recorded, with its secrets. It never leaves this folder. */
export type RawExchange = {
	/** Its number in the file, from 1. */
	readonly position: number;
	readonly method: string;
	/** `https://auth.example`. */
	readonly origin: string;
	readonly host: string;
	/** Percent-encoded, begins with a slash. */
	readonly path: string;
	readonly query: readonly Pair[];
	/** Parameters behind a hash, as in `#access_token=…`. */
	readonly fragment: readonly Pair[];
	readonly requestHeaders: readonly Pair[];
	readonly requestBody: string;
	/** Parameters of a form or of a JSON body. */
	readonly form: readonly Pair[];
	/** 0: no response. */
	readonly status: number;
	readonly responseHeaders: readonly Pair[];
	/** Media type in lower case, without parameters. */
	readonly responseType: string;
	readonly responseBody: string;
	readonly location: string;
	/** Whether the response has a body that the recorder left out. */
	readonly isBodyLeftOut: boolean;
	/** When it began, in Unix milliseconds. */
	readonly begin: number;
	/** Milliseconds. */
	readonly duration: number;
	/** What recorded it: `watch` of a client, or another program. */
	readonly source: 'file' | 'watch';
	/** Whether a browser sent it. */
	readonly isBrowser: boolean;
	/** Whether it has only a picture, a style, a script or a font. */
	readonly isAsset: boolean;
};

/** The longest body that is looked at, in characters. */
const longestBody = 200_000;
/** The longest URL, header or parameter. */
const longestText = 16_384;
const mostPairs = 200;
const decoder = new TextDecoder();

/** The value of the first pair of a name. @param name in lower case */
export function valueIn(pairs: readonly Pair[], name: string): string | undefined {
	return pairs.find(([found]) => found.toLowerCase() === name)?.[1];
}

/** The pairs of a query or a form, decoded. */
export function pairsOf(text: string): Pair[] {
	return text === '' ? [] : [...new URLSearchParams(text)].slice(0, mostPairs);
}

/** The parts of an absolute URL. Undefined where it is none, or not of HTTP. */
export function splitUrl(
	text: string
): Pick<RawExchange, 'origin' | 'host' | 'path' | 'query' | 'fragment'> | undefined {
	const found = /^(https?):\/\/(?:[^/?#]*@)?([^/?#\s@]{1,300})([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is.exec(
		text.slice(0, longestText)
	);
	if (found === null) return undefined;
	const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = found;
	const host = authority.toLowerCase().replace(scheme.toLowerCase() === 'https' ? /:443$/ : /:80$/, '');
	if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/.test(host)) return undefined;
	return {
		origin: `${scheme.toLowerCase()}://${host}`,
		host,
		path: path === '' ? '/' : path,
		query: pairsOf(query),
		fragment: fragment.includes('=') ? pairsOf(fragment) : []
	};
}

/** Headers as a list of objects (HAR) or as one object (other recorders). Pseudo headers of HTTP/2 are left out. */
function headersOf(message: unknown): Pair[] {
	const given = fieldOf(message, 'headers');
	const pairs: Pair[] = Array.isArray(given)
		? listOf(message, 'headers').map((header) => [textOf(header, 'name'), textOf(header, 'value')])
		: isObject(given)
			? Object.keys(given).map((name) => [name, textOf(given, name)])
			: [];
	return pairs
		.filter(([name]) => name !== '' && !name.startsWith(':'))
		.slice(0, mostPairs)
		.map(([name, value]) => [name.slice(0, 200), value.slice(0, longestText)]);
}

/** The body of a request: its text, or what Charles writes in its place, the parameters. */
function sentBody(request: unknown): string {
	const text = textOf(request, 'postData', 'text').slice(0, longestBody);
	if (text !== '') return text;
	const form = new URLSearchParams();
	for (const one of listOf(request, 'postData', 'params').slice(0, mostPairs))
		form.append(decoded(textOf(one, 'name')), decoded(textOf(one, 'value').slice(0, longestText)));
	return form.toString();
}

/** Some recorders write parameters encoded. */
function decoded(text: string): string {
	if (!/%[\da-f]{2}/i.test(text)) return text;
	try {
		return decodeURIComponent(text.replaceAll('+', ' '));
	} catch {
		return text;
	}
}

function receivedBody(content: unknown): string {
	const text = textOf(content, 'text').slice(0, longestBody);
	if (textOf(content, 'encoding').toLowerCase() !== 'base64' || text === '') return text;
	try {
		const bytes = atob(text.slice(0, text.length - (text.length % 4)));
		return decoder.decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)));
	} catch {
		return '';
	}
}

/** When a request began. Fiddler writes seven digits of a second, which not all engines read. */
function beginOf(entry: unknown): number {
	const text = textOf(entry, 'startedDateTime').replace(/(\.\d{3})\d+/, '$1');
	const at = Date.parse(text);
	return Number.isFinite(at) && at > 0 && at < 8e15 ? at : 0;
}

/** Whether readers look for the body of a response: that of a redirect says nothing. */
const isBodyStatus = (status: number) => status >= 200 && (status < 300 || status >= 400);
const mediaType = (text: string) => (text.split(';', 1)[0] ?? '').trim().toLowerCase().slice(0, 100);
const assetType = /^(?:image|font|video|audio)\/|^text\/css$|javascript$|^application\/(?:font|wasm|x-font)/;
const assetPath = /\.(?:png|jpe?g|gif|svg|ico|css|m?js|woff2?|ttf|map|webp|wasm|mp4)$/i;
const assetKinds = /^(?:image|stylesheet|script|font|media|beacon|ping|websocket|manifest)$/i;

/** A request of a file in one form, whatever recorded it. Undefined where it is no HTTP request. */
export function rawExchangeOf(entry: unknown, position: number, recorder: string): RawExchange | undefined {
	const request = fieldOf(entry, 'request');
	const response = fieldOf(entry, 'response');
	const url = splitUrl(textOf(request, 'url'));
	if (url === undefined) return undefined;
	const content = fieldOf(response, 'content');
	const responseHeaders = headersOf(response);
	const responseType = mediaType(valueIn(responseHeaders, 'content-type') ?? textOf(content, 'mimeType'));
	const kind = textOf(entry, '_resourceType') || textOf(entry, '_type');
	const isAsset = assetKinds.test(kind) || assetType.test(responseType) || assetPath.test(url.path);
	const requestHeaders = headersOf(request);
	const requestBody = isAsset ? '' : sentBody(request);
	const requestType = mediaType(valueIn(requestHeaders, 'content-type') ?? textOf(request, 'postData', 'mimeType'));
	const responseBody = isAsset ? '' : receivedBody(content);
	const status = numberOf(response, 'status') ?? 0;
	const isKnownStatus = Number.isInteger(status) && status >= 100 && status <= 599;
	return {
		position,
		...url,
		method: (/^[a-z]{1,20}$/i.exec(textOf(request, 'method'))?.[0] ?? 'GET').toUpperCase(),
		requestHeaders,
		requestBody,
		form: formOf(requestBody, requestType),
		status: isKnownStatus ? status : 0,
		responseHeaders,
		responseType,
		responseBody,
		location: (valueIn(responseHeaders, 'location') ?? textOf(response, 'redirectURL')).slice(0, longestText),
		isBodyLeftOut: responseBody === '' && isBodyStatus(status) && (numberOf(content, 'size') ?? 0) > 0,
		begin: beginOf(entry),
		duration: Math.min(Math.max(0, numberOf(entry, 'time') ?? 0), 86_400_000),
		source: recorder === watchRecorder ? 'watch' : 'file',
		isBrowser:
			valueIn(requestHeaders, 'user-agent')?.startsWith('Mozilla/') === true ||
			kind + textOf(entry, '_fetchType') !== '',
		isAsset
	};
}

/** The parameters of a body: of a form, or the texts and numbers of a JSON object. */
export function formOf(body: string, type: string): Pair[] {
	if (body === '') return [];
	if (/json/.test(type) || /^\s*\{/.test(body)) {
		const content = parseObject(body) ?? {};
		return Object.keys(content)
			.slice(0, mostPairs)
			.map((name) => [name, textOf(content, name)]);
	}
	if (type.startsWith('multipart/')) return multipartPairs(body);
	const looksLikeForm = /^[^\s=&<>{}]{1,200}=/.test(body);
	return type === 'application/x-www-form-urlencoded' || (looksLikeForm && !type.startsWith('text/html'))
		? pairsOf(body)
		: [];
}

function multipartPairs(body: string): Pair[] {
	const part = /name="([^"\r\n]{1,200})"[^\r\n]{0,200}\r?\n(?:[^\r\n]{1,200}\r?\n){0,5}\r?\n([^\r\n]*)/g;
	return [...body.matchAll(part)].slice(0, mostPairs).map(([, name = '', value = '']) => [name, value]);
}
