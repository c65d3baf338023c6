import type { SandboxStatus } from '#api/control/status.ts';
import type { SeatStatus } from '#api/control/seats.ts';
import { ControlApi, type ControlError } from '#client/control-api/control-api.ts';
import { Query } from '#client/control-api/query.svelte.ts';
import type { World } from '#client/world.ts';

/** How often the status is read while a fault is active, in milliseconds: faults can expire. */
const interval = 5_000;

/** Where a client has the authority that it downloaded from the server. */
export const downloadedAuthority = './ca.pem';

/** The status of the open sandbox, shared by everything on the page that shows it. */
export class SandboxStatusMonitor {
	// Both at once: a page that has just got its seat has not lost it.
	readonly #query = new Query<{ readonly status: SandboxStatus; readonly seat: SeatStatus | undefined }>(
		async (signal) => {
			const status = await new ControlApi(this.#baseUrl).request('GET /control/status', { signal });
			return { status, seat: status.class ?? this.seat };
		},
		{
			interval,
			canChange: (data) => data !== undefined && data.status.faults > 0 && !this.#isGone
		}
	);
	#baseUrl = '';
	#channel: BroadcastChannel | undefined;

	/** The latest status; undefined until the service has responded. Reactive. */
	get status(): SandboxStatus | undefined {
		return this.#query.data?.status;
	}

	/** The seat of this sandbox as this page knew it last, also after its end. Reactive. */
	get seat(): SeatStatus | undefined {
		return this.#query.data?.seat;
	}

	/** Why this page no longer has the seat that it had. Undefined while it has it. Reactive. */
	get seatEnd(): 'deleted' | 'released' | undefined {
		if (this.seat === undefined) return undefined;
		return this.#isGone ? 'deleted' : this.status?.can_control === false ? 'released' : undefined;
	}

	get #isGone(): boolean {
		return this.error?.status === 404;
	}

	/** Where clients find the authority that the server created: its path, or the file to download. Undefined without one. Reactive. */
	get caFile(): string | undefined {
		return this.status?.ca_file ?? (this.status?.has_ca === true ? downloadedAuthority : undefined);
	}

	/** Whether the sandbox has another world than a page. Reactive. */
	hasReplaced(world: Pick<World, 'id'>): boolean {
		return this.status !== undefined && this.status.world !== world.id;
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
		if (this.#baseUrl !== baseUrl) this.#query.clear();
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
