/** What a page sends to the service worker. */
export type WorkerRequest =
	/** Respond with a `WorkerStatus`. */
	| 'status'
	/** Delete everything that the service and the clients store, then reload all tabs. */
	| 'clear'
	/** Download the files that are missing for use offline. */
	| 'fill cache'
	/** To a waiting worker: take over. */
	| 'activate'
	/** To the active worker: end all event streams and open no other, so that the waiting worker can take over at once. */
	| 'leave';

/** Sent to every page after `clear`. The page deletes what it keeps in `sessionStorage` and reloads. */
export const cleared = 'tollgate: cleared';

/** Sent to every page before `cleared`, if the reason is that the site has another world. */
export const worldReplaced = 'tollgate: world replaced';

/** Where the service keeps its data. */
export type StorageStatus = {
	readonly storage: 'stored' | 'memory';
	/** Why the data is only in memory, or the site does not work offline. */
	readonly problem?: string | undefined;
};

export type WorkerStatus = StorageStatus & {
	/** Of the app. A page of another version is older or newer than the worker. */
	readonly version: string;
	/** Whether all files of this version are kept. If not, a new version does not wait for the user. */
	readonly isComplete: boolean;
};

const requests: readonly unknown[] = ['status', 'clear', 'fill cache', 'activate', 'leave'] satisfies WorkerRequest[];

export function isWorkerRequest(data: unknown): data is WorkerRequest {
	return requests.includes(data);
}

/** Sends a request to the worker that controls this page. */
export function askWorker<Reply>(request: WorkerRequest): Promise<Reply> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }: MessageEvent<Reply>) => {
			port1.close();
			resolve(data);
		};
		navigator.serviceWorker.controller?.postMessage(request, [port2]);
	});
}
