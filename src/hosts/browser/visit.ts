import { headerValue } from '#wire/headers.ts';
import type { WireResult, WireResponse } from '#wire/message.ts';
import type { BrowserHost } from './host.ts';
import { stripBase } from '../msw/strip-base.ts';

/** What a person does in a page: opens an address, or sends a form. */
export type Step = {
	readonly method: 'GET' | 'POST';
	readonly url: URL;
	/** Of a form: its fields. */
	readonly fields?: URLSearchParams;
	/** Where the person came from: our own page, another site's, or an address that was typed. */
	readonly from: 'same-origin' | 'cross-site' | 'none';
};

/** What comes of it: a page to show, or an address to go to. */
export type Outcome =
	| { readonly kind: 'page'; readonly document: Document }
	| { readonly kind: 'text'; readonly text: string; readonly title: string }
	| { readonly kind: 'away'; readonly url: URL };

/**
 * Does what the browser does with an address of the service, when a server stands behind it: asks the service, and reads the answer.
 * @param base the path below which the application stands
 * @throws CookiesLost
 */
export async function visit(host: BrowserHost, step: Step, base: string): Promise<Outcome> {
	if (step.method === 'POST') host.stay();
	const answer = await host.navigate({
		method: step.method,
		target: stripBase(base, step.url.pathname + step.url.search),
		headers: headersOf(step),
		body: new TextEncoder().encode(step.fields?.toString() ?? ''),
		bodyTooLarge: false
	});
	return outcomeOf(answer, step.url);
}

function headersOf({ method, from }: Step): string[] {
	return [
		...['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
		...['User-Agent', navigator.userAgent, 'Accept-Language', navigator.languages.join(',')],
		...(method === 'POST' ? ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', location.origin] : []),
		...['Sec-Fetch-Site', from, 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document', 'Sec-Fetch-User', '?1']
	];
}

function outcomeOf(answer: WireResult, url: URL): Outcome {
	if (answer.kind === 'no_response') {
		return { kind: 'text', title: 'No response', text: 'The service closed the connection without an answer.' };
	}
	if (answer.kind === 'stream') {
		void answer.body[Symbol.asyncIterator]().return?.();
		return { kind: 'text', title: 'An event stream', text: 'A stream has no page: read it with a program.' };
	}
	const location = answer.status >= 300 && answer.status < 400 ? headerValue(answer.headers, 'location') : undefined;
	if (location !== undefined) return { kind: 'away', url: new URL(location, url) };
	return pageOf(answer, url);
}

function pageOf({ headers, body, status }: WireResponse, url: URL): Outcome {
	const type = headerValue(headers, 'content-type') ?? '';
	if (/^text\/html\b/i.test(type)) {
		return { kind: 'page', document: new DOMParser().parseFromString(body, 'text/html') };
	}
	return { kind: 'text', title: `${String(status)} ${url.pathname}`, text: body };
}
