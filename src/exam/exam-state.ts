import type { Driver } from './driver.ts';
import type { Names } from './names.ts';
import type { OwnRequests } from './own-requests.ts';
import type { ExamSandbox } from './sandbox.ts';
import type { Timers } from './timers.ts';
import type { TrafficReader } from './traffic-reader.ts';

/** What the probes of one exam share. */
export type ExamState = {
	readonly sandbox: ExamSandbox;
	readonly driver: Driver;
	readonly traffic: TrafficReader;
	readonly timers: Timers;
	/** The users that the exam has signed in. */
	readonly users: string[];
	readonly names: Names;
	readonly own: OwnRequests;
	/** The status of the page that used the client last, and 0 where there was no response. Undefined: the client was not used. */
	useStatus: number | undefined;
	/** Why the driver could not do something, the latest. */
	problem: string | undefined;
	/** Why a browser could not go on in a sign-in, the first. */
	obstacle: string | undefined;
	/** How long the latest use took, in milliseconds. */
	useTime: number;
	/** How long after its page the client sends a call, in milliseconds. Undefined: no use has shown it yet. */
	lag: number | undefined;
};

/** An authorization request that a browser has not opened yet. */
export type BegunRequest = {
	/** Of its URL. */
	readonly query: URLSearchParams;
	/** What the service reads: those of the query, or those that the client pushed. */
	readonly parameters: URLSearchParams;
};
