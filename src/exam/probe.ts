import type { ProbeControl } from './probe-control.ts';

/** The part of a probe that acts. */
export type Probe = {
	/** How long it may wait for the client, beside the usual time of a probe, in milliseconds. */
	readonly patience?: number;
	/** Changes the service before the exam signs in for the probe. */
	readonly arm?: (exam: ProbeControl) => Promise<void>;
	/** What the service, the browser and the user do. All that it adds to the service is removed after it. */
	readonly act: (exam: ProbeControl) => Promise<void>;
};
