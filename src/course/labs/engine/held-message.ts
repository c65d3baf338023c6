/** A parameter of a held message. */
export type HeldField = {
	readonly name: string;
	/** As the sender sent it. Absent of a parameter that was added. */
	readonly sent: string | undefined;
	/** Undefined: removed. */
	readonly value: string | undefined;
};

/** A request that the attacker holds before it arrives: its parameters can be changed. */
export class HeldMessage {
	/** The id of the message in the log. */
	readonly id: number;
	fields: readonly HeldField[];
	/** When the attacker began to hold it, in milliseconds by the clock of the lab. */
	readonly at: number;
	readonly #url: URL;

	constructor(id: number, url: string, at: number) {
		this.id = id;
		this.#url = new URL(url);
		this.at = at;
		this.fields = [...this.#url.searchParams].map(([name, value]) => ({ name, sent: value, value }));
	}

	/** Without its parameters. */
	get target(): string {
		return this.#url.origin + this.#url.pathname;
	}

	/** Changes a parameter. @param value undefined removes it */
	change(name: string, value: string | undefined): void {
		const isKnown = this.fields.some((field) => field.name === name);
		if (!isKnown) this.fields = [...this.fields, { name, sent: undefined, value }];
		else this.fields = this.fields.map((field) => (field.name === name ? { ...field, value } : field));
	}

	/** Takes a change back. */
	undo(name: string): void {
		const field = this.fields.find((one) => one.name === name);
		if (field !== undefined) this.change(name, field.sent);
	}

	get isChanged(): boolean {
		return this.fields.some(({ sent, value }) => sent !== value);
	}

	valueOf(name: string): string | undefined {
		return this.fields.find((field) => field.name === name)?.value;
	}

	/** The URL with all changes. @param base of another endpoint. Default: its own */
	url(base = this.target): string {
		const query = new URLSearchParams(
			this.fields.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))
		);
		return `${base}?${query.toString()}`;
	}
}
