import { watchRecorder, type HarContent } from './har-reading.ts';

/**
 * A content as HAR 1.2. Labels are in place of all secrets. The digests of codes, states and tokens are beside them, so that the file
 * can be added to that of a browser.
 */
export function toWatchHar({ exchanges }: Pick<HarContent, 'exchanges'>, version: string): object {
	const values = new Map<string, object>();
	for (const { entry, tokens } of exchanges)
		for (const { label, id } of entry.values) {
			const claims = tokens.find((one) => one.label === label)?.claims;
			const isKnown = id === label && claims === undefined;
			if (!values.has(label) && !isKnown) values.set(label, { id, ...claims });
		}
	return {
		log: {
			version: '1.2',
			creator: { name: watchRecorder, version },
			_tollgate: { values: Object.fromEntries(values) },
			entries: exchanges.map(({ entry: { at, duration, request, response }, origin }) => ({
				startedDateTime: new Date(at - duration).toISOString(),
				time: duration,
				request: {
					method: request.method,
					url: origin + request.target.replace(/[^\x21-\x7e]|[[\]]/gu, encodeURIComponent),
					httpVersion: 'HTTP/1.1',
					cookies: [],
					headers: request.headers.map(pair),
					queryString: [],
					headersSize: -1,
					bodySize: request.body.length,
					...(request.body === '' ? {} : { postData: { mimeType: headerOf(request.headers), text: request.body } })
				},
				response: {
					status: response?.status ?? 0,
					statusText: '',
					httpVersion: 'HTTP/1.1',
					cookies: [],
					headers: response?.headers.map(pair) ?? [],
					content: {
						size: response?.body.length ?? 0,
						mimeType: headerOf(response?.headers ?? []),
						text: response?.body ?? ''
					},
					redirectURL: '',
					headersSize: -1,
					bodySize: -1
				},
				cache: {},
				timings: { send: 0, wait: duration, receive: 0 }
			}))
		}
	};
}

const pair = ([name, value]: readonly [string, string]) => ({ name, value });

const headerOf = (headers: readonly (readonly [string, string])[]) =>
	headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
