import * as v from 'valibot';

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
		try {
			const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
			const parsed = v.safeParse(list, stored);
			if (parsed.success) this.all = parsed.output.slice(-most);
		} catch {
			// Storage is blocked, or another program has written to it: there are none.
		}
	}

	add(text: string): void {
		this.#set([...this.all.filter((one) => one !== text), text].slice(-most));
	}

	remove(text: string): void {
		this.#set(this.all.filter((one) => one !== text));
	}

	#set(all: readonly string[]): void {
		this.all = all;
		try {
			localStorage.setItem(storageKey, JSON.stringify(all));
		} catch {
			// Storage is blocked: they last until the page is closed.
		}
	}
}
