import { FormState } from '#client/control-api/form-state.svelte.ts';
import type { PageContext } from '../shell/page-context.ts';

/** Opens the demo clients from the front page: in a sandbox of the visitor's own where the service gives each visitor one. */
export class VisitorSandbox {
	/** The request that creates it. */
	readonly form = new FormState();
	readonly #page: Pick<PageContext, 'monitor' | 'mySandboxes' | 'go'>;

	constructor(page: Pick<PageContext, 'monitor' | 'mySandboxes' | 'go'>) {
		this.#page = page;
	}

	/**
	 * Handles a click on a link of the front page. The page is cached for all visitors, so the status decides here.
	 * @param path of a page, below the base URL of a sandbox
	 */
	follow(event: MouseEvent, path: string): void {
		const opensHere = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
		const { status } = this.#page.monitor;
		const isCertain = status !== undefined && !(status.sandbox_per_visitor && !status.can_control);
		if (!opensHere || isCertain || this.#page.monitor.error !== undefined) return;
		event.preventDefault();
		if (!this.form.isBusy)
			void this.form.run(async () => this.#page.go((await this.#baseUrl()) + path, { reload: true }));
	}

	async #baseUrl(): Promise<string> {
		if (this.#page.monitor.status === undefined) await this.#page.monitor.refresh();
		const { status } = this.#page.monitor;
		if (status?.sandbox_per_visitor !== true || status.can_control)
			return status?.base_url ?? this.#page.mySandboxes.root.baseUrl;
		return this.#page.mySandboxes.forVisitor();
	}
}
