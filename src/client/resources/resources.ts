import type { Journal } from '../events.ts';
import type { Breaker } from '../manners/breaker.ts';
import type { LimitGate } from '../manners/limit-gate.ts';
import { pauseFor } from '../manners/throttle.ts';
import { Problem, problemOf } from '../problems.ts';
import type { Keeper } from '../tokens/keeper.ts';
import type { Sessions } from '../tokens/sessions.ts';
import type { Fetch } from '../wiretap.ts';
import type { XmlReader } from '../xml.ts';
import { errorOf, readAnswer, type Answer, type Format } from './answer.ts';
import type { Ledger } from './ledger.ts';

/** One call of a resource. */
export type Call = {
	readonly session: string;
	/** Absolute, without a credential. */
	readonly address: string;
	/** The pattern of the rate limits that it counts against. */
	readonly pattern: string;
	readonly format: Format;
	/** How the token travels (section 5.3). The query leaks into logs, histories and `Referer`. */
	readonly credential: 'header' | 'query';
	/** Skips throttle and waiting: for showing what happens without them. */
	readonly rude?: boolean;
	/** Told when it goes out: once more where the token was refused, and renewed. */
	readonly sent?: () => void;
	readonly signal?: AbortSignal;
};

/** What calling resources needs. */
export type ResourceTools = {
	readonly fetch: Fetch;
	readonly readXml: XmlReader;
	readonly keeper: Keeper;
	readonly sessions: Sessions;
	readonly ledger: Ledger;
	readonly gate: LimitGate;
	readonly breaker: Breaker;
	readonly journal: Journal;
	readonly serviceNow: () => number;
	/** Waits so many milliseconds; rejects when stopped. */
	readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
	/** Whether calls are spread out as the budget shrinks. */
	readonly throttles: () => boolean;
};

/** Calls resources as section 8.9 asks for: with a good token, in time with the budget, and silent when told so. */
export class Resources {
	readonly #tools: ResourceTools;

	constructor(tools: ResourceTools) {
		this.#tools = tools;
	}

	/**
	 * Calls a resource. A 401 is answered by one refresh and one more try, nothing else is tried again.
	 * @throws {Problem} the service's error code, or `rate_limit_exceeded` (with `until`), `silence`, `holding`, and those of `Keeper.token`
	 */
	async call(call: Call): Promise<Answer> {
		await this.#admit(call);
		const { keeper, sessions } = this.#tools;
		const token = await keeper.token(call.session);
		const first = await this.#send(call, token);
		if (first.status !== 401) return this.#judge(call, first);
		const again = await keeper.token(call.session, token);
		const second = await this.#send(call, again);
		if (second.status !== 401) return this.#judge(call, second);
		await sessions.end(call.session, 'refused_again');
		throw new Problem('refused_again', errorOf(second)?.message ?? '');
	}

	/** How long the next call would be held back, in milliseconds. */
	pause(pattern: string): number {
		const { ledger, serviceNow, throttles } = this.#tools;
		return throttles() ? pauseFor(ledger.meter(pattern), serviceNow()) : 0;
	}

	async #admit(call: Call): Promise<void> {
		const { journal, sleep } = this.#tools;
		this.#expectOpen(call);
		if (call.rude === true) return;
		const pause = this.pause(call.pattern);
		if (pause < 50) return;
		const facts = [['for', `${String(pause)} ms`]] as const;
		journal.tell({
			kind: 'waited',
			what: 'Holding the call back: the budget shrinks',
			facts,
			section: '8.9',
			session: call.session
		});
		await sleep(pause, call.signal);
		// Meanwhile the service may have fallen silent, or another call may have met the limit.
		this.#expectOpen(call);
	}

	#expectOpen({ rude, pattern }: Call): void {
		const { breaker, gate, serviceNow } = this.#tools;
		if (breaker.isOpen) throw new Problem('holding');
		const until = rude === true ? undefined : gate.closedUntil(pattern, serviceNow());
		if (until !== undefined) throw new Problem('rate_limit_exceeded', '', { until });
	}

	async #send(call: Call, token: string): Promise<Answer> {
		const { breaker, fetch, gate, ledger, readXml, serviceNow } = this.#tools;
		const { address, credential, format, session, signal } = call;
		const accept = format === 'xml' ? 'application/xml' : 'application/json';
		const inQuery = credential === 'query';
		const headers = inQuery ? { accept } : { accept, authorization: `OAuth ${token}` };
		const target = inQuery ? `${address}?access_token=${encodeURIComponent(token)}` : address;
		call.sent?.();
		try {
			const response = await fetch(target, { headers, session, ...(signal === undefined ? {} : { signal }) });
			breaker.heard();
			const answer = await readAnswer(response, readXml);
			if (answer.budget !== undefined) {
				ledger.observe(call.pattern, answer.budget, serviceNow());
				if (answer.budget.remaining > 0) gate.open(call.pattern);
			}
			return answer;
		} catch (thrown) {
			const problem = problemOf(thrown);
			if (problem.code === 'silence') breaker.silent();
			throw problem;
		}
	}

	#judge(call: Call, answer: Answer): Answer {
		const problem = errorOf(answer);
		if (problem === undefined) {
			if (answer.tree === undefined) throw new Problem('unreadable', '', { status: answer.status });
			return answer;
		}
		if (problem.code !== 'rate_limit_exceeded') throw problem;
		const { gate, journal, serviceNow } = this.#tools;
		const until = gate.close(call.pattern, answer.budget, serviceNow());
		const facts = [['until', new Date(until).toUTCString()]] as const;
		const what = 'This 400 is the rate limit, not a bad request: waiting for the reset';
		journal.tell({ kind: 'checked', what, facts, section: '3.3', session: call.session });
		throw new Problem(problem.code, problem.message, { status: answer.status, until });
	}
}
