import { untrack } from 'svelte';
import { storedText, storeText } from '#client/storage/web-storage.ts';

/** An action of the page. The palette lists it, and its keys run it. */
export type Command = {
	readonly id: string;
	readonly label: string;
	/** Heading in the palette: `Go to`, `Appearance`, the name of a page. */
	readonly group: string;
	/** `mod k` (pressed together), `g v` (one after the other), `?`. */
	readonly keys?: string | undefined;
	/** More words that find it in the palette. */
	readonly words?: string | undefined;
	/** Shown only in the list of keyboard shortcuts. */
	readonly hidden?: boolean;
	readonly run: () => void;
};

type KeyPress = Pick<
	KeyboardEvent,
	'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp' | 'isComposing' | 'defaultPrevented' | 'preventDefault'
>;

const storageKey = 'tollgate:single-keys';
const sequenceTime = 1500;

/** The commands of the open page and the keys that run them. */
export class Commands {
	#lists: readonly (readonly Command[])[] = $state.raw([]);
	/** Users can turn off keys without Ctrl or ⌘ (WCAG 2.1.4). */
	singleKeys = $state(true);
	#prefix = '';
	#prefixAt = 0;

	readonly all: readonly Command[] = $derived(this.#lists.flat());

	/** Adds commands. Returns a function that removes them, for use in an effect. */
	add(list: readonly Command[]): () => void {
		// Untracked: an effect that adds commands must not run again when commands change.
		this.#lists = [...untrack(() => this.#lists), list];
		return () => {
			this.#lists = untrack(() => this.#lists).filter((other) => other !== list);
		};
	}

	/** Reads the stored setting for single-key shortcuts. Call once in the browser. */
	start(): void {
		this.singleKeys = storedText(storageKey) !== 'off';
	}

	setSingleKeys(on: boolean): void {
		this.singleKeys = on;
		storeText(storageKey, on ? 'on' : 'off');
	}

	/**
	 * Runs the command of a key press, if there is one.
	 * @param event `keydown` event of the window
	 * @param typing whether the event belongs to a text field or dialog, where only keys with Ctrl or ⌘ count
	 */
	press(event: KeyPress, typing: boolean): void {
		if (event.defaultPrevented || event.isComposing || event.altKey) return;
		const held = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (!held && (!this.singleKeys || typing)) return;
		const follows = this.#prefix !== '' && event.timeStamp - this.#prefixAt < sequenceTime;
		const pressed = held ? `mod ${key}` : follows ? `${this.#prefix} ${key}` : key;
		this.#prefix = '';
		const command = this.all.find(({ keys }) => keys === pressed);
		if (command !== undefined) {
			event.preventDefault();
			command.run();
		} else if (!held && this.all.some(({ keys }) => keys?.startsWith(`${key} `))) {
			this.#prefix = key;
			this.#prefixAt = event.timeStamp;
		}
	}
}

export const commands = new Commands();

/**
 * The commands that contain every word of a query, best match first: the label begins with the query, one of its words does,
 * it contains the query, it contains all words. The group and the additional words of a command count last, and only from
 * the beginning of a word.
 * @param query empty for all commands in their own order
 */
export function findCommands(commands: readonly Command[], query: string): readonly Command[] {
	const wanted = plain(query.trim());
	if (wanted === '') return commands;
	const ranked = commands.map((command) => ({ command, rank: rankOf(command, wanted) }));
	return ranked
		.filter(({ rank }) => rank < ranks.none)
		.sort((one, other) => one.rank - other.rank)
		.map(({ command }) => command);
}

const ranks = { start: 0, word: 1, inside: 2, words: 3, context: 4, none: 5 };

function rankOf({ label, group, words = '' }: Command, query: string): number {
	const text = plain(label);
	const context = plain(`${label} ${group} ${words}`).split(/\s+/);
	const parts = query.split(/\s+/);
	if (text.startsWith(query)) return ranks.start;
	if (text.includes(` ${query}`)) return ranks.word;
	if (text.includes(query)) return ranks.inside;
	if (parts.every((part) => text.includes(part))) return ranks.words;
	return parts.every((part) => context.some((word) => word.startsWith(part))) ? ranks.context : ranks.none;
}

/** Codes such as `invalid_grant` are words here. */
function plain(text: string): string {
	return text.toLowerCase().replaceAll('_', ' ');
}

const textFields = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select';

/**
 * Whether a key press belongs to a text field or an open dialog, so that single-key shortcuts must ignore it.
 * @param target of the key event
 */
export function isTyping(target: EventTarget | null): boolean {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches(textFields) || target.closest('dialog[open]') !== null;
}
