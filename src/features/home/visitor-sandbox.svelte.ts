import type { MySandboxes } from '../shell/my-sandboxes.svelte.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';
import type { SandboxStatusMonitor } from '../shell/sandbox-status.svelte.ts';

/** Opens the demo clients from the front page: in a sandbox of the visitor's own where the service gives each visitor one. */
export class VisitorSandbox {
	/** The request that creates it. */
	readonly form = new FormState();
	readonly #monitor: SandboxStatusMonitor;
	readonly #mine: MySandboxes;

	constructor(monitor: SandboxStatusMonitor, mine: MySandboxes) {
		this.#monitor = monitor;
		this.#mine = mine;
	}

	/**
	 * Handles a click on a link of the front page. The page is cached for all visitors, so the status decides here.
	 * @param path of a page, below the base URL of a sandbox
	 */
	follow(event: MouseEvent, path: string): void {
		const opensHere = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
		const { status } = this.#monitor;
		const isCertain = status !== undefined && !(status.sandbox_per_visitor && !status.can_control);
		if (!opensHere || isCertain || this.#monitor.error !== undefined) return;
		event.preventDefault();
		if (!this.form.isBusy) void this.form.run(async () => location.assign((await this.#baseUrl()) + path));
	}

	async #baseUrl(): Promise<string> {
		if (this.#monitor.status === undefined) await this.#monitor.refresh();
		const { status } = this.#monitor;
		if (status?.sandbox_per_visitor !== true || status.can_control) return status?.base_url ?? this.#mine.root.baseUrl;
		return this.#mine.forVisitor();
	}
}
