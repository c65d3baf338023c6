import * as v from 'valibot';
import { boardRow, classView, type BoardRow, type ClassRole, type ClassView } from '#api/control/board.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import { SharedStream } from '#client/control-api/shared-stream.ts';
import type { EventStream } from '#client/control-api/stream-environment.ts';
import { RealNames } from './real-names.svelte.ts';
import { clustersOf, countRows, orderRows, type Cluster, type CountedState } from './seat-state.ts';

/** How long rows keep their places at most, in milliseconds. */
const orderInterval = 5_000;
/** Time until the next attempt after a failure, in milliseconds. */
const retryDelay = 3_000;

const rowsEvent = v.object({
	since: v.number(),
	rows: v.array(boardRow),
	removed: v.optional(v.array(v.number()), [])
});

/** What the board needs of its browser. Tests pass their own. */
export type BoardEnvironment = {
	readonly openStream: (url: string) => EventStream;
	/** In milliseconds. */
	readonly now: () => number;
	readonly wait: (run: () => void, milliseconds: number) => ReturnType<typeof setTimeout>;
};

const browserBoard: BoardEnvironment = {
	openStream: (url) => new SharedStream(url),
	now: () => Date.now(),
	wait: (run, milliseconds) => setTimeout(run, milliseconds)
};

/** A class as its board shows it, followed live. */
export class Board {
	/**
	 * `closed`: the visitor has no key. `unknown`: no class has the code, or it ended before the board was opened. `lost`: the server
	 * did not respond for a while, and does not have the class any more.
	 */
	state: 'loading' | 'live' | 'disconnected' | 'closed' | 'ended' | 'lost' | 'unknown' = $state('loading');
	view: ClassView | undefined = $state.raw();
	/** Of this browser. A co-instructor only reads. */
	role: ClassRole = $state('co_instructor');
	/** Since when the rows know the traffic, and when the last event arrived, in milliseconds. */
	since = $state(0);
	updated = $state(0);
	error: ControlError | undefined = $state.raw();
	/** Whether the pointer or the focus is in the table. Rows change their places later then. */
	isHeld = $state(false);
	/** Since when rows should have other places, in milliseconds. Undefined: they have the right ones. */
	#staleSince: number | undefined = $state();
	/** The real names that this browser knows. */
	readonly names: RealNames;
	readonly code: string;
	readonly root: ControlApi;
	#rows: ReadonlyMap<number, BoardRow> = $state.raw(new Map());
	/** The seats in the order that is shown. */
	#order: readonly number[] = $state.raw([]);
	#orderedAt = -Infinity;
	#stream: EventStream | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	/** Counts openings. What belongs to an earlier one is ignored. */
	#opening = 0;
	/** What arrived during the read in progress. */
	#arrived: (() => void)[] | undefined;
	readonly #environment: BoardEnvironment;
	readonly #page: 'board' | 'wall';

	/** @param root control API of the root sandbox */
	constructor(
		root: ControlApi,
		code: string,
		environment: BoardEnvironment = browserBoard,
		page: 'board' | 'wall' = 'board'
	) {
		this.#page = page;
		this.root = root;
		this.code = code;
		this.names = new RealNames(code);
		this.#environment = environment;
	}

	/** All rows, in the order that is shown. */
	readonly rows: readonly BoardRow[] = $derived.by(() => this.#order.flatMap((seat) => this.#rows.get(seat) ?? []));
	/** The server was restarted, and knows only later requests of the seats. Undefined: it knows all. */
	readonly readSince: number | undefined = $derived(
		this.view !== undefined && this.since > this.view.created ? this.since : undefined
	);
	readonly counts: Record<CountedState, number> = $derived.by(() => countRows(this.rows));
	/** Whether rows stay in their places although others would be right. */
	readonly isOrderHeld: boolean = $derived(this.isHeld && this.#staleSince !== undefined);
	readonly clusters: readonly Cluster[] = $derived.by(() => clustersOf(this.rows));

	find(seat: number | undefined): BoardRow | undefined {
		return seat === undefined ? undefined : this.#rows.get(seat);
	}

	/**
	 * Opens the board with the cookie of the class, or with a key, which becomes the cookie.
	 * @param key of the board link
	 * @returns stops
	 */
	start(key?: string): () => void {
		void this.#open(key);
		const timer = setInterval(() => this.#reorder(), 1000);
		return () => {
			clearInterval(timer);
			this.#close();
		};
	}

	/** Opens the board with a key. */
	enter(key: string): Promise<void> {
		return this.#open(key);
	}

	/** The board was closed by this page: the class has ended. */
	end(): void {
		this.names.forget();
		this.#close();
		this.state = 'ended';
	}

	async #open(key?: string): Promise<void> {
		this.#close();
		const opening = this.#opening;
		const path = { code: this.code };
		try {
			if (key !== undefined) await this.root.request('POST /control/classes/{code}/owner', { path, key });
			if (opening !== this.#opening) return;
			const isRead = await this.#read();
			if (isRead && opening === this.#opening) this.#follow();
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			if (opening === this.#opening) this.#failed(thrown);
		}
	}

	/**
	 * Reads the class and all rows. Events that arrive meanwhile are applied afterwards.
	 * @returns false if it was replaced by a later read, or the board was closed
	 * @throws ControlError
	 */
	async #read(): Promise<boolean> {
		const arrived: (() => void)[] = [];
		this.#arrived = arrived;
		const { rows, since, role, ...view } = await this.root.request('GET /control/classes/{code}', {
			path: { code: this.code }
		});
		if (this.#arrived !== arrived) return false;
		this.#arrived = undefined;
		this.view = view;
		this.role = role;
		this.#add(rows, since, [...this.#rows.keys()]);
		arrived.forEach((apply) => apply());
		return true;
	}

	#failed(error: ControlError): void {
		this.#close();
		this.error = error;
		if (error.status === 403) this.state = 'closed';
		else if (error.status === 404) this.state = this.#goneState();
		// Without a key, nothing can be tried again.
		else if (this.state !== 'closed') {
			if (this.state === 'live') this.state = 'disconnected';
			this.#timer = this.#environment.wait(() => void this.#open(), retryDelay);
		}
	}

	/** What a class is that the server does not have. */
	#goneState(): 'unknown' | 'lost' | 'ended' {
		if (this.view === undefined) return 'unknown';
		const isOver = this.view.expires <= this.#environment.now();
		return this.state === 'disconnected' && !isOver ? 'lost' : 'ended';
	}

	#follow(): void {
		const stream = this.#environment.openStream(
			`${this.root.baseUrl}/control/classes/${this.code}/stream${this.#page === 'wall' ? '?page=wall' : ''}`
		);
		this.#stream = stream;
		const on = (type: string, run: (data: string) => void) =>
			stream.addEventListener(type, ({ data }) => {
				if (this.#stream === stream) run(data);
			});
		const onUpdate = (type: string, run: (data: string) => void) =>
			on(type, (data) => (this.#arrived === undefined ? run(data) : this.#arrived.push(() => run(data))));
		on('open', () => {
			const opening = this.#opening;
			this.#read().catch((thrown: unknown) => {
				if (!(thrown instanceof ControlError)) throw thrown;
				if (opening === this.#opening) this.#failed(thrown);
			});
		});
		onUpdate('class', (data) => (this.view = v.parse(classView, JSON.parse(data))));
		onUpdate('rows', (data) => {
			const { rows, since, removed } = v.parse(rowsEvent, JSON.parse(data));
			this.#add(rows, since, removed);
		});
		on('ended', () => this.end());
		on('error', () => {
			if (this.state === 'live') this.state = 'disconnected';
			if (stream.readyState !== 2) return;
			this.#close();
			this.#timer = this.#environment.wait(() => void this.#open(), retryDelay);
		});
	}

	#live(): void {
		this.state = 'live';
		this.error = undefined;
		this.updated = this.#environment.now();
	}

	#close(): void {
		this.#opening++;
		clearTimeout(this.#timer);
		this.#stream?.close();
		this.#stream = undefined;
		this.#arrived = undefined;
	}

	/** @param removed the seats without a row */
	#add(rows: readonly BoardRow[], since: number, removed: readonly number[]): void {
		const known = new Map(this.#rows);
		for (const seat of removed) known.delete(seat);
		for (const row of rows) known.set(row.seat, row);
		this.#rows = known;
		this.since = since;
		this.#live();
		this.#reorder();
		const added = rows.filter(({ seat }) => !this.#order.includes(seat)).map(({ seat }) => seat);
		if (added.length > 0) this.#order = [...this.#order, ...added];
	}

	/** Gives the rows their places now. */
	sort(): void {
		this.#staleSince = undefined;
		this.#orderedAt = this.#environment.now();
		this.#order = this.#rightOrder;
	}

	get #rightOrder(): readonly number[] {
		return orderRows([...this.#rows.values()]).map(({ seat }) => seat);
	}

	/**
	 * New places for raised hands at once, for others at most every 5 seconds. While the pointer or the focus is in the table, they wait
	 * for 5 seconds.
	 */
	#reorder(): void {
		const now = this.#environment.now();
		const right = this.#rightOrder;
		if (right.join() === this.#order.join()) {
			this.#staleSince = undefined;
			return;
		}
		const since = (this.#staleSince ??= now);
		const isDue = now - (this.isHeld ? since : this.#orderedAt) >= orderInterval;
		if (isDue || this.#handsOf(right) !== this.#handsOf(this.#order)) this.sort();
	}

	/** The seats with raised hands at the top of an order. */
	#handsOf(order: readonly number[]): string {
		const end = order.findIndex((seat) => (this.#rows.get(seat)?.hand ?? null) === null);
		return order.slice(0, end < 0 ? order.length : end).join();
	}
}
