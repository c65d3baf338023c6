import { tick } from 'svelte';

/** Gives the focus back to the list when the selected exchange is closed. */
export class ReturnFocus {
	#opener: Element | null = null;

	/** Call it when an exchange is opened: what has the focus has opened it. */
	opened(): void {
		this.#opener = document.activeElement;
	}

	/** @param view the list, or what is shown in its place */
	async closed(view: HTMLElement): Promise<void> {
		// In a narrow inspector, the view is hidden until then.
		await tick();
		const opener = this.#opener !== null && view.contains(this.#opener) ? this.#opener : undefined;
		const target = opener ?? view.querySelector('[tabindex="0"]');
		if (target instanceof HTMLElement) target.focus();
	}
}

/** Whether a key closes the selected exchange. In a dialog, Escape closes the dialog. */
export function isCloseKey({ key, target, defaultPrevented }: KeyboardEvent): boolean {
	return key === 'Escape' && !defaultPrevented && target instanceof Element && target.closest('dialog') === null;
}
