import type { ExerciseProgress, WriteStore } from './write-progress.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';

import * as v from 'valibot';

/** A text that the page could not store before it ended, and what was stored when it was typed. */
const draftSchema = v.object({ source: v.string(), kept: v.string() });
export type Draft = v.InferOutput<typeof draftSchema>;

const keyOf = (place: string) => `tollgate-draft${place}`;

/** Writes at once, where a database would need time that the page may not have. @param place the path of the site and the exercise */
export function writeDraft(place: string, draft: Draft): void {
	keepTyped(keyOf(place), JSON.stringify(draft));
}

export function readDraft(place: string): Draft | undefined {
	const parsed = v.safeParse(draftSchema, parseJson(typedText(keyOf(place))));
	return parsed.success ? parsed.output : undefined;
}

export function deleteDraft(place: string): void {
	keepTyped(keyOf(place), '');
}

/** Whose program is open: that of the visitor, one of a link, which is for reading, or the visitor's copy of one. */
export type ProgramOwner = 'own' | 'shared' | 'copy';

type Options = {
	/** Of the exercise. */
	readonly id: string;
	readonly store: WriteStore;
	/** The path of the site. */
	readonly base: string;
	/** What the exercise begins with. */
	readonly start: string;
	/** The program of a link. */
	readonly shared?: string | undefined;
};

type Change = { readonly [Name in keyof ExerciseProgress]?: ExerciseProgress[Name] | undefined };

/** How often a text that changes is kept, in milliseconds. */
const pace = 500;

/** The program in the editor. A shared one never replaces that of the visitor. Reactive. */
export class ProgramText {
	source: string = $state('');
	owner: ProgramOwner = $state('own');
	/** Why the text is not kept, as sentences. */
	problem: string | undefined = $state();
	/** What this tab read or stored last. */
	#kept: string = $state('');
	#timer: ReturnType<typeof setTimeout> | undefined;
	#isChanged = false;
	readonly #options: Options;

	constructor(options: Options) {
		this.#options = options;
		this.owner = options.shared === undefined ? 'own' : 'shared';
		this.source = options.shared ?? this.#own;
		this.#kept = this.#own;
		if (this.owner === 'own') this.#restore();
	}

	/** Whose program it is, where it is not that of the visitor. */
	get note(): string | undefined {
		return { own: undefined, shared: 'Shared code', copy: 'Copy of shared code' }[this.owner];
	}

	/** Whether the visitor has a copy of a shared program. */
	get hasCopy(): boolean {
		return this.#stored?.copy !== undefined;
	}

	/** Another version of the own program: of another tab, or from before it was replaced. */
	get other(): ExerciseProgress['other'] {
		if (this.owner !== 'own') return undefined;
		const isElsewhere = this.#own !== this.#kept && this.#own !== this.source;
		return isElsewhere ? { text: this.#own, from: 'tab' } : this.#stored?.other;
	}

	/** The editor has another text. It is kept at once, and the next ones at most twice a second. */
	type(source: string): void {
		if (source === this.source) return;
		this.source = source;
		this.#isChanged = true;
		this.#keepSoon();
	}

	/** Keeps what was typed, also where the page ends before the storage has it. */
	flush(): void {
		if (!this.#isChanged) return;
		if (this.owner === 'own') writeDraft(this.#place, { source: this.source, kept: this.#kept });
		void this.keep();
	}

	/** Keeps the text. */
	async keep(): Promise<void> {
		const { start } = this.#options;
		this.#isChanged = false;
		const { source, owner } = this;
		if (owner === 'copy') await this.record({ copy: source });
		if (owner !== 'own') return;
		await this.record((found) => {
			const stored = found?.source ?? start;
			const isElsewhere = stored !== this.#kept && stored !== source;
			this.#kept = source;
			return {
				source: source === start ? undefined : source,
				...(isElsewhere ? { other: { text: stored, from: 'tab' } } : {})
			};
		});
		if (this.problem === undefined && source === this.source) deleteDraft(this.#place);
	}

	/** The text is about to be replaced as a whole. It can be brought back, also after a reload. */
	async setAside(): Promise<void> {
		const { source, owner } = this;
		if (owner === 'own' && source !== this.#options.start)
			await this.record({ other: { text: source, from: 'replaced' } });
	}

	/** Takes the other version, and keeps this one in its place. */
	async exchange(): Promise<void> {
		const { other, source } = this;
		if (other === undefined) return;
		this.source = this.#kept = other.text;
		await this.record({ source: other.text, other: { text: source, from: other.from } });
	}

	/** Keeps this version only. */
	async discardOther(): Promise<void> {
		this.#kept = this.#own;
		await this.record({ other: undefined });
		await this.keep();
	}

	/** Records something about the exercise. A storage that is full ends nothing. */
	async record(change: Change | ((found: ExerciseProgress | undefined) => Change)): Promise<void> {
		const { id, store } = this.#options;
		try {
			await store.change(id, change);
			this.problem = undefined;
		} catch (error) {
			const isFull = error instanceof Error && error.name === 'QuotaExceededError';
			const why = isFull ? 'The storage of this browser is full.' : 'The browser did not store it.';
			this.problem = `Your program is not kept. ${why} Copy your program first, before you reload.`;
		}
	}

	/** Opens the shared program for changes, or the copy that is stored. */
	async openCopy(): Promise<void> {
		if (this.owner !== 'shared') this.source = this.#stored?.copy ?? this.source;
		this.owner = 'copy';
		await this.keep();
	}

	/** Opens the program of the visitor. */
	openOwn(): void {
		this.owner = 'own';
		this.source = this.#kept = this.#own;
	}

	#keepSoon(): void {
		if (this.#timer !== undefined) return;
		void this.keep();
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			if (this.#isChanged) this.#keepSoon();
		}, pace);
	}

	/** Reads what the page could not store before it ended. */
	#restore(): void {
		const draft = readDraft(this.#place);
		if (draft === undefined) return;
		this.source = draft.source;
		this.#kept = draft.kept;
		void this.keep();
	}

	get #place(): string {
		return `${this.#options.base}/${this.#options.id}`;
	}

	get #stored(): ExerciseProgress | undefined {
		return this.#options.store.progress[this.#options.id];
	}

	get #own(): string {
		return this.#stored?.source ?? this.#options.start;
	}
}
