import type { WireResponse } from '#api/message.ts';
import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import { fromInit, headerOf, PageService, type ServiceClock } from '#hosts/page/page-service.ts';
import { algorithms, type LimitState } from '#service/limits/algorithms.ts';
import { allTestCards } from '#service/sandbox/test-card-list.ts';
import { openAt, type LimiterRun, type LimiterStep, type LimiterName, type LimitersSetup } from './limiters-setup.ts';
import { streams, type StreamedRequest } from './streams.ts';

import * as v from 'valibot';

const tokenResponse = v.object({ access_token: v.string(), token_type: v.string() });

export type RunOptions = {
	/** Of the site, without a trailing slash. */
	readonly baseUrl: string;
	/** When the stream begins, in milliseconds since 1970. */
	readonly start: number;
};

/** More than a stream has requests: nothing is blacklisted. */
const neverBlacklisted = 1_000_000;
const slowName = allTestCards.find(({ outcome }) => outcome === 'slow')?.name ?? '';
/** A limit that no stream reaches. */
const wideLimit = 1000;
const redirect_uri = 'https://rate-limit-lab.example/callback';
const client_id = 'rate-limit-lab';

/** Sends the stream of a setup to a separate service for each limiter, all in this page. @throws ControlError */
export function runLimiters(setup: LimitersSetup, options: RunOptions): Promise<readonly LimiterRun[]> {
	return Promise.all(setup.limiters.map((algorithm) => runLimiter(algorithm, setup, options)));
}

async function runLimiter(
	algorithm: LimiterName,
	{ limit, window, dialect, stream, cost, slots }: LimitersSetup,
	{ baseUrl, start }: RunOptions
): Promise<LimiterRun> {
	const clock = new StreamClock(start);
	const service = new PageService<number, StreamClock>(baseUrl, clock);
	await service.prepare({
		settings: {
			dialect,
			limit_algorithm: algorithm === 'concurrency' ? 'fixed_window' : algorithm,
			limits: {
				character: algorithm === 'concurrency' ? wideLimit : limit,
				window,
				slow_cost: cost,
				concurrent: algorithm === 'concurrency' ? slots : 0,
				blacklist_after_refused: neverBlacklisted
			}
		},
		applications: [{ client_id, name: 'Rate limit lab', kind: 'web', redirect_uris: [redirect_uri] }]
	});
	const requestOf = await characterRequests(service);
	const sent: { readonly request: StreamedRequest; readonly response: Promise<WireResponse | undefined> }[] = [];
	for (const request of streams[stream].requests(limit, window * 1000)) {
		await clock.moveTo(start + request.at);
		const { url, ...init } = requestOf(request);
		sent.push({ request, response: service.send(fromInit(url, init), request.at) });
	}
	await clock.moveTo(Infinity);
	const received: Received[] = [];
	for (const [index, { request, response }] of sent.entries()) {
		const id = await response.then((one) => one && headerOf(one, 'x-request-id'));
		const entry = service.entries.find((one) => one.id === id);
		if (entry !== undefined) received.push({ request, respondedAt: (clock.ends[index] ?? start) - start, entry });
	}
	const policy = { limit: algorithm === 'concurrency' ? slots : limit, window: window * 1000 };
	return { algorithm, policy, steps: stepsOf(received, { algorithm, policy, start, cost }) };
}

/** A request with its response. */
type Received = Pick<LimiterStep, 'request' | 'respondedAt' | 'entry'>;

/** The states of the limiter are those of the same function on the same requests: the service shows none. */
function stepsOf(
	received: readonly Received[],
	{
		algorithm,
		policy,
		start,
		cost: slowCost
	}: Omit<LimiterRun, 'steps'> & Pick<RunOptions, 'start'> & Pick<LimitersSetup, 'cost'>
): readonly LimiterStep[] {
	let state: LimitState | undefined;
	const steps: LimiterStep[] = [];
	for (const { request, respondedAt, entry } of received) {
		const now = start + request.at;
		const cost = request.isSlow === true && algorithm !== 'concurrency' ? slowCost : 1;
		if (algorithm === 'concurrency') {
			const count = openAt(steps, request.at);
			const isAccepted = count < policy.limit;
			const stateOf = (open: number) => ({ count: open, expires: Infinity });
			const decision = { state: stateOf(count + (isAccepted ? 1 : 0)), isAccepted, delay: 0 };
			steps.push({ request, respondedAt, cost, before: stateOf(count), decision, entry });
			continue;
		}
		const before = state !== undefined && state.expires > now ? state : undefined;
		const decision = algorithms[algorithm].take(before, policy, now, cost);
		state = decision.state;
		steps.push({ request, respondedAt, cost, before, decision, entry });
	}
	return steps;
}

type CharacterRequest = RequestInit & { readonly url: string };

/** Requests for characters with an access token that the application of the lab got. */
async function characterRequests(
	service: PageService<number, StreamClock>
): Promise<(request: StreamedRequest) => CharacterRequest> {
	const client_secret = await service.secretOf(client_id);
	const code_verifier = randomText();
	const query = new URLSearchParams({
		response_type: 'code',
		client_id,
		redirect_uri,
		scope: 'character_read',
		state: randomText(),
		code_challenge: await challengeOf(code_verifier),
		code_challenge_method: 'S256'
	});
	const { location = '' } = await service.api.request('POST /control/authorizations', {
		body: { username: 'player-one', query: query.toString() }
	});
	const code = new URL(location).searchParams.get('code') ?? '';
	const response = await service.fetch(`${service.baseUrl}/ws/oauth2/token/`, {
		method: 'POST',
		body: new URLSearchParams({
			grant_type: 'authorization_code',
			code,
			redirect_uri,
			client_id,
			client_secret,
			code_verifier
		})
	});
	const { access_token, token_type } = v.parse(tokenResponse, await response.json());
	await service.api.request('DELETE /control/traffic');
	return ({ isSlow = false }) => ({
		url: `${service.baseUrl}/ws/v2.0/character/${encodeURIComponent(isSlow ? slowName : 'Mara Vell')}`,
		headers: { authorization: `${token_type} ${access_token}` }
	});
}

type Sleeper = { readonly at: number; readonly wake: () => void };

/** The clock of a service that gets a stream of requests. It moves from one event of the stream to the next. */
class StreamClock implements ServiceClock {
	/** When the response of each request was ready, in the order of the requests. */
	readonly ends: (number | undefined)[] = [];
	#now: number;
	#sleepers: readonly Sleeper[] = [];
	/** Requests that are handled and do not sleep. */
	#active = 0;
	#onQuiet: (() => void) | undefined;

	/** @param start milliseconds since 1970 */
	constructor(start: number) {
		this.#now = start;
	}

	readonly now = (): number => this.#now;

	readonly delay = (milliseconds: number): Promise<void> =>
		new Promise((wake) => {
			this.#sleepers = [...this.#sleepers, { at: this.#now + milliseconds, wake }];
			this.#change(-1);
		});

	async during<T>(request: () => Promise<T>): Promise<T> {
		const at = this.ends.push(undefined) - 1;
		this.#change(1);
		try {
			return await request();
		} finally {
			this.ends[at] = this.#now;
			this.#change(-1);
		}
	}

	/** Moves the clock to a time, and stops at each response that waits until then. Resolves once all requests sleep or have a response. */
	async moveTo(at: number): Promise<void> {
		for (;;) {
			await this.#whenQuiet();
			const next = Math.min(...this.#sleepers.map((one) => one.at));
			if (next > at || next === Infinity) break;
			this.#now = next;
			const due = this.#sleepers.filter((one) => one.at === next);
			this.#sleepers = this.#sleepers.filter((one) => one.at !== next);
			this.#change(due.length);
			for (const { wake } of due) wake();
		}
		if (at !== Infinity) this.#now = at;
	}

	#change(by: number): void {
		this.#active += by;
		if (this.#active === 0) this.#onQuiet?.();
	}

	#whenQuiet(): Promise<void> {
		return this.#active === 0 ? Promise.resolve() : new Promise((resolve) => (this.#onQuiet = resolve));
	}
}
