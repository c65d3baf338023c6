import type { SandboxStatus } from '#api/control/status.ts';
import type { ControlError } from '#client/control-api/control-error.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';

/** How often the status is read while a fault is active, in milliseconds: faults can expire. */
const interval = 5_000;

/** The status of the open sandbox, shared by everything on the page that shows it. */
export class SandboxStatusMonitor {
	readonly #query = new Query((signal) => this.#read(signal), {
		interval,
		canChange: (status) => status !== undefined && status.faults > 0
	});
	#baseUrl = '';
	#channel: BroadcastChannel | undefined;
	/** The status that the page began with. */
	#first: SandboxStatus | undefined;

	/** The latest status; undefined until the service has responded. Reactive. */
	get status(): SandboxStatus | undefined {
		return this.#query.data;
	}

	/** Whether the sandbox got another world after the page was loaded. Reactive. */
	get isWorldReplaced(): boolean {
		return this.status !== undefined && this.status.world !== this.#first?.world;
	}

	/** Why the latest request failed; undefined if it did not. Reactive. */
	get error(): ControlError | undefined {
		return this.#query.error;
	}

	/**
	 * Follows a sandbox: reads its status when this tab becomes visible, after changes in other tabs, and repeatedly while a fault is
	 * active. The first status is read by `refresh`.
	 * @param baseUrl of the sandbox, without a trailing slash
	 * @returns stops
	 */
	watch(baseUrl: string): () => void {
		if (this.#baseUrl !== baseUrl) {
			this.#query.clear();
			this.#first = undefined;
		}
		this.#baseUrl = baseUrl;
		const channel = new BroadcastChannel(`tollgate-status ${baseUrl}`);
		this.#channel = channel;
		channel.addEventListener('message', () => void this.refresh());
		const stop = this.#query.poll();
		return () => {
			stop();
			channel.close();
		};
	}

	async #read(signal: AbortSignal): Promise<SandboxStatus> {
		const status = await new ControlApi(this.#baseUrl).request('GET /control/status', { signal });
		this.#first ??= status;
		return status;
	}

	/** Reads the status. Never rejects, see `error`. */
	async refresh(): Promise<void> {
		if (this.#baseUrl !== '') await this.#query.refresh();
	}

	/** Reads the status after this page changed the sandbox, and lets other tabs do the same. */
	async changed(): Promise<void> {
		this.#channel?.postMessage('changed');
		await this.refresh();
	}
}
