import { Browser } from '#exam/browser.ts';

export const baseUrl = 'https://service.test/~box';
export const client = 'http://localhost:3000';

/** A response of a client, in a test. `type`: null for none. Default: HTML. */
export type Reply = { status?: number; location?: string; cookies?: string[]; body?: BodyInit; type?: string | null };
type Sent = { url: string; method: string; cookie: string | null; form: string };

/** A browser whose requests get these replies, by URL, and what it sent. */
export function browse(replies: Readonly<Record<string, Reply | 'no response' | 'never'>>, origins = [client]) {
	const sent: Sent[] = [];
	const clock = { now: 1_795_255_200_000 };
	const fetch = async (url: string, init: RequestInit): Promise<Response> => {
		const headers = new Headers(init.headers);
		const form = init.body instanceof URLSearchParams ? init.body.toString() : '';
		sent.push({ url, method: init.method ?? 'GET', cookie: headers.get('cookie'), form });
		const reply = replies[url] ?? { status: 404 };
		if (reply === 'no response') throw new TypeError('fetch failed');
		if (reply === 'never')
			return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
		const sentBack = new Headers();
		if (reply.location !== undefined) sentBack.set('location', reply.location);
		for (const cookie of reply.cookies ?? []) sentBack.append('set-cookie', cookie);
		if (reply.type !== null) sentBack.set('content-type', reply.type ?? 'text/html');
		return new Response(reply.body ?? '', {
			status: reply.location === undefined ? (reply.status ?? 200) : 303,
			headers: sentBack
		});
	};
	const options = { baseUrl, origins, fetch, now: () => clock.now, timeout: () => AbortSignal.timeout(20) };
	return { browser: new Browser(options), options, sent, clock };
}
