import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import { fromInit, headerOf, PageService } from '#hosts/page/page-service.ts';
import { algorithms, type Decision, type LimitPolicy, type LimitState } from '#service/limits/algorithms.ts';
import type { LimitersSetup } from './limiters-setup.ts';
import { StreamClock } from './stream-clock.ts';
import { streams, type StreamedRequest } from './streams.ts';

/** What one limiter did with one request of the stream. Times are in milliseconds after the beginning. */
export type LimiterStep = {
	readonly request: StreamedRequest;
	/** Later than the request if it waited in a queue. */
	readonly respondedAt: number;
	/** Undefined: it knew nothing. */
	readonly before: LimitState | undefined;
	readonly decision: Decision;
	/** The exchange, as the service recorded it, with its trace. */
	readonly entry: TrafficEntry;
};

/** A limiter in a separate sandbox, after the whole stream. */
export type LimiterRun = {
	readonly algorithm: LimitAlgorithm;
	readonly policy: LimitPolicy;
	readonly steps: readonly LimiterStep[];
};

type RunOptions = {
	/** Of the site, without a trailing slash. */
	readonly baseUrl: string;
	/** When the stream begins, in milliseconds since 1970. */
	readonly start: number;
};

/** More than a stream has requests: nothing is blacklisted. */
const neverBlacklisted = 1_000_000;
const redirect_uri = 'https://rate-limit-lab.example/callback';
const client_id = 'rate-limit-lab';

/** Sends the stream of a setup to a separate service for each limiter, all in this page. @throws ControlError */
export function runLimiters(setup: LimitersSetup, options: RunOptions): Promise<readonly LimiterRun[]> {
	return Promise.all(setup.limiters.map((algorithm) => runLimiter(algorithm, setup, options)));
}

async function runLimiter(
	algorithm: LimitAlgorithm,
	{ limit, window, dialect, stream }: LimitersSetup,
	{ baseUrl, start }: RunOptions
): Promise<LimiterRun> {
	const clock = new StreamClock(start);
	const service = new PageService<number, StreamClock>(baseUrl, clock);
	await service.prepare({
		settings: {
			dialect,
			limit_algorithm: algorithm,
			limits: { character: limit, window, blacklist_after_refused: neverBlacklisted }
		},
		applications: [{ client_id, name: 'Rate limit lab', kind: 'web', redirect_uris: [redirect_uri] }]
	});
	const request = await characterRequest(service);
	const sent: Sent[] = [];
	const runUntil = async (at: number) => {
		for (let next = clock.nextWake; next !== undefined && next <= at; next = clock.nextWake) {
			clock.moveTo(next);
			await Promise.race([...sent.filter(({ isOpen }) => isOpen).map(({ whenDone }) => whenDone), clock.whenAsleep()]);
		}
	};
	for (const at of streams[stream].times(limit, window * 1000)) {
		await runUntil(start + at);
		clock.moveTo(start + at);
		sent.push(send(service, request, at, () => clock.now() - start));
		await Promise.race([sent.at(-1)?.whenDone, clock.whenAsleep()]);
	}
	await runUntil(Infinity);
	await Promise.all(sent.map(({ whenDone }) => whenDone));
	const policy = { limit, window: window * 1000 };
	return { algorithm, policy, steps: stepsOf(sent, service, { algorithm, policy, start }) };
}

/** A request that was sent. `id` is that of its response. */
type Sent = {
	readonly at: number;
	readonly whenDone: Promise<void>;
	isOpen: boolean;
	respondedAt: number;
	id: string | undefined;
};

function send(
	service: PageService<number, StreamClock>,
	request: RequestInit & { url: string },
	at: number,
	now: () => number
): Sent {
	const whenDone = service.send(fromInit(request.url, request), at).then((response) => {
		sent.id = response && headerOf(response, 'x-request-id');
		sent.respondedAt = now();
		sent.isOpen = false;
	});
	const sent: Sent = { at, whenDone, isOpen: true, respondedAt: at, id: undefined };
	return sent;
}

/** The states of the limiter are those of the same function on the same requests: the service shows none. */
function stepsOf(
	sent: readonly Sent[],
	{ entries }: PageService<number, StreamClock>,
	{ algorithm, policy, start }: Omit<LimiterRun, 'steps'> & Pick<RunOptions, 'start'>
): readonly LimiterStep[] {
	let state: LimitState | undefined;
	return sent.flatMap(({ at, respondedAt, id }) => {
		const now = start + at;
		const before = state !== undefined && state.expires > now ? state : undefined;
		const decision = algorithms[algorithm].take(before, policy, now);
		state = decision.state;
		const entry = entries.find((one) => one.id === id);
		return entry === undefined ? [] : [{ request: { at }, respondedAt, before, decision, entry }];
	});
}

/** A request for a character with an access token that the application of the lab got. */
async function characterRequest(
	service: PageService<number, StreamClock>
): Promise<RequestInit & { readonly url: string }> {
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
	const { access_token, token_type }: { access_token: string; token_type: string } = await response.json();
	await service.api.request('DELETE /control/traffic');
	return {
		url: `${service.baseUrl}/ws/v2.0/character/${encodeURIComponent('Mara Vell')}`,
		headers: { authorization: `${token_type} ${access_token}` }
	};
}
