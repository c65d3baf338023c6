import { sanitizeText } from '#lib/plain-text.ts';
import { lineOf, type FileMistake } from '#lib/file/read-json.ts';
import { scanJson } from '#lib/file/scan-json.ts';

export type WorldMistake = FileMistake;

/** A mistake in a world file. The message says where, what and what to do: `characters.3.player: there is no account "adda". …`. */
export class WorldError extends Error {
	override name = 'WorldError';

	/**
	 * @param place in the file, as a path; undefined for the file as a whole
	 * @param reason what is wrong and what to do; contains no secret
	 * @param mistakes all of them, where there are several
	 */
	constructor(
		readonly place: string | undefined,
		readonly reason: string,
		readonly mistakes: readonly WorldMistake[] = [{ place: place ?? '', reason }]
	) {
		super(place === undefined ? reason : `${place}: ${lowerFirst(reason)}`);
	}
}

/** A sentence after a colon. */
function lowerFirst(text: string): string {
	return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The field that names an item of a list. */
const nameFields: ReadonlyMap<string, string> = new Map([
	['permissions', 'scope'],
	['accounts', 'username'],
	['characters', 'name'],
	['kinds', 'name'],
	['applications', 'name']
]);
/** How many are named at once. */
const mostNamed = 50;

/** The mistakes of a world file, so that its author can correct them together. */
export class WorldMistakes {
	readonly #content: unknown;
	readonly #source: unknown;
	/** By place. The others of the same place may follow from the first. */
	readonly #reasons = new Map<string, string>();

	/**
	 * @param content of the file, for the names of what has a mistake
	 * @param source its text, for the lines. Anything else has none
	 */
	constructor(content: unknown, source: unknown) {
		this.#content = content;
		this.#source = source;
	}

	/** As the constructor of `WorldError`. */
	add(place: string, reason: string): void {
		if (!this.#reasons.has(place)) this.#reasons.set(place, reason);
	}

	get all(): WorldMistake[] {
		return [...this.#reasons].map(([place, reason]) => ({ place, reason }));
	}

	/** Adds the mistake of a part that cannot be read, and returns the fallback then. */
	attempt<T>(read: () => T, fallback: T): T {
		try {
			return read();
		} catch (fault) {
			if (!(fault instanceof WorldError)) throw fault;
			this.add(fault.place ?? '', fault.reason);
			return fallback;
		}
	}

	/** @throws WorldError with all mistakes, if there are any */
	throwIfAny(): void {
		const { all } = this;
		if (all.length === 0) return;
		const text = typeof this.#source === 'string' ? this.#source.trimEnd() : '';
		// A file of one line has no line numbers.
		const lines = text.includes('\n') ? scanJson(text).lines : undefined;
		const mistakes = all.map(
			({ place, reason }) => new WorldError(lineText(lines, place) + this.#named(place), reason, all)
		);
		const [first] = mistakes;
		if (first === undefined) return;
		if (mistakes.length === 1) throw first;
		const named = mistakes.slice(0, mostNamed).map(({ message }) => `  ${message}`);
		const rest = mistakes.length > mostNamed ? [`  and ${mistakes.length - mostNamed} more`] : [];
		throw new WorldError(undefined, [`It has ${mistakes.length} mistakes:`, ...named, ...rest].join('\n'), all);
	}

	/** `characters.3.player (Mara Vell)`: the place, with the name of the item. */
	#named(place: string): string {
		const [section = '', index = ''] = place.split('.');
		const item = partOf(partOf(this.#content, section), index);
		const name = partOf(item, nameFields.get(section) ?? '');
		return typeof name === 'string' && name !== '' ? `${place} (${sanitizeText(name, 40)})` : place;
	}
}

/** `line 12, `. Empty where the place has no line. */
function lineText(lines: ReadonlyMap<string, number> | undefined, place: string): string {
	const line = lines && lineOf(lines, place);
	return line === undefined ? '' : `line ${line}, `;
}

function partOf(value: unknown, name: string): unknown {
	return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
		? Reflect.get(value, name)
		: undefined;
}
