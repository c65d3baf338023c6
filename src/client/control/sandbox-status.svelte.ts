import type { SandboxStatus } from '#wire/control/sandboxes.ts';
import { ControlError } from './control-error.ts';
import { sendControlRequest } from './send-control-request.ts';

/** How often the status is read while a fault is active, in milliseconds: faults end by themselves. */
const interval = 5_000;

/** The status of the open sandbox, shared by everything on the page that shows it. */
export class SandboxStatusMonitor {
	#status: SandboxStatus | undefined = $state.raw();
	#error: ControlError | undefined = $state.raw();
	#baseUrl: string | undefined;
	#channel: BroadcastChannel | undefined;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#requests = 0;

	/** The latest status; undefined until the service has responded. Reactive. */
	get status(): SandboxStatus | undefined {
		return this.#status;
	}

	/** Why the latest request failed; undefined if it did not. Reactive. */
	get error(): ControlError | undefined {
		return this.#error;
	}

	/**
	 * Follows a sandbox: reads its status when this tab becomes visible, after changes in other tabs, and repeatedly while a fault is
	 * active. The first status is read by `refresh`.
	 * @param baseUrl of the sandbox, without a trailing slash
	 * @returns stops
	 */
	watch(baseUrl: string): () => void {
		if (this.#baseUrl !== baseUrl) this.#status = this.#error = undefined;
		this.#baseUrl = baseUrl;
		const refresh = () => void this.refresh();
		const refreshIfVisible = () => document.visibilityState === 'visible' && refresh();
		const channel = new BroadcastChannel(`tollgate-status ${baseUrl}`);
		this.#channel = channel;
		channel.addEventListener('message', refresh);
		document.addEventListener('visibilitychange', refreshIfVisible);
		return () => {
			this.#requests++;
			clearTimeout(this.#timer);
			channel.close();
			document.removeEventListener('visibilitychange', refreshIfVisible);
		};
	}

	/** Reads the status. Never rejects, see `error`. */
	async refresh(): Promise<void> {
		if (this.#baseUrl === undefined) return;
		const request = ++this.#requests;
		clearTimeout(this.#timer);
		const result = await read(this.#baseUrl);
		if (request !== this.#requests) return;
		if (result instanceof ControlError) this.#error = result;
		else [this.#status, this.#error] = [result, undefined];
		if (this.#status !== undefined && this.#status.faults > 0)
			this.#timer = setTimeout(() => void this.#poll(), interval);
	}

	/** Reads the status after this page changed the sandbox, and lets other tabs do the same. */
	async changed(): Promise<void> {
		this.#channel?.postMessage('changed');
		await this.refresh();
	}

	/** A hidden tab waits until it is visible again. */
	async #poll(): Promise<void> {
		if (document.visibilityState === 'visible') await this.refresh();
	}
}

async function read(baseUrl: string): Promise<SandboxStatus | ControlError> {
	try {
		return await sendControlRequest<SandboxStatus>(`${baseUrl}/control/status`, 'GET', {});
	} catch (thrown) {
		if (thrown instanceof ControlError) return thrown;
		throw thrown;
	}
}
