/** A request of a made HAR file. `at` is in seconds after the start of the file. */
export type MadeEntry = {
	at: number;
	method?: string;
	url: string;
	headers?: Record<string, string>;
	form?: Record<string, string>;
	json?: unknown;
	status?: number;
	responseHeaders?: Record<string, string>;
	location?: string;
	html?: string;
	body?: unknown;
	extra?: object;
	/** The recorder knows that there was a body, and lost it. Chrome does so after a navigation. */
	lostBody?: boolean;
};

export const start = Date.UTC(2026, 10, 24, 9, 12, 4);
const browserAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36';

const pairs = (record: Record<string, string>) => Object.entries(record).map(([name, value]) => ({ name, value }));

export function madeEntry({
	at,
	method,
	url,
	headers = {},
	form,
	json,
	status = 200,
	responseHeaders = {},
	location,
	html,
	body,
	extra,
	lostBody = false
}: MadeEntry) {
	const asJson = json === undefined ? undefined : JSON.stringify(json);
	const sent = form === undefined ? asJson : new URLSearchParams(form).toString();
	const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
	const text = html ?? (typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
	const mimeType = responseHeaders['content-type'] ?? (html === undefined ? 'application/json' : 'text/html');
	return {
		startedDateTime: new Date(start + at * 1000).toISOString(),
		time: 40,
		request: {
			method: method ?? (sent === undefined ? 'GET' : 'POST'),
			url,
			headers: pairs({
				'user-agent': browserAgent,
				...(sent === undefined ? {} : { 'content-type': type }),
				...headers
			}),
			...(sent === undefined ? {} : { postData: { mimeType: type, text: sent } })
		},
		response: {
			status,
			headers: pairs({
				...(text === '' ? {} : { 'content-type': mimeType }),
				...(location === undefined ? {} : { location }),
				...responseHeaders
			}),
			content: { size: text.length, mimeType, ...(lostBody ? {} : { text }) },
			redirectURL: location ?? ''
		},
		...extra
	};
}

/** The text of a HAR file. */
export function makeHar(entries: readonly MadeEntry[], creator = 'WebInspector'): string {
	return JSON.stringify({
		log: { version: '1.2', creator: { name: creator, version: '1' }, entries: entries.map(madeEntry) }
	});
}
