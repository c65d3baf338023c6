import type { BoardRow, ClassRole, ClassView } from '#api/control/board.ts';
import type { Rule } from '#evidence/rule.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ServiceOptions } from '../core/options.ts';
import { activeFaults } from '../sandbox/faults.ts';
import type { SeatRecord } from '../sandbox/class-records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { TrafficListener } from '../traffic/traffic-log.ts';
import { classView, groupOf, noBoards, type OpenBoards } from './class-views.ts';
import type { Classes } from './classes.ts';
import { type Budget, maxEntries, quietInterval, SeatFold } from './fold-seat.ts';
import { mediansOf, stepOf } from './medians.ts';
import { heartbeatInterval } from '../traffic/sse-streams.ts';

/** How often the records of seats are read, in milliseconds. */
const recordInterval = 1000;
/** How often the signal of a seat is looked for at most, in milliseconds: at least, and for each seat of the class. */
const signalInterval = { least: 1000, perSeat: 30 } as const;
/** How many signals and report cards are made in one turn at most, so that a large class does not hold up the rows. */
const budgetOfTurn: Readonly<Budget> = { signals: 10, cards: 1 };
/** How many rows are made without a pause, when they have no new signal or card. */
const rowsInOne = 20;
/** How many streams a class has at most. */
const maxStreams = 20;
const minute = 60_000;

/** What the feed needs of the service. */
export type FeedSource = {
	readonly classes: Classes;
	readonly options: ServiceOptions;
	readonly findSandbox: (id: string) => Promise<Sandbox | undefined>;
	readonly rules: readonly Rule[];
};

/** A row as JSON, which all readers share. The objects of a row are garbage at once: a busy seat gets four rows a second. */
type WrittenRow = { readonly seat: number; readonly text: string };

type Watched = {
	record: SeatRecord;
	readonly sandbox: Sandbox;
	readonly fold: SeatFold;
	unsubscribe: () => void;
	isDirty: boolean;
	/** When its row was made. */
	made: number;
	isBlacklisted: boolean;
	written: WrittenRow | undefined;
};

/** The board of one class. It reads the traffic of the seats only while it has a reader. */
export class BoardFeed implements BoardSource {
	readonly #code: string;
	readonly #source: FeedSource;
	readonly #seats = new Map<number, Watched>();
	#numbers: ReadonlySet<number> = new Set();
	#readers = 0;
	#boards = noBoards;
	#groups = 0;
	#class: ClassView | undefined;
	#classText = '';
	#recordsRead = -Infinity;
	#rowsMade = -Infinity;
	#medians: ReadonlyMap<string, number> = new Map();
	#running: Promise<void> | undefined;

	constructor(code: string, source: FeedSource) {
		this.#code = code;
		this.#source = source;
	}

	/** Whether nothing reads it. */
	get isIdle(): boolean {
		return this.#readers === 0;
	}

	/** The class; undefined once it has ended. */
	get view(): ClassView | undefined {
		return this.#class;
	}

	/** The pages that follow it. */
	get boards(): OpenBoards {
		return this.#boards;
	}

	/** The text of the class, the same one until it changes. */
	get classText(): string {
		return this.#classText;
	}

	/** Since when the rows know the traffic: without Redis, logs are lost when the server stops. In milliseconds, real clock. */
	get since(): number {
		const { options, classes } = this.#source;
		const created = this.#class?.created ?? 0;
		return options.traffic === undefined ? Math.max(created, classes.started) : created;
	}

	hasSeat(number: number): boolean {
		return this.#numbers.has(number);
	}

	/** The rows, in the order of the seats. */
	get rows(): readonly WrittenRow[] {
		return [...this.#seats.values()].flatMap(({ written }) => written ?? []);
	}

	/**
	 * Opens a stream of server-sent events.
	 * @param page what follows it
	 * @throws ProtocolError `limit_reached`
	 */
	open(page: ClassRole | 'wall', onEnd: () => void): AsyncIterable<string> {
		if (this.#readers >= maxStreams)
			throw new ProtocolError('limit_reached', `This class has ${maxStreams} streams open. Close a board.`);
		this.#readers++;
		this.#countBoard(page, 1);
		const stream = new BoardStream(this, this.#source.options, () => {
			this.#countBoard(page, -1);
			this.release();
			onEnd();
		});
		return { [Symbol.asyncIterator]: () => stream };
	}

	#countBoard(page: ClassRole | 'wall', change: 1 | -1): void {
		const kind = `${page}s` as const;
		this.#boards = { ...this.#boards, [kind]: this.#boards[kind] + change };
		// Those who look see at once who else does.
		this.#recordsRead = -Infinity;
	}

	/** Reads once, for a single request. Call `release` afterwards. */
	async read(): Promise<void> {
		this.#readers++;
		await this.refresh();
	}

	/** Ends one use. The last one ends the subscriptions. */
	release(): void {
		this.#readers--;
		if (this.#readers > 0) return;
		for (const { unsubscribe } of this.#seats.values()) unsubscribe();
		this.#seats.clear();
		this.#recordsRead = this.#rowsMade = -Infinity;
	}

	/** Brings the rows up to date, at most four times a second for all readers together. */
	async refresh(): Promise<void> {
		// A stream that has just ended asks once more.
		if (this.isIdle) return;
		const now = this.#source.options.now();
		if (this.#running === undefined && now - this.#rowsMade < rowInterval && now >= this.#rowsMade) return;
		this.#running ??= this.#refresh(now).finally(() => (this.#running = undefined));
		await this.#running;
	}

	async #refresh(now: number): Promise<void> {
		const areRecordsDue = now - this.#recordsRead >= recordInterval || now < this.#recordsRead;
		if (areRecordsDue) await this.#readRecords(now);
		const due = [...this.#seats].filter(
			([, seat]) => seat.isDirty || now - seat.made >= quietInterval || seat.written === undefined
		);
		// The first rows of a reader are complete.
		const budget = this.#rowsMade === -Infinity ? { signals: due.length, cards: due.length } : { ...budgetOfTurn };
		// Those that got nothing of the budget of this turn are the first of the next one.
		due.sort(([, one], [, other]) => one.fold.judged - other.fold.judged);
		for (const [at, [number, seat]] of due.entries()) {
			// The last reader may have left in the meantime.
			if (this.isIdle) return;
			const { signals, cards } = budget;
			await this.#makeRow(number, seat, now, budget);
			// Requests go on between seats that took long.
			const isLong = budget.signals < signals || budget.cards < cards || at % rowsInOne === rowsInOne - 1;
			if (isLong) await this.#source.options.sleep(0);
		}
		this.#rowsMade = now;
	}

	async #readRecords(now: number): Promise<void> {
		const { classes, findSandbox } = this.#source;
		const record = await classes.find(this.#code);
		const seats = record === undefined ? [] : await classes.seats(this.#code);
		const { origin } = this.#source.options;
		this.#class = record && classView(this.#code, record, seats, this.#boards, origin, now);
		const groups = record?.groups ?? 0;
		if (groups !== this.#groups) for (const seat of this.#seats.values()) seat.isDirty = true;
		this.#groups = groups;
		const text = JSON.stringify(this.#class ?? null);
		if (text !== this.#classText) this.#classText = text;
		const medians = mediansOf(
			seats.map(([, seat]) => seat),
			now
		);
		this.#medians = medians;
		for (const [number, seat] of seats) {
			const known = this.#seats.get(number);
			if (known?.sandbox.id === seat.sandbox) {
				if (!isSame(known.record, seat) || known.isBlacklisted) known.isDirty = true;
				known.record = seat;
				continue;
			}
			// The number was given to another student.
			if (known !== undefined) this.#forget(number);
			const sandbox = await findSandbox(seat.sandbox);
			const watched = sandbox && (await this.#watch(number, seat, sandbox));
			// The last reader may have left in the meantime.
			if (this.isIdle) watched?.unsubscribe();
			else if (watched !== undefined) this.#seats.set(number, watched);
		}
		this.#numbers = new Set(seats.map(([number]) => number));
		for (const number of [...this.#seats.keys()]) if (!this.#numbers.has(number)) this.#forget(number);
		this.#recordsRead = now;
	}

	/** Stops to follow a seat until the records are read again. */
	#forget(number: number): void {
		this.#seats.get(number)?.unsubscribe();
		this.#seats.delete(number);
		this.#recordsRead = -Infinity;
	}

	async #watch(number: number, record: SeatRecord, sandbox: Sandbox): Promise<Watched> {
		const { options, rules } = this.#source;
		const known = new Set(sandbox.seed.world.applications.map(({ client_id }) => client_id));
		const isOwn = (client_id: string) => !known.has(client_id);
		const fold = new SeatFold(isOwn, () => sandbox.trafficLimits, rules);
		const seat: Watched = {
			...{ record, sandbox, fold, unsubscribe: () => undefined },
			...{ isDirty: true, made: -Infinity, isBlacklisted: false, written: undefined }
		};
		const earlier = await sandbox.traffic.after(0, maxEntries);
		// By the clock of the sandbox, which may have been moved since.
		fold.addEarlier(earlier, ({ at }) => Math.min(at - sandbox.state.offset, options.now()));
		// A class with full logs takes seconds to read. Requests go on between two seats.
		if (earlier.length > 0) await options.sleep(0);
		const add: TrafficListener = (exchange) => {
			fold.add(exchange, options.now());
			seat.isDirty = true;
		};
		seat.unsubscribe = sandbox.traffic.subscribe(add, earlier.at(-1)?.seq ?? 0, (event) => {
			// The log may have been kept, or not: it is read again.
			if (event === 'reset' && this.#seats.get(number) === seat) this.#forget(number);
		});
		return seat;
	}

	async #makeRow(number: number, seat: Watched, now: number, budget: Budget): Promise<void> {
		const { sandbox, fold, record } = seat;
		seat.isDirty = false;
		seat.made = now;
		await sandbox.load();
		// The log does not say when an address is unblocked.
		seat.isBlacklisted = fold.isBlacklisted && (await sandbox.store.list('blacklist_entry')).length > 0;
		const { base_url, state } = sandbox;
		const interval = Math.max(signalInterval.least, this.#seats.size * signalInterval.perSeat);
		const hasFaults = activeFaults(sandbox, this.#source.options).length > 0;
		const facts = { base_url, state, hasFaults, isBlacklisted: seat.isBlacklisted, now: sandbox.now() };
		const made = fold.row(number, record, facts, now, interval, budget);
		seat.isDirty ||= fold.isStale;
		const median = record.progress && this.#medians.get(stepOf(record.progress));
		const step = record.progress === undefined ? '' : stepOf(record.progress);
		const hasSignal = made.signal !== null && made.signal.id !== 'away';
		const before = fold.isEmpty && !hasSignal ? signalBefore(record, step, this.since) : undefined;
		const row: BoardRow = {
			...made,
			signal: before ?? made.signal,
			group: groupOf({ groups: this.#groups }, number, record),
			note: record.note ?? '',
			helped: record.helped ?? null,
			median: median === undefined ? null : Math.round(median / minute),
			blacklisted: seat.isBlacklisted
		};
		const text = JSON.stringify(row);
		if (text !== seat.written?.text) seat.written = { seat: number, text };
		const { signal } = row;
		const isStored = signal?.id === record.lastSignal?.id && step === (record.lastSignal?.step ?? step);
		if (before !== undefined || isStored) return;
		const changed = await this.#source.classes.changeSeat(this.#code, number, ({ lastSignal: _, ...stored }) => {
			if (signal === null) return stored;
			const signals = stored.signals.includes(signal.id) ? stored.signals : [...stored.signals, signal.id];
			return { ...stored, signals, lastSignal: { ...signal, requests: [], step, at: now } };
		});
		seat.record = changed ?? record;
	}
}

/**
 * What the board showed of a seat in this step before the server was restarted, and its log was gone.
 * @param since when the log begins, in milliseconds of the real clock
 */
function signalBefore({ lastSignal }: SeatRecord, now: string, since: number): BoardRow['signal'] | undefined {
	if (lastSignal === undefined || lastSignal.step !== now || lastSignal.at >= since) return undefined;
	const { step: _step, at: _at, ...signal } = lastSignal;
	return { ...signal, text: `${signal.text} Before the server was restarted.` };
}

/** Whether two versions of a seat lead to the same row. */
function isSame(one: SeatRecord, other: SeatRecord): boolean {
	return (
		one.label === other.label &&
		one.group === other.group &&
		one.note === other.note &&
		one.helped === other.helped &&
		one.hand === other.hand &&
		one.presence === other.presence &&
		one.program === other.program &&
		JSON.stringify(one.progress) === JSON.stringify(other.progress) &&
		one.done.length === other.done.length &&
		one.revealed.length === other.revealed.length
	);
}

/** How often rows are made of new exchanges, in milliseconds. */
const rowInterval = 250;

/** What a stream reads. */
type BoardSource = {
	/** Undefined once the class has ended. */
	readonly view: object | undefined;
	/** The class as JSON, the same text until it changes. */
	readonly classText: string;
	/** Since when the rows know the traffic, in milliseconds of the real clock. */
	readonly since: number;
	/** The rows as JSON, the same text until they change. */
	readonly rows: readonly { readonly seat: number; readonly text: string }[];
	readonly hasSeat: (number: number) => boolean;
	/** Brings all of it up to date. */
	readonly refresh: () => Promise<void>;
};

/** One reader of a board: server-sent events with what has changed since the event before. */
class BoardStream implements AsyncIterator<string> {
	readonly #feed: BoardSource;
	readonly #options: Pick<ServiceOptions, 'now' | 'sleep'>;
	readonly #onEnd: () => void;
	readonly #sent = new Map<number, string>();
	#sentClass = '';
	#lastEvent: number;
	#isFirst = true;
	#isOver = false;

	constructor(feed: BoardSource, options: Pick<ServiceOptions, 'now' | 'sleep'>, onEnd: () => void) {
		this.#feed = feed;
		this.#options = options;
		this.#onEnd = onEnd;
		this.#lastEvent = options.now();
	}

	async next(): Promise<IteratorResult<string>> {
		while (!this.#isOver) {
			if (!this.#isFirst) await this.#options.sleep(rowInterval);
			await this.#feed.refresh();
			const text = this.#news();
			if (text !== '') return { done: false, value: text };
		}
		return { done: true, value: undefined };
	}

	return(): Promise<IteratorResult<string>> {
		this.#end();
		return Promise.resolve({ done: true, value: undefined });
	}

	#end(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#onEnd();
	}

	/** The next events; empty without news, and after the end. */
	#news(): string {
		if (this.#isOver) return '';
		const { view, classText, since } = this.#feed;
		if (view === undefined) {
			this.#end();
			return 'event: ended\ndata: {}\n\n';
		}
		const changed = this.#feed.rows.filter(({ seat, text }) => this.#sent.get(seat) !== text);
		for (const { seat, text } of changed) this.#sent.set(seat, text);
		const removed = [...this.#sent.keys()].filter((seat) => !this.#feed.hasSeat(seat));
		for (const seat of removed) this.#sent.delete(seat);
		const ofClass = classText === this.#sentClass ? '' : `event: class\ndata: ${classText}\n\n`;
		this.#sentClass = classText;
		const rows = changed.map(({ text }) => text).join(',');
		const isSame = changed.length === 0 && removed.length === 0 && !this.#isFirst;
		const ofRows = isSame
			? ''
			: `event: rows\ndata: {"since":${since},"rows":[${rows}],"removed":${JSON.stringify(removed)}}\n\n`;
		this.#isFirst = false;
		const now = this.#options.now();
		const isQuiet = ofClass === '' && ofRows === '';
		if (isQuiet && now - this.#lastEvent < heartbeatInterval) return '';
		this.#lastEvent = now;
		return isQuiet ? ': still here\n\n' : ofClass + ofRows;
	}
}
