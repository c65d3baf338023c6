import type { ProbeControl } from './probe-control.ts';

/** The part of a probe that acts. */
export type Probe = {
	/** Changes the service before the exam signs in for the probe. */
	readonly arm?: (exam: ProbeControl) => Promise<void>;
	/** What the service, the browser and the user do. All that it adds to the service is removed after it. */
	readonly act: (exam: ProbeControl) => Promise<void>;
};
