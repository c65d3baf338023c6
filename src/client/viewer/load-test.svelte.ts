import { toClientError, type ClientError } from '../oauth/client-error.ts';
import { characterPath, patterns } from '../service-urls.ts';
import type { ViewerClient } from './client.ts';

/** What became of the requests of a load test so far. */
export type LoadTestResult = {
	readonly sent: number;
	readonly accepted: number;
	readonly rateLimited: number;
	/** Rejected for any other reason. */
	readonly otherErrors: number;
	readonly noResponse: number;
	/** Canceled by the user. The service may have counted them. */
	readonly canceled: number;
	/** The last of the other errors. */
	readonly error: ClientError | undefined;
};

type Outcome = Exclude<keyof LoadTestResult, 'sent' | 'error'>;

const outcomes = new Map<string, Outcome>([
	['rate_limit_exceeded', 'rateLimited'],
	['no_response', 'noResponse'],
	['aborted', 'canceled']
]);
/** Errors that don't end the test. */
const continueAfter = new Set(['not_found', 'insufficient_scope', 'invalid_request']);
const concurrency = 4;

/** Sends requests without throttling, to show the rate limit and the blacklist. */
export class LoadTest {
	result: LoadTestResult | undefined = $state.raw();
	isRunning = $state(false);
	readonly #client: ViewerClient;
	#abort: AbortController | undefined;

	constructor(client: ViewerClient) {
		this.#client = client;
	}

	/** Requests a character until the service stops responding, a request fails, or `stop` is called. */
	async start(userId: string, name: string): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		const abort = new AbortController();
		this.#abort = abort;
		this.result = {
			...{ sent: 0, accepted: 0, rateLimited: 0, otherErrors: 0, noResponse: 0, canceled: 0 },
			error: undefined
		};
		const { limit = 600 } = this.#client.resources.tracker.get(patterns.character) ?? {};
		let left = limit * 2 + 400;
		const worker = async () => {
			while (left > 0 && !abort.signal.aborted) {
				left -= 1;
				if (!(await this.#request(userId, name, abort.signal))) left = 0;
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		this.isRunning = false;
	}

	stop(): void {
		this.#abort?.abort();
	}

	/** Sends one request. Returns whether the test goes on. */
	async #request(userId: string, name: string, signal: AbortSignal): Promise<boolean> {
		let sends = 0;
		const onSend = () => {
			// The first one was rejected for its access token, which was refreshed.
			if (sends > 0) this.#count('otherErrors');
			sends += 1;
			this.#count('sent');
		};
		try {
			const request = { tokenSetId: userId, pattern: patterns.character, ignoreLimits: true, onSend, signal };
			await this.#client.resources.get(characterPath(name), request);
			this.#count('accepted');
			return true;
		} catch (thrown) {
			const error = toClientError(thrown);
			const outcome = outcomes.get(error.code);
			if (sends > 0) this.#count(outcome ?? 'otherErrors');
			if (outcome === undefined && error.code !== 'requests_paused') this.#set({ error });
			return sends > 0 && (outcome !== undefined || continueAfter.has(error.code));
		}
	}

	#count(counter: Outcome | 'sent'): void {
		if (this.result !== undefined) this.#set({ [counter]: this.result[counter] + 1 });
	}

	#set(part: Partial<LoadTestResult>): void {
		if (this.result !== undefined) this.result = { ...this.result, ...part };
	}
}
