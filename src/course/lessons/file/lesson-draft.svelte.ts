import { SvelteSet } from 'svelte/reactivity';
import { readJson, reservedNamesIn } from '#lib/file/read-json.ts';
import { checkLessonFile, type CheckedLesson, type LessonMistake } from '#evidence/lesson-file/check-lesson-file.ts';
import { listIn, partAt, withPart } from '#features/studio/file-parts.ts';

/** How many changes can be undone. */
const maxPast = 100;

/** A lesson file that an author edits. Its text is what counts: a form shows it, and writes it again. Places are paths: `steps.0.text`. */
export class LessonDraft {
	/** The folds of the form that are open, by place. */
	readonly opened = new SvelteSet<string>();
	#text: string = $state('');
	#past: readonly string[] = $state.raw([]);
	#lastPlace = '';

	/** The content; undefined where a form cannot show the text without a loss. Then the first mistake says why. */
	readonly content: object | undefined = $derived(contentOf(this.#text));
	readonly checked: CheckedLesson = $derived(checkLessonFile(this.#text));
	readonly mistakes: readonly LessonMistake[] = $derived('mistakes' in this.checked ? this.checked.mistakes : []);

	constructor(text: string) {
		this.#text = text;
	}

	get text(): string {
		return this.#text;
	}

	set text(text: string) {
		this.#change(text, 'text');
	}

	get canUndo(): boolean {
		return this.#past.length > 0;
	}

	/** Any value of the file. Undefined if there is none. */
	valueAt(place: string): unknown {
		return partAt(this.content, place.split('.'));
	}

	/** Why the value at a place is wrong. Empty if it is not. */
	errorAt(place: string): string {
		return this.mistakes.find((mistake) => mistake.place === place)?.reason ?? '';
	}

	/** As `errorAt`, also for the parts of the value. */
	errorIn(place: string): string {
		const found = this.mistakes.find((mistake) => `${mistake.place}.`.startsWith(`${place}.`));
		if (found === undefined) return '';
		return found.place === place ? found.reason : `${found.place.slice(place.length + 1)}: ${found.reason}`;
	}

	/** How many mistakes there are in a part of the file. */
	mistakesIn(place: string): number {
		return this.mistakes.filter((mistake) => `${mistake.place}.`.startsWith(`${place}.`)).length;
	}

	/** The ids of the conditions, in their order. */
	get conditionIds(): readonly string[] {
		return listIn(this.content, ['steps'])
			.flatMap((step) => listIn(step, ['conditions']))
			.flatMap((condition) => {
				const id = partAt(condition, ['id']);
				return typeof id === 'string' && id !== '' ? [id] : [];
			});
	}

	/** The id of a new condition. */
	newId = (): string => {
		const ids = this.conditionIds;
		let number = ids.length + 1;
		while (ids.includes(`condition_${number}`)) number++;
		return `condition_${number}`;
	};

	/** Sets a value; undefined removes it. One step of undo per place, not per key. */
	set(place: string, value: unknown): void {
		if (this.content === undefined) return;
		this.#write(withPart(this.content, place.split('.'), value), place);
	}

	/** Adds a part, and opens its first item. */
	add(place: string, value: unknown): void {
		this.opened.add(`${place}.0`);
		this.set(place, value);
		this.#lastPlace = '';
	}

	/** Adds an item to a list, and opens it. */
	addItem(list: string, item: unknown): void {
		const items = listIn(this.content, list.split('.'));
		this.opened.add(`${list}.${items.length}`);
		this.set(list, [...items, item]);
		this.#lastPlace = '';
	}

	/** Removes an item of a list. */
	remove(list: string, at: number): void {
		this.#close(`${list}.`);
		this.set(
			list,
			listIn(this.content, list.split('.')).filter((_, index) => index !== at)
		);
		this.#lastPlace = '';
	}

	/** Moves an item of a list up by one. */
	moveUp(list: string, at: number): void {
		const items = [...listIn(this.content, list.split('.'))];
		items.splice(at - 1, 0, ...items.splice(at, 1));
		this.#close(`${list}.`);
		this.set(list, items);
		this.#lastPlace = '';
	}

	/** Opens what is around a place. */
	open(place: string): void {
		const names = place.split('.');
		names.forEach((_, at) => this.opened.add(names.slice(0, at + 1).join('.')));
	}

	/** Replaces the whole file. */
	replace(text: string): void {
		this.opened.clear();
		this.#change(text, '');
	}

	undo(): void {
		const [last] = this.#past;
		if (last === undefined) return;
		this.#past = this.#past.slice(1);
		this.#text = last;
		this.#lastPlace = '';
	}

	#close(prefix: string): void {
		for (const place of this.opened) if (place.startsWith(prefix)) this.opened.delete(place);
	}

	#write(content: unknown, place: string): void {
		this.#change(`${JSON.stringify(content, undefined, '\t')}\n`, place);
	}

	#change(text: string, place: string): void {
		if (place === '' || place !== this.#lastPlace) this.#past = [this.#text, ...this.#past].slice(0, maxPast);
		this.#lastPlace = place;
		this.#text = text;
	}
}

/** The object of a JSON text. Undefined where writing it again would lose something: a name that occurs twice, or is reserved. */
function contentOf(text: string): object | undefined {
	const read = readJson(text);
	if ('reason' in read || read.mistakes.length > 0 || reservedNamesIn(read.content).length > 0) return undefined;
	const { content } = read;
	return typeof content === 'object' && content !== null && !Array.isArray(content) ? content : undefined;
}
