import { untrack } from 'svelte';

/** Something that a person can do from anywhere: listed in the palette, and run by a key where it has one. */
export type Command = {
	readonly id: string;
	readonly label: string;
	/** The heading it stands under: `Go to`, `Appearance`, a page's name. */
	readonly group: string;
	/** `mod k` (held together), `g v` (one after the other), `?`. */
	readonly keys?: string | undefined;
	/** Other words that find it in the palette. */
	readonly words?: string;
	/** In the list of keys only. */
	readonly hidden?: boolean;
	readonly run: () => void;
};

type KeyPress = Pick<
	KeyboardEvent,
	'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp' | 'isComposing' | 'defaultPrevented' | 'preventDefault'
>;

const storageKey = 'tollgate:single-keys';
const sequenceTime = 1500;

/** The commands of the page that is open, and the keys that run them. */
export class Commands {
	#lists: readonly (readonly Command[])[] = $state.raw([]);
	/** Keys without Ctrl or ⌘ can be switched off (WCAG 2.1.4). */
	singleKeys = $state(true);
	#prefix = '';
	#prefixAt = 0;

	readonly all: readonly Command[] = $derived(this.#lists.flat());

	/** Adds commands for as long as they make sense; returns the undoing, as an effect wants it. */
	add(list: readonly Command[]): () => void {
		// Untracked: an effect that adds must not run again because something was added.
		this.#lists = [...untrack(() => this.#lists), list];
		return () => {
			this.#lists = untrack(() => this.#lists).filter((other) => other !== list);
		};
	}

	/** Takes up whether single keys are on. Call once in the browser. */
	start(): void {
		try {
			this.singleKeys = localStorage.getItem(storageKey) !== 'off';
		} catch {
			this.singleKeys = true;
		}
	}

	setSingleKeys(on: boolean): void {
		this.singleKeys = on;
		try {
			localStorage.setItem(storageKey, on ? 'on' : 'off');
		} catch {
			// Storage is switched off: it lasts as long as the page.
		}
	}

	/**
	 * Runs what a key press means, if anything.
	 * @param event a `keydown` of the window
	 * @param occupied whether it belongs to a field or a dialog: then only held keys count
	 */
	press(event: KeyPress, occupied: boolean): void {
		if (event.defaultPrevented || event.isComposing || event.altKey) return;
		const held = event.ctrlKey || event.metaKey;
		const key = event.key.toLowerCase();
		if (!held && (!this.singleKeys || occupied)) return;
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
