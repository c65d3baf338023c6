import type { Tone } from '../display/status-tone.ts';

export type Toast = {
	readonly id: number;
	readonly tone: Tone;
	readonly title: string;
	readonly detail?: string | undefined;
	/** A button: `Undo`. */
	readonly action?: { readonly label: string; readonly run: () => void } | undefined;
};

const durationMs = 5000;
const actionMs = 10000;
const maxToasts = 3;

/** Short notifications about a finished action. Errors belong next to the control that caused them. */
export class Toasts {
	list: readonly Toast[] = $state.raw([]);
	#next = 1;
	#held = false;
	#timers = new Map<number, ReturnType<typeof setTimeout>>();

	/** Shows a notification and removes the oldest of more than three. Returns its id. */
	show(toast: Omit<Toast, 'id' | 'tone'> & { tone?: Tone }): number {
		const id = this.#next++;
		this.list = [...this.list, { tone: 'ok', ...toast, id }];
		for (const old of this.list.slice(0, -maxToasts)) this.dismiss(old.id);
		this.#schedule(id);
		return id;
	}

	dismiss(id: number): void {
		clearTimeout(this.#timers.get(id));
		this.#timers.delete(id);
		this.list = this.list.filter((toast) => toast.id !== id);
		if (this.list.length === 0) this.#held = false;
	}

	/** Keeps all notifications while the user points at them or has the focus in them. */
	hold(): void {
		this.#held = true;
		this.#stop();
	}

	/** Restarts the timers from zero. */
	release(): void {
		this.#held = false;
		this.#stop();
		for (const toast of this.list) this.#schedule(toast.id);
	}

	#stop(): void {
		for (const timer of this.#timers.values()) clearTimeout(timer);
		this.#timers.clear();
	}

	#schedule(id: number): void {
		const toast = this.list.find((other) => other.id === id);
		if (toast === undefined || this.#held) return;
		const time = toast.action === undefined ? durationMs : actionMs;
		this.#timers.set(
			id,
			setTimeout(() => this.dismiss(id), time)
		);
	}
}

export const toasts = new Toasts();
