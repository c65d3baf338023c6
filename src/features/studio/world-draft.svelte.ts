import { contrastOf, papers } from '#api/world/accent.ts';
import { parseWorld, type ParsedWorld } from '#hosts/browser/parse-world.ts';
import { permissionOf, withText } from './derived-names.ts';
import { listIn, partAt, withPart } from './file-parts.ts';

/** The lists of a world file that the studio edits. */
export type ListName = 'permissions' | 'accounts' | 'characters' | 'kinds' | 'applications';

/** Where lists are whose items can be added and removed. */
type ListPlace = ListName | 'guide.steps';

/** How many changes can be undone. */
const maxPast = 100;

/** A world file that a user edits. Places are paths in the file: `accounts.0.name`. */
export class WorldDraft {
	#file: unknown = $state.raw();
	#past: readonly unknown[] = $state.raw([]);
	#lastPlace = '';

	readonly text = $derived(JSON.stringify(this.#file, undefined, '\t'));
	/** The last world without mistakes, or the mistakes. */
	readonly parsed: ParsedWorld = $derived(parseWorld(this.text));
	readonly #reasons = $derived(
		new Map((this.parsed.world === undefined ? this.parsed.mistakes : []).map(({ place, reason }) => [place, reason]))
	);

	/** @param file the content of a world file */
	constructor(file: unknown) {
		this.#file = file;
	}

	/** For requests. */
	get content(): Record<string, unknown> {
		return typeof this.#file === 'object' && this.#file !== null ? { ...this.#file } : {};
	}

	get canUndo(): boolean {
		return this.#past.length > 0;
	}

	/** A text or number of the file, as text. Empty if there is none. */
	textAt(place: string): string {
		const value = this.valueAt(place);
		return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	}

	/** Any value of the file. Undefined if there is none. */
	valueAt(place: string): unknown {
		return partAt(this.#file, place.split('.'));
	}

	/** Whether the value is `true`. */
	isOn(place: string): boolean {
		return this.valueAt(place) === true;
	}

	/** A list of the file. Empty if there is none. */
	listAt(place: string): readonly unknown[] {
		return listIn(this.#file, place.split('.'));
	}

	/** The names of the fields that resources have, and of those that have a label. */
	get fieldNames(): string[] {
		const used = this.listAt('characters').flatMap((one) => namesIn(partAt(one, ['fields'])));
		const labeled = namesIn(partAt(this.#file, ['resource', 'fields']));
		return [...new Set([...used, ...labeled])].filter((name) => /^\w+$/.test(name));
	}

	/** Why the value at a place is wrong. Empty if it is not, or belongs to a part of it with its own field. */
	errorAt(place: string): string {
		return this.#reasons.get(place) ?? '';
	}

	/** As `errorAt`, also for the parts of the value. */
	errorIn(place: string): string {
		const [inner, reason = ''] = [...this.#reasons].find(([one]) => `${one}.`.startsWith(`${place}.`)) ?? [place];
		return inner === place ? reason : `${inner.slice(place.length + 1)}: ${reason}`;
	}

	/** How many mistakes there are in these parts of the file. */
	mistakesIn(...places: readonly string[]): number {
		return [...this.#reasons.keys()].filter((wrong) => places.some((place) => `${wrong}.`.startsWith(`${place}.`)))
			.length;
	}

	/** All mistakes, with their places. */
	get mistakes(): string[] {
		return [...this.#reasons].map(([place, reason]) => (place === '' ? reason : `${place}: ${reason}`));
	}

	/** Sets a value, and what follows from a text. One step of undo per place, not per key. An empty text removes an optional value. */
	set(place: string, value: unknown): void {
		// What follows from a text is derived from the one before the first key.
		const before = place === this.#lastPlace ? this.#past[0] : this.#file;
		const isText = typeof value === 'string';
		this.#change(isText ? withText(before, place, value) : withPart(this.#file, place.split('.'), value), place);
	}

	/** Sets several fields of an object in one step of undo, as `set` does. */
	setAll(place: string, values: Readonly<Record<string, unknown>>): void {
		let file = this.#file;
		for (const [name, value] of Object.entries(values))
			file = withPart(file, [...place.split('.'), name], value === '' ? undefined : value);
		this.#change(file, '');
	}

	/** Adds an item to a list. The viewer suggests a new character. A kind has permissions. */
	add(list: ListPlace, item: object): void {
		const file = withPart(this.#file, [...list.split('.'), String(this.listAt(list).length)], item);
		const name = partAt(item, ['name']);
		if (list === 'kinds' && typeof name === 'string') return this.#change(withPermissions(file, name), '');
		this.#change(list === 'characters' && typeof name === 'string' ? withSuggestion(file, name, true) : file, '');
	}

	/** Whether the viewer suggests a character. */
	isSuggested(at: number): boolean {
		return this.listAt('viewer.shows').includes(this.textAt(`characters.${at}.name`));
	}

	/** Makes the viewer suggest a character, or not. */
	suggest(at: number, isOn: boolean): void {
		this.#change(withSuggestion(this.#file, this.textAt(`characters.${at}.name`), isOn), '');
	}

	/** Removes an item of a list. What belonged to an account is removed with it. */
	remove(list: ListPlace, at: number): void {
		const rest = this.listAt(list).filter((_, index) => index !== at);
		let file = withPart(this.#file, list.split('.'), rest);
		if (list === 'accounts') {
			const username = this.textAt(`accounts.${at}.username`);
			const kept = this.listAt('characters').filter((one) => partAt(one, ['player']) !== username);
			file = withPart(file, ['characters'], kept);
			this.listAt('kinds').forEach((kind, index) => {
				const others = listIn(kind, ['records']).filter((one) => partAt(one, ['owner']) !== username);
				if (others.length > 0 || listIn(kind, ['records']).length > 0)
					file = withPart(file, ['kinds', String(index), 'records'], others);
			});
		}
		this.#change(withShown(file), '');
	}

	/** Moves an item of a list to another index. */
	move(list: ListPlace, from: number, to: number): void {
		const items = [...this.listAt(list)];
		items.splice(to, 0, ...items.splice(from, 1));
		this.#change(withPart(this.#file, list.split('.'), items), '');
	}

	/** Replaces the whole file. */
	replace(file: unknown): void {
		this.#change(file, '');
	}

	undo(): void {
		const [last] = this.#past;
		if (last === undefined) return;
		this.#past = this.#past.slice(1);
		this.#file = last;
		this.#lastPlace = '';
	}

	#change(file: unknown, place: string): void {
		if (place === '' || place !== this.#lastPlace) this.#past = [this.#file, ...this.#past].slice(0, maxPast);
		this.#lastPlace = place;
		this.#file = file;
	}
}

/** The contrast of a color on its page, for users: `5.2:1 on the light page`. Empty if it is no color. */
export function contrastText(color: string, paper: keyof typeof papers): string {
	if (!/^#[0-9a-f]{6}$/i.test(color)) return '';
	return `${(Math.floor(contrastOf(color, papers[paper]) * 10) / 10).toFixed(1)}:1 on the ${paper} page`;
}

/** The viewer suggests a character, or not. It has at most 20 suggestions. */
function withSuggestion(file: unknown, name: string, isOn: boolean): unknown {
	const shows = partAt(file, ['viewer', 'shows']);
	const others = (Array.isArray(shows) ? Array.from<unknown>(shows) : []).filter((one) => one !== name);
	const isFull = others.length >= 20;
	return withPart(file, ['viewer', 'shows'], isOn && !isFull ? [...others, name] : others);
}

/** The viewer suggests characters that exist. */
function withShown(file: unknown): unknown {
	const shows = partAt(file, ['viewer', 'shows']);
	const characters = partAt(file, ['characters']);
	if (!Array.isArray(shows) || !Array.isArray(characters)) return file;
	const names = new Set(characters.map((one) => partAt(one, ['name'])));
	return withPart(
		file,
		['viewer', 'shows'],
		shows.filter((name) => names.has(name))
	);
}

/** The permissions that read and write a kind. */
function withPermissions(file: unknown, kind: string): unknown {
	const added = (['read', 'write'] as const).map((action) => permissionOf(kind, action));
	return withPart(file, ['permissions'], [...listIn(file, ['permissions']), ...added]);
}

function namesIn(value: unknown): string[] {
	return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
