import type { BoardRow } from '#api/control/board.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { kindOf } from '#evidence/facts.ts';
import { evaluateRules, type Rule } from '#evidence/rule.ts';
import { buildRun, clientsIn, ofClient } from '#evidence/run.ts';
import { findSignal } from '#evidence/signals/find-signal.ts';
import type { SeatFacts } from '#evidence/signals/signal.ts';
import { failedLine, isClientRequest, isOfOwnClient, outlineOf } from '#evidence/signals/step-log.ts';
import type { SeatRecord } from '../sandbox/class-records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { exchangeOf, type LoggedExchange } from '../traffic/logged-exchange.ts';
import type { TrafficLimits } from '../traffic/traffic-log.ts';

/** How many entries of the log of a seat are read at most. */
export const maxEntries = 200;
const minute = 60_000;
/** How long after its last use a seat is active, and how long quiet, in milliseconds. */
const presenceLimits = { active: minute, quiet: 5 * minute } as const;

/** How often time alone is looked at, in milliseconds. */
export const quietInterval = 5000;
/** How much rarer the signal is looked for where nothing but time has changed. */
const quietFactor = 6;
/** How many exchanges are read between two rows when they arrive. */
const maxReadAtOnce = 4;
/** How much rarer the report card is made than the signal. It looks at more. */
const cardFactor = 5;

type Card = NonNullable<BoardRow['card']>;

/**
 * An exchange, and when it arrived. A class, because V8 learns of the objects of a literal that they live long, as they do until the
 * logs are full. From then on it would place those of a busy seat among its old objects, where each keeps a text of kilobytes until
 * the whole heap is collected.
 */
class Arrival {
	readonly exchange: LoggedExchange;
	/** Milliseconds, real clock. */
	readonly at: number;
	#outline: LoggedExchange | undefined;

	constructor(exchange: LoggedExchange, at: number) {
		this.exchange = exchange;
		this.at = at;
	}

	/** Its outline, which signals read in place of it, in a fifth of the time. */
	get outline(): LoggedExchange {
		return this.#outline ?? this.write(this.exchange.entry());
	}

	/** Writes it and its outline as texts: most exchanges of a busy seat are gone before the seat is judged. */
	write(entry: TrafficEntry): LoggedExchange {
		this.exchange.text();
		return (this.#outline = exchangeOf(outlineOf(entry)));
	}
}

/** How many signals and report cards may still be made now. Each takes milliseconds. */
export type Budget = { signals: number; cards: number };

/** What a sandbox shows besides its log, and its clock in milliseconds. */
export type SandboxFacts = Pick<Sandbox, 'base_url' | 'state'> &
	Required<Pick<SeatFacts, 'isBlacklisted' | 'hasFaults'>> & { readonly now: number };

/** What the board derives of the traffic of one seat, exchange by exchange. */
export class SeatFold {
	readonly #kept: Arrival[] = [];
	/** How much text they have, about. */
	#size = 0;
	/** How many have arrived since the last row. */
	#arrived = 0;
	readonly #ownClients: (client_id: string) => boolean;
	readonly #rules: readonly Rule[];
	readonly #limits: () => TrafficLimits;
	#client: BoardRow['client'] = null;
	#budget: BoardRow['budget'] = null;
	#last: BoardRow['last'] = null;
	#isBlacklisted = false;
	/** When the step of the last row began, and the last entry before it. */
	#since: number | undefined;
	#after = 0;
	/** What the sandbox showed besides its log when the last row was made. */
	#shown = '';
	#isStale = false;
	readonly #signal = new SpacedJudgment<BoardRow['signal']>(null);
	readonly #card = new SpacedJudgment<BoardRow['card']>(null);

	/**
	 * @param isOwn whether a client_id is not one of the world, so that the student has registered it
	 * @param limits how much the log keeps now: what it has dropped is not kept here either
	 * @param rules of the report card
	 */
	constructor(isOwn: (client_id: string) => boolean, limits: () => TrafficLimits, rules: readonly Rule[] = []) {
		this.#ownClients = isOwn;
		this.#limits = limits;
		this.#rules = rules;
	}

	/**
	 * Adds what the log has already.
	 * @param arrivalOf when an exchange arrived, in milliseconds of the real clock
	 */
	addEarlier(exchanges: readonly LoggedExchange[], arrivalOf: (entry: TrafficEntry) => number): void {
		for (const exchange of exchanges) {
			const entry = exchange.entry();
			this.#keep(exchange, arrivalOf(entry), entry);
		}
	}

	/**
	 * Adds an exchange. Of the hundreds that a busy seat gets between two rows, only some are read at once, and the newest one of a
	 * client with the row. The others are read with the signal.
	 * @param at when it arrived, in milliseconds of the real clock
	 */
	add(exchange: LoggedExchange, at: number): void {
		this.#arrived++;
		this.#keep(exchange, at, this.#arrived > maxReadAtOnce ? undefined : exchange.entry());
	}

	#keep(exchange: LoggedExchange, at: number, entry?: TrafficEntry): void {
		const arrival = new Arrival(exchange, at);
		this.#kept.push(arrival);
		this.#size += exchange.size;
		const { entries, characters } = this.#limits();
		while (this.#kept.length > Math.min(entries, maxEntries) || (this.#size > characters && this.#kept.length > 1))
			this.#size -= this.#kept.shift()?.exchange.size ?? 0;
		if (entry !== undefined) {
			arrival.write(entry);
			this.#read(entry, at);
		}
	}

	/** Reads the newest exchange of a client, if it was not read when it arrived. */
	#readNewest(): void {
		const unread = this.#arrived > maxReadAtOnce ? this.#kept.slice(maxReadAtOnce - this.#arrived) : [];
		this.#arrived = 0;
		const newest = unread.findLast(({ exchange }) => isClientRequest(exchange.entry())) ?? unread.at(-1);
		if (newest !== undefined) this.#read(newest.exchange.entry(), newest.at);
	}

	#read(entry: TrafficEntry, at: number): void {
		this.#signal.isStale = this.#card.isStale = true;
		this.#last = lastOf(entry, at) ?? this.#last;
		this.#isBlacklisted = entry.response === null && failedLine(entry)?.id === 'address.not_blacklisted';
		this.#budget = budgetOf(entry) ?? this.#budget;
		this.#readProgress(entry);
	}

	#readProgress(entry: TrafficEntry): void {
		if (this.#client !== 'own') this.#client = this.#clientOf(entry) ?? this.#client;
	}

	/** Whether it knows no exchange: nothing was sent, or the log is that of a restarted server. */
	get isEmpty(): boolean {
		return this.#kept.length === 0;
	}

	/** Whether the last exchange got no response because of the blacklist. */
	get isBlacklisted(): boolean {
		this.#readNewest();
		return this.#isBlacklisted;
	}

	/** When its signal was looked for, in milliseconds of the real clock. */
	get judged(): number {
		return this.#signal.made;
	}

	/** Whether the last row has an older signal than the traffic, or a card that is due. */
	get isStale(): boolean {
		return this.#isStale;
	}

	/**
	 * The row of the seat.
	 * @param now milliseconds, real clock
	 * @param interval how often the signal is looked for at most, in milliseconds
	 * @param budget what is made is taken from it. Without it, the row has the signal and the card of before
	 */
	row(
		number: number,
		seat: SeatRecord,
		{ base_url, state, isBlacklisted, hasFaults, now: sandboxNow }: SandboxFacts,
		now: number,
		interval: number,
		budget: Budget
	): Omit<BoardRow, 'median' | 'blacklisted' | 'group' | 'note' | 'helped'> {
		this.#readNewest();
		const { label, joined, progress, hand, done, revealed } = seat;
		const since = progress?.since ?? joined;
		const idle = Math.max(0, now - Math.max(seat.presence, this.#kept.at(-1)?.at ?? 0));
		const presence = presenceOf(idle);
		const shown = `${isBlacklisted} ${hasFaults}`;
		if (shown !== this.#shown) this.#signal.isStale = true;
		this.#shown = shown;
		if (since !== this.#since) this.#beginStep(since);
		else if (now - this.#signal.made >= Math.max(quietInterval, quietFactor * interval)) this.#signal.isStale = true;
		const shown_steps = Object.keys(progress?.shown ?? {});
		const of = progress?.of ?? 0;
		const facts = {
			...{ after: this.#after, presence, inStep: now - since, client: this.#client ?? undefined },
			...{ isDone: progress?.is_done ?? false, shown: shown_steps.length, of },
			...{ isBlacklisted, hasFaults, isOwn: this.#ownClients },
			...(progress === undefined ? {} : { lesson: progress.lesson }),
			...(progress?.miss === undefined ? {} : { miss: progress.miss })
		};
		if (budget.signals > 0 && this.#signal.isDue(now, interval)) {
			budget.signals--;
			const outlines = this.#outlinesFrom(0);
			for (const outline of outlines) if (outline.seq > this.#after) this.#readProgress(outline);
			this.#signal.make(now, signalOf(outlines, facts, sandboxNow));
		}
		const hasCard = this.#client === 'own';
		const isCardDue = hasCard && this.#card.isDue(now, cardFactor * interval);
		if (isCardDue && budget.cards > 0) {
			budget.cards--;
			const entries = this.#kept.map(({ exchange }) => exchange.entry());
			this.#card.make(now, cardOf(entries, this.#rules));
		}
		this.#isStale = this.#signal.isStale || (isCardDue && this.#card.isStale);
		return {
			...{ seat: number, label, base_url, joined, presence, shown_steps, of },
			lesson: progress?.lesson ?? null,
			step: progress?.step ?? 0,
			done: done.length,
			is_done: facts.isDone,
			shown: shown_steps.length,
			minutes: Math.floor((now - since) / minute),
			idle: Math.floor(idle / minute),
			client: this.#client,
			last: this.#last,
			signal: this.#signal.last,
			budget: this.#budget,
			card: hasCard ? this.#card.last : null,
			hand: hand === undefined ? null : { since: hand },
			prediction: progress?.prediction ?? null,
			revealed: progress !== undefined && revealed.includes(progress.lesson),
			program: seat.program ?? null,
			offset: state.offset
		};
	}

	#outlinesFrom(first: number): TrafficEntry[] {
		return this.#kept.slice(first).map(({ outline }) => outline.entry());
	}

	#beginStep(since: number): void {
		this.#since = since;
		const first = this.#kept.findLastIndex(({ at }) => at < since) + 1;
		this.#after = this.#kept[first - 1]?.exchange.seq ?? 0;
		this.#signal.forget();
	}

	#clientOf(entry: TrafficEntry): BoardRow['client'] | undefined {
		if (isOfOwnClient(entry, this.#ownClients)) return 'own';
		return kindOf(entry) === 'other' ? undefined : 'viewer';
	}
}

function signalOf(entries: readonly TrafficEntry[], facts: SeatFacts, now: number): BoardRow['signal'] {
	const signal = findSignal(entries, facts, now);
	return signal && { ...signal, requests: [...signal.requests], text: sanitizeText(signal.text, 300) };
}

function presenceOf(idle: number): BoardRow['presence'] {
	if (idle < presenceLimits.active) return 'active';
	return idle < presenceLimits.quiet ? 'quiet' : 'away';
}

/** The report card of the client that sent the most requests. */
export function findingsOf(
	entries: readonly TrafficEntry[],
	rules: readonly Rule[]
): { rule: string; verdict: string }[] {
	const [client] = clientsIn(entries);
	if (client === undefined) return [];
	const findings = evaluateRules(rules, buildRun(ofClient(entries, client)));
	return findings.map(({ rule, verdict }) => ({ rule, verdict }));
}

function cardOf(entries: readonly TrafficEntry[], rules: readonly Rule[]): Card {
	const findings = findingsOf(entries, rules);
	const count = (wanted: string) => findings.filter(({ verdict }) => verdict === wanted).length;
	return { failed: count('failed'), not_shown: count('not_shown') };
}

/** What a row says of an exchange. Undefined for one that is not a client's. */
function lastOf(entry: TrafficEntry, at: number): BoardRow['last'] | undefined {
	if (!isClientRequest(entry)) return undefined;
	const line = failedLine(entry);
	return {
		text: textOf(entry),
		at,
		request: entry.id,
		...(line === undefined ? {} : { check: line.id }),
		...(line?.cause === undefined ? {} : { cause: line.cause })
	};
}

/** The rate limit that a response tells. */
function budgetOf({ response }: TrafficEntry): BoardRow['budget'] {
	const valueOf = (name: string) =>
		Number(response?.headers.find(([sent]) => sent.toLowerCase() === name)?.[1] ?? Number.NaN);
	const [remaining, limit] = [valueOf('x-ratelimit-remaining'), valueOf('x-ratelimit-limit')];
	return Number.isFinite(remaining) && Number.isFinite(limit) ? { remaining, limit } : null;
}

/** An exchange in one line: `token: invalid_grant. The code was already used.` */
function textOf(entry: TrafficEntry): string {
	const { endpoint, response } = entry;
	if (response === null) return `${endpoint}: no response`;
	const [, error] = /"error"\s*:\s*"(\w{1,60})"/.exec(response.body) ?? [];
	const detail = failedLine(entry)?.detail ?? '';
	return sanitizeText(`${endpoint}: ${error ?? response.status}${detail === '' ? '' : `. ${detail}`}`, 200);
}

/** A judgment of the traffic, which is made again only after a while, because a busy seat changes it many times a second. */
class SpacedJudgment<T> {
	made = -Infinity;
	isStale = true;
	last: T;
	readonly #nothing: T;

	constructor(nothing: T) {
		this.#nothing = this.last = nothing;
	}

	/** @param interval how long the last one is good enough, in milliseconds */
	isDue(now: number, interval: number): boolean {
		return this.isStale && (now - this.made >= interval || now < this.made);
	}

	make(now: number, judgment: T): void {
		this.made = now;
		this.isStale = false;
		this.last = judgment;
	}

	forget(): void {
		this.made = -Infinity;
		this.isStale = true;
		this.last = this.#nothing;
	}
}
