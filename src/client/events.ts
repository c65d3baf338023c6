/** What a step can be. `refused` is the client's own no; `failed` is somebody else's. */
export const stepKinds = [
	'made',
	'stored',
	'opened',
	'sent',
	'received',
	'checked',
	'refused',
	'waited',
	'noticed',
	'failed'
] as const;

/** What a step was. */
export type StepKind = (typeof stepKinds)[number];

/** A request or an answer as the client saw it, its secrets masked. */
export type Message = {
	/** Pairs a request with its answer, in this page. */
	readonly exchange: number;
	/** `GET https://…` for a request, `200` for an answer. */
	readonly line: string;
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string;
	/** The service's `X-Request-Id`: finds the other end's record of this exchange. Answers only. */
	readonly requestId?: string;
	/** Milliseconds from sending to the last byte. Answers only. */
	readonly duration?: number;
};

/** One thing that the client did or found. Holds no secret. */
export type Step = {
	/** Grows by one with every step of this page. */
	readonly seq: number;
	/** Milliseconds since 1970, by this machine's clock. */
	readonly at: number;
	readonly kind: StepKind;
	/** A sentence: `Checked state: it is the one this browser made`. */
	readonly what: string;
	readonly facts: readonly (readonly [name: string, value: string])[];
	/** The section of the specification it follows from. */
	readonly section?: string;
	/** The session that it was done for. */
	readonly session?: string;
	readonly message?: Message;
};

/** A step as its author tells it; the journal adds number and time. */
export type Told = Pick<Step, 'kind' | 'what'> & Partial<Pick<Step, 'facts' | 'section' | 'session' | 'message'>>;

/**
 * The one seam at which the client says what it does. Everything that it sends, receives, makes, checks and stores
 * passes here; an inspector only has to listen.
 */
export class Journal {
	readonly #now: () => number;
	readonly #kept: number;
	readonly #listeners = new Set<(step: Step) => void>();
	#steps: Step[] = [];
	#seq = 0;

	/**
	 * @param now this machine's clock, in milliseconds since 1970
	 * @param kept how many steps are remembered for those who listen later
	 */
	constructor(now: () => number, kept = 500) {
		this.#now = now;
		this.#kept = kept;
	}

	/** The steps so far, oldest first. */
	get steps(): readonly Step[] {
		return this.#steps;
	}

	/** Announces a step. A listener that throws harms nobody else. */
	tell(told: Told): void {
		this.#seq += 1;
		const step: Step = { facts: [], ...told, seq: this.#seq, at: this.#now() };
		this.#steps.push(step);
		this.#trim();
		for (const listener of this.#listeners) {
			try {
				listener(step);
			} catch (fault) {
				queueMicrotask(() => {
					throw fault;
				});
			}
		}
	}

	/** Listens to the steps from now on. Returns what ends it. */
	listen(listener: (step: Step) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Puts steps of an earlier page before those of this one. */
	restore(steps: readonly Step[]): void {
		const before = steps.slice(-this.#kept);
		const from = before.at(-1)?.seq ?? 0;
		this.#steps = [...before, ...this.#steps.map((step) => ({ ...step, seq: step.seq + from }))];
		this.#seq += from;
	}

	/** Forgets the steps so far. Returns what brings them back, each to its place. */
	clear(): () => void {
		const cleared = this.#steps;
		this.#steps = [];
		return () => {
			const known = new Set(this.#steps.map(({ seq }) => seq));
			const missing = cleared.filter(({ seq }) => !known.has(seq));
			this.#steps = [...this.#steps, ...missing].sort((one, other) => one.seq - other.seq);
			this.#trim();
		};
	}

	#trim(): void {
		if (this.#steps.length > this.#kept * 1.5) this.#steps = this.#steps.slice(-this.#kept);
	}
}
