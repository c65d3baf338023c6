import type { WriteStore } from './write-progress.ts';

/** Whose program is open: that of the visitor, one of a link, which is for reading, or the visitor's copy of one. */
export type ProgramOwner = 'own' | 'shared' | 'copy';

type Options = {
	/** Of the exercise. */
	readonly id: string;
	readonly store: WriteStore;
	/** What the exercise begins with. */
	readonly start: string;
	/** The program of a link. */
	readonly shared?: string | undefined;
};

/** The program in the editor. A shared one never replaces that of the visitor. Reactive. */
export class ProgramText {
	source: string = $state('');
	owner: ProgramOwner = $state('own');
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
		this.owner = options.shared === undefined ? 'own' : 'shared';
		this.source = options.shared ?? this.#own;
	}

	/** Whose program it is, where it is not that of the visitor. */
	get note(): string | undefined {
		return { own: undefined, shared: 'Shared code', copy: 'Copy of shared code' }[this.owner];
	}

	/** Whether the visitor has a copy of a shared program. */
	get hasCopy(): boolean {
		const { id, store } = this.#options;
		return store.progress[id]?.copy !== undefined;
	}

	/** Keeps the text. */
	async keep(): Promise<void> {
		const { id, store, start } = this.#options;
		if (this.owner === 'own') await store.change(id, { source: this.source === start ? undefined : this.source });
		else if (this.owner === 'copy') await store.change(id, { copy: this.source });
	}

	/** Opens the shared program for changes, or the copy that is stored. */
	async openCopy(): Promise<void> {
		const { id, store } = this.#options;
		if (this.owner !== 'shared') this.source = store.progress[id]?.copy ?? this.source;
		this.owner = 'copy';
		await this.keep();
	}

	/** Opens the program of the visitor. */
	openOwn(): void {
		this.owner = 'own';
		this.source = this.#own;
	}

	get #own(): string {
		const { id, store, start } = this.#options;
		return store.progress[id]?.source ?? start;
	}
}
