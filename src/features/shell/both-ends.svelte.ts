import { storedText, storeText } from '#client/storage/web-storage.ts';

const storageKey = 'tollgate:both-ends-height';

/**
 * What the strip at the bottom of the pages shows: the newest exchange, or a chosen one, and whether both of its ends are open, until
 * another page is shown. The browser remembers their height.
 */
export class BothEndsState {
	isOpen = $state(false);
	/** `X-Request-Id` of the chosen exchange. Undefined: the newest one. */
	requestId: string | undefined = $state();
	/** The most that they take, in percent of the window. */
	height: number | undefined = $state();
	/** What it was opened from. It stays in view. */
	opener: Element | null = null;

	/** Reads what is stored. Call once in the browser. */
	start(): void {
		const height = storedText(storageKey);
		if (/^\d\d$/.test(height)) this.height = Number(height);
	}

	/**
	 * Opens an exchange.
	 * @param requestId its `X-Request-Id`. Undefined: the newest one, whichever that is
	 * @param opener what stays in view. Without one, what has the focus
	 */
	show(requestId: string | undefined, opener: Element | null = document.activeElement): void {
		this.requestId = requestId;
		this.opener = opener;
		this.isOpen = true;
	}

	/** Closes it, and returns the focus. The newest exchange is shown again. */
	close(): void {
		this.leave();
		if (this.opener instanceof HTMLElement) this.opener.focus();
	}

	/** Closes it with its page, which has the focus no more. */
	leave(): void {
		this.requestId = undefined;
		this.isOpen = false;
	}

	toggle(): void {
		if (this.isOpen) this.close();
		else this.show(this.requestId);
	}

	resize(height: number): void {
		this.height = height;
		storeText(storageKey, String(height));
	}
}
