const storageKey = 'tollgate:inspector';

/** Whether the inspector is open at the bottom of the pages, and how high it is. The browser remembers both. */
export class DockState {
	isOpen = $state(false);
	/** In percent of the window. */
	height = $state(40);
	/** Whether the user has opened it on this page. */
	takesFocus = false;
	#opener: Element | null = null;

	/** Reads what is stored. Call once in the browser. */
	start(): void {
		try {
			const [, open, height] = /^(open|closed) (\d\d)$/.exec(localStorage.getItem(storageKey) ?? '') ?? [];
			this.isOpen = open === 'open';
			if (height !== undefined) this.height = Number(height);
		} catch {
			// Storage is blocked: the inspector is closed.
		}
	}

	/** Opens it, or closes it and returns the focus. */
	toggle(): void {
		this.isOpen = !this.isOpen;
		this.takesFocus = this.isOpen;
		if (this.isOpen) this.#opener = document.activeElement;
		else if (this.#opener instanceof HTMLElement) this.#opener.focus();
		this.#store();
	}

	resize(height: number): void {
		this.height = height;
		this.#store();
	}

	#store(): void {
		try {
			localStorage.setItem(storageKey, `${this.isOpen ? 'open' : 'closed'} ${this.height}`);
		} catch {
			// Storage is blocked: the setting lasts until the page is closed.
		}
	}
}
