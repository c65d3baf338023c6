import { toClientError, type ClientError } from '#client/oauth/client-error.ts';
import { characterPath, patterns } from '#client/service-urls.ts';
import type { ViewerClient } from './client.ts';
import type { Viewer } from './viewer.svelte.ts';

export type LoadTestResult = {
	readonly sent: number;
	readonly accepted: number;
	readonly rateLimited: number;
	/** Rejected for the access token, which was refreshed, and sent again. */
	readonly repeated: number;
	/** Rejected for any other reason. */
	readonly otherErrors: number;
	readonly noResponse: number;
	/** Canceled by the user. The service may have counted them. */
	readonly canceled: number;
	/** The last of the other errors, or the missing response that ended the test. */
	readonly error: ClientError | undefined;
};

type Call = {
	readonly userId: string;
	readonly name: string;
	readonly mode: LoadTestMode;
	readonly signal: AbortSignal;
};

type Counter = Exclude<keyof LoadTestResult, 'sent' | 'error'>;

const outcomes = new Map<string, Counter>([
	['rate_limit_exceeded', 'rateLimited'],
	['no_response', 'noResponse'],
	['aborted', 'canceled']
]);
/** After this number of requests without a response the test ends. */
const mostWithoutResponse = 2;
/** Errors that don't end the test. */
const continueAfter = new Set(['not_found', 'insufficient_scope', 'invalid_request']);

/** How the calls of a test are sent. */
export type LoadTestMode = {
	/** Undefined: enough to be blacklisted. */
	readonly calls?: number;
	/** How many are under way at the same time. */
	readonly concurrency: number;
	/** Throttles, and waits for the reset at the limit. */
	readonly respectsLimits: boolean;
};

export const loadTestModes = {
	untilBlacklisted: { concurrency: 4, respectsLimits: false },
	atOnce: { calls: 20, concurrency: 20, respectsLimits: false },
	inTurn: { calls: 20, concurrency: 1, respectsLimits: true }
} as const satisfies Readonly<Record<string, LoadTestMode>>;

const tests = new WeakMap<Viewer, LoadTest>();

/** The load test of a page, which ends with it. Pages that show none do not load it. */
export function loadTestOf(viewer: Viewer): LoadTest {
	const known = tests.get(viewer);
	if (known !== undefined) return known;
	const test = new LoadTest(viewer.client);
	tests.set(viewer, test);
	viewer.ends.add(() => test.stop());
	return test;
}

/** Sends many requests, to show the rate limit, the blacklist, and calls that share a refresh. */
export class LoadTest {
	result: LoadTestResult | undefined = $state.raw();
	isRunning = $state(false);
	readonly #client: ViewerClient;
	#abort: AbortController | undefined;

	constructor(client: ViewerClient) {
		this.#client = client;
	}

	/**
	 * Requests characters until all calls are sent, the service stops responding, a request fails, or `stop` is called.
	 * @param names of the characters, in turn
	 */
	async start(
		userId: string,
		names: readonly string[],
		mode: LoadTestMode = loadTestModes.untilBlacklisted
	): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		const abort = new AbortController();
		this.#abort = abort;
		this.result = {
			sent: 0,
			accepted: 0,
			rateLimited: 0,
			repeated: 0,
			otherErrors: 0,
			noResponse: 0,
			canceled: 0,
			error: undefined
		};
		const { limit = 600 } = this.#client.resources.tracker.get(patterns.character) ?? {};
		let left = mode.calls ?? limit * 2 + 400;
		const worker = async () => {
			while (left > 0 && !abort.signal.aborted) {
				left -= 1;
				const name = names[left % names.length] ?? '';
				if (!(await this.#request({ userId, name, mode, signal: abort.signal }))) left = 0;
			}
		};
		await Promise.all(Array.from({ length: mode.concurrency }, worker));
		this.isRunning = false;
	}

	stop(): void {
		this.#abort?.abort();
	}

	/** Sends one request, and repeats it after the reset where the mode respects the limits. Returns whether the test goes on. */
	async #request(call: Call): Promise<boolean> {
		const { userId, name, mode, signal } = call;
		let sends = 0;
		const onSend = () => {
			if (sends > 0) this.#count('repeated');
			sends += 1;
			this.#count('sent');
		};
		try {
			const request = {
				tokenSetId: userId,
				pattern: patterns.character,
				ignoreLimits: !mode.respectsLimits,
				onSend,
				signal
			};
			await this.#client.resources.get(characterPath(name, this.#client.world.resource.path), request);
			this.#count('accepted');
			return true;
		} catch (thrown) {
			const error = toClientError(thrown);
			const outcome = outcomes.get(error.code);
			if (sends > 0) this.#count(outcome ?? 'otherErrors');
			if (mode.respectsLimits && error.retryAt !== undefined) return this.#repeat(call, error.retryAt);
			const isLost = (this.result?.noResponse ?? 0) >= mostWithoutResponse;
			if (outcome === undefined || isLost) this.#set({ error });
			return !isLost && sends > 0 && (outcome !== undefined || continueAfter.has(error.code));
		}
	}

	/** @param retryAt milliseconds since 1970 by the service's clock */
	async #repeat(call: Call, retryAt: number): Promise<boolean> {
		const { environment, clock } = this.#client;
		try {
			await environment.sleep(retryAt - clock.now(), call.signal);
		} catch {
			// Stopped by the user.
			return false;
		}
		return this.#request(call);
	}

	#count(counter: Counter | 'sent'): void {
		if (this.result !== undefined) this.#set({ [counter]: this.result[counter] + 1 });
	}

	#set(part: Partial<LoadTestResult>): void {
		if (this.result !== undefined) this.result = { ...this.result, ...part };
	}
}
