import type { Tone } from '#ui/display/status-tone.ts';

export type Toast = {
	readonly tone?: Tone;
	readonly title: string;
	readonly detail?: string | undefined;
	/** A button: `Undo`. */
	readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

const durationMs = 5000;
const actionMs = 10000;

/** A short notification about a finished action. Errors belong next to the control that caused them. */
export class Toasts {
	current: Toast | undefined = $state.raw();
	#timer: ReturnType<typeof setTimeout> | undefined;

	/** Shows a notification instead of the current one. */
	show(toast: Toast): void {
		this.current = toast;
		this.release();
	}

	dismiss(): void {
		this.hold();
		this.current = undefined;
	}

	/** Keeps the notification while the user points at it, has the focus in it, or is in another tab. */
	hold(): void {
		clearTimeout(this.#timer);
	}

	/** Restarts the timer from zero. */
	release(): void {
		this.hold();
		this.#timer = setTimeout(() => this.dismiss(), this.current?.action === undefined ? durationMs : actionMs);
	}
}

export const toasts = new Toasts();
