import type { StorageStatus } from './worker-messages.ts';

/** The state of the service in this browser, as a page shows it. */
export type HostStatus = {
	/** `starting`: the page is locked and reloads soon. `unavailable`: no service worker, see `problem`. */
	readonly worker: 'starting' | 'running' | 'unavailable';
	readonly storage: StorageStatus['storage'] | undefined;
	/** Why the service does not run, stores nothing, or does not work offline. */
	readonly problem: string | undefined;
	/** The mistakes in `world.json`. The demo world is used then. */
	readonly worldMistake: string | undefined;
	/** The site got another world a moment ago, so its earlier data was deleted. */
	readonly hasNewWorld: boolean;
	/** A new version is installed, and not all tabs use it. */
	readonly hasUpdate: boolean;
	/** The user started the update in this tab. */
	readonly isUpdating: boolean;
	/** A part of this page could not be downloaded. */
	readonly isPartMissing: boolean;
};

let status: HostStatus = $state.raw({
	worker: 'starting',
	storage: undefined,
	problem: undefined,
	worldMistake: undefined,
	hasNewWorld: false,
	hasUpdate: false,
	isUpdating: false,
	isPartMissing: false
});

/** Reads the status. Reactive. */
export function hostStatus(): HostStatus {
	return status;
}

export function setHostStatus(change: Partial<HostStatus>): void {
	status = { ...status, ...change };
}
