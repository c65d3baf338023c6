import type { Journal, Message } from './events.ts';
import { maskBody, maskForm, maskHeader, maskUrl } from './mask.ts';
import { Problem } from './problems.ts';
import type { ServiceClock } from './service-clock.ts';

/** What the client sends. Everything is a string, so that it can be shown as it goes out. */
export type Outgoing = {
	readonly method?: 'GET' | 'POST';
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: URLSearchParams;
	readonly redirect?: 'manual' | 'follow';
	/** Stops it early. */
	readonly signal?: AbortSignal;
	/** The session that it is sent for, for the journal. */
	readonly session?: string;
};

/** The client's one way out. Rejects with `Problem('silence')` where no answer came, `Problem('stopped')` where it was stopped. */
export type Fetch = (address: string, outgoing?: Outgoing) => Promise<Response>;

/** What the wire tap needs of its host. */
export type WireTools = {
	/** The platform's own. */
	readonly fetch: (address: string, init: RequestInit) => Promise<Response>;
	readonly journal: Journal;
	readonly clock: ServiceClock;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
	/** A signal that aborts after so many milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
};

/** After so many milliseconds without an answer the service counts as silent. */
const patience = 15_000;
const shownHeaders = /^(?:content-type|date|cache-control|www-authenticate|allow|vary|x-request-id|x-ratelimit-.*)$/;
const shownBody = 16_384;

/**
 * A fetch that announces each request and each answer, and sets the service's clock by what it hears. Each answer is read
 * to its end, so that what arrives is known to be whole.
 * @param tools of the host
 */
export function wiretap(tools: WireTools): Fetch {
	const { journal, clock, now } = tools;
	let count = 0;
	return async (address, outgoing = {}) => {
		count += 1;
		const exchange = count;
		const { session, signal, ...rest } = outgoing;
		const whose = session === undefined ? {} : { session };
		const where = new URL(address).pathname;
		const method = outgoing.method ?? 'GET';
		journal.tell({
			kind: 'sent',
			what: `${method} ${where}`,
			message: requestMessage(exchange, address, outgoing),
			...whose
		});
		const sent = now();
		const limit = tools.timeout(patience);
		const stop = signal === undefined ? limit : AbortSignal.any([limit, signal]);
		try {
			const answer = await tools.fetch(address, { credentials: 'omit', cache: 'no-store', ...rest, signal: stop });
			const text = await answer.text();
			const received = now();
			clock.observe(answer.headers.get('date'), sent, received);
			const message = answerMessage(exchange, answer, text, received - sent);
			const what = `${String(answer.status)} from ${where}`;
			journal.tell({ kind: 'received', what, message, ...whose });
			return rebuilt(answer, text);
		} catch (thrown) {
			if (thrown instanceof Problem) throw thrown;
			const stopped = signal?.aborted === true;
			const waited = now() - sent;
			const said = thrown instanceof Error ? thrown.message : String(thrown);
			const what = stopped ? `Stopped waiting for ${where}` : `No answer from ${where}`;
			journal.tell({
				kind: stopped ? 'noticed' : 'failed',
				what,
				facts: [
					['after', `${String(waited)} ms`],
					['said', said]
				],
				section: '7',
				...whose
			});
			throw new Problem(stopped ? 'stopped' : 'silence', '', { cause: thrown });
		}
	};
}

function requestMessage(exchange: number, address: string, outgoing: Outgoing): Message {
	const headers = Object.entries(outgoing.headers ?? {});
	return {
		exchange,
		line: `${outgoing.method ?? 'GET'} ${maskUrl(address)}`,
		headers: headers.map(([name, value]) => [name, maskHeader(name, value)]),
		body: maskForm(outgoing.body?.toString() ?? '')
	};
}

function answerMessage(exchange: number, answer: Response, text: string, duration: number): Message {
	const requestId = answer.headers.get('x-request-id');
	return {
		exchange,
		line: String(answer.status),
		headers: [...answer.headers].filter(([name]) => shownHeaders.test(name)),
		body: maskBody(text).slice(0, shownBody),
		duration,
		...(requestId === null ? {} : { requestId })
	};
}

/** The same answer again, its body not yet read. */
function rebuilt(answer: Response, text: string): Response {
	// A redirect that was not followed has status 0: no endpoint of the service sends one to a program.
	if (answer.status < 200 || answer.status > 599) throw new Problem('unreadable', '', { status: answer.status });
	const empty = answer.status === 204 || answer.status === 205 || answer.status === 304;
	return new Response(empty ? null : text, { status: answer.status, headers: answer.headers });
}
