const storageKey = 'tollgate:inspector';

/**
 * What the strip at the bottom of the pages shows: the newest exchange, or a chosen one, and whether both of its ends are open. The
 * browser remembers the latter.
 */
export class BothEndsState {
	isOpen = $state(false);
	/** `X-Request-Id` of the chosen exchange. Undefined: the newest one. */
	requestId: string | undefined = $state();
	/** In percent of the window. Undefined: what the content needs. */
	height: number | undefined = $state();
	/** Whether the user has opened it on this page. */
	takesFocus = false;
	/** What it was opened from. It stays in view. */
	opener: Element | null = null;

	/** Reads what is stored. Call once in the browser. */
	start(): void {
		try {
			const [, open, height] = /^(open|closed) (\d\d)?$/.exec(localStorage.getItem(storageKey) ?? '') ?? [];
			this.isOpen = open === 'open';
			if (height !== undefined) this.height = Number(height);
		} catch {
			// Storage is blocked: it is closed.
		}
	}

	/**
	 * Opens an exchange.
	 * @param requestId its `X-Request-Id`. Undefined: the newest one, whichever that is
	 * @param opener what stays in view. Without one, what has the focus
	 */
	show(requestId: string | undefined, opener: Element | null = document.activeElement): void {
		this.requestId = requestId;
		this.opener = opener;
		this.takesFocus = true;
		this.#set(true);
	}

	/** Closes it, and returns the focus. The newest exchange is shown again. */
	close(): void {
		this.requestId = undefined;
		this.#set(false);
		if (this.opener instanceof HTMLElement) this.opener.focus();
	}

	toggle(): void {
		if (this.isOpen) this.close();
		else this.show(this.requestId);
	}

	resize(height: number): void {
		this.height = height;
		this.#set(this.isOpen);
	}

	#set(isOpen: boolean): void {
		this.isOpen = isOpen;
		try {
			localStorage.setItem(storageKey, `${isOpen ? 'open' : 'closed'} ${this.height ?? ''}`);
		} catch {
			// Storage is blocked: the setting lasts until the page is closed.
		}
	}
}
