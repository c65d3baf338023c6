import type { Bell } from './bell.ts';
import type { Drawer } from './drawer.ts';
import type { Journal, Step } from './events.ts';
import { keptSteps } from './kept.ts';
import { problemOf } from './problems.ts';
import { isSameWindow, type Ledger, type Meter } from './resources/ledger.ts';
import type { ServiceClock } from './service-clock.ts';
import { keptFor, type Shelf } from './shelf.ts';

/** What the memory needs of the client. */
export type MemoryTools = {
	/** Base URL of the service. */
	readonly service: string;
	readonly shelf: Shelf;
	/** None in a program that is not loaded anew. */
	readonly drawer?: Drawer;
	readonly bell: Bell;
	readonly journal: Journal;
	readonly clock: ServiceClock;
	readonly ledger: Ledger;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
};

/** Between two writings of the gauges, in milliseconds: a burst of calls is no burst of writings. */
const pace = 1000;
/** The most steps that a reload finds again, and the most characters that they may take: twenty services fit into a drawer. */
const most = { steps: 200, characters: 100_000 };

/** What an application has heard and done, kept so that a page that is loaded anew stands where the last one stood. */
export class Memory {
	readonly #tools: MemoryTools;
	/** Patterns that answers have told about since the gauges were kept. */
	readonly #fresh = new Set<string>();
	#kept = -Infinity;
	#restoring = false;

	constructor(tools: MemoryTools) {
		this.#tools = tools;
		tools.bell.listen(() => void this.#readMeters().catch(problemOf));
		tools.ledger.listen(({ pattern }) => {
			if (this.#restoring) return;
			this.#fresh.add(pattern);
			this.tick().catch(problemOf); // without storage the page still works
		});
	}

	/** Takes up the service's clock and its gauges. */
	async recall(): Promise<void> {
		const { service, shelf, clock } = this.#tools;
		const offset = (await shelf.read('offsets'))?.[service];
		if (offset !== undefined) clock.assume(offset);
		await this.#readMeters();
	}

	/**
	 * Takes up what this tab had done before; from now on its steps outlive the page. To be called once all else is taken up:
	 * a drawer holds the steps of one client.
	 */
	recallSteps(): void {
		const { service, drawer, journal } = this.#tools;
		if (drawer === undefined) return;
		journal.restore(keptSteps(drawer.read())?.[service] ?? []);
		drawer.beforeLeaving(() => drawer.write(keptFor(keptSteps(drawer.read()), service, latest(journal.steps))));
	}

	/** Keeps the service's clock. To be called before the page is left, or the program ends. */
	async rememberClock(): Promise<void> {
		const { service, shelf, clock } = this.#tools;
		if (!clock.heard) return;
		await shelf.update('offsets', (all) => keptFor(all, service, clock.offset));
	}

	/** To be called every second or so: keeps what the headers of answers have told since. */
	async tick(): Promise<void> {
		const { service, shelf, bell, ledger, now } = this.#tools;
		if (this.#fresh.size === 0 || Math.abs(now() - this.#kept) < pace) return;
		this.#kept = now();
		await this.rememberClock();
		await shelf.update('meters', (kept) => {
			this.#restore(kept?.[service] ?? []);
			this.#fresh.clear();
			return keptFor(kept, service, ledger.meters);
		});
		bell.ring();
	}

	async #readMeters(): Promise<void> {
		const { service, shelf } = this.#tools;
		this.#restore((await shelf.read('meters'))?.[service] ?? []);
	}

	/** What this tab has heard itself since it last wrote is newer than anything kept. */
	#restore(meters: readonly Meter[]): void {
		const { ledger, clock } = this.#tools;
		const isNews = (meter: Meter) => {
			const known = ledger.meter(meter.pattern);
			return known === undefined || !this.#fresh.has(meter.pattern) || isSameWindow(known, meter);
		};
		this.#restoring = true;
		ledger.restore(meters.filter(isNews), clock.now());
		this.#restoring = false;
	}
}

/** The end of a list of steps, as much of it as is kept. */
function latest(steps: readonly Step[]): readonly Step[] {
	const last = steps.slice(-most.steps);
	let left = most.characters;
	return last.slice(last.findLastIndex((step) => (left -= JSON.stringify(step).length) < 0) + 1);
}
