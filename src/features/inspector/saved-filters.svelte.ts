import * as v from 'valibot';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { keepTyped, typedText } from '#client/storage/typed-text.svelte.ts';

const storageKey = 'tollgate:filters';
/** How many filters are kept. The oldest is dropped. */
const most = 10;
const list = v.array(v.string());

/** Searches that the user keeps, in this browser. */
export class SavedFilters {
	/** As `formatFilter` writes them, oldest first. */
	all: readonly string[] = $state.raw([]);

	/** Reads what is stored. Call once in the browser. */
	start(): void {
		const parsed = v.safeParse(list, parseJson(typedText(storageKey)));
		if (parsed.success) this.all = parsed.output.slice(-most);
	}

	add(text: string): void {
		this.#set([...this.all.filter((one) => one !== text), text].slice(-most));
	}

	remove(text: string): void {
		this.#set(this.all.filter((one) => one !== text));
	}

	#set(all: readonly string[]): void {
		this.all = all;
		keepTyped(storageKey, JSON.stringify(all));
	}
}
