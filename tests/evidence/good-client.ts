import type { ProbeId } from '#api/exam.ts';
import type { Log } from './log.ts';

/** What a good client may do, or what there may be between it and the service. Times are milliseconds. */
export type Behavior = {
	/** Its users share what was read, and it has one target only. */
	readonly sharesCache?: true;
	/** How many times it sends a request for a resource that got no response or 503. */
	readonly tries?: number;
	/** Its HTTP library repeats a request that got no response, at once. */
	readonly repeatsSilently?: true;
	/** It refreshes by its clock only. */
	readonly ignoresRejection?: true;
	/** From a use to the call, and from a sign-out to the revocation. */
	readonly queue?: number;
	/** How many processes it has. Each has an address. */
	readonly workers?: number;
	/** Headers of a proxy, or of the browser in front of it. */
	readonly headers?: Readonly<Record<string, string>>;
	/** How much too early its clock says that a window is over. */
	readonly skew?: number;
	/** From a request to its response. */
	readonly latency?: number;
	/** What precedes its requests. */
	readonly asksBefore?: 'HEAD' | 'OPTIONS';
	/** A browser fetches the authorization request ahead. */
	readonly prefetches?: true;
	readonly stateForm?: 'encrypted' | 'jwt';
	/** It tries HTTP Basic before it sends the secret in the form. */
	readonly triesBasic?: true;
};

type Response = {
	readonly status: number | null;
	readonly failed?: string;
	readonly remaining?: number;
	/** The call is that of the request before. */
	readonly isRepeat?: boolean;
	/** The call was sent before the response to the one before arrived. */
	readonly isParallel?: true;
};

const dead: Response = { status: 401, failed: 'access_token.known' };
const [cacheTime, windowTime] = [60_000, 6000];

/** Takes an exam as a good client does, in a log as the service writes it. */
export class GoodClient {
	readonly #log: Log;
	readonly #behavior: Behavior;
	#signIns = 0;
	#refreshes = 0;
	#uses = 0;
	#cachedUntil = -Infinity;
	/** The flow of the sign-in, and the name of its access token. */
	#flow = '';
	#token = '';

	constructor(log: Log, behavior: Behavior) {
		this.#log = log;
		this.#behavior = behavior;
	}

	takeExam(): void {
		for (const [browser, uses] of [
			['a', 4],
			['b', 1],
			['a', 1]
		] as const)
			this.#probe(
				'warm_up',
				uses,
				() => {
					this.#signIn();
					this.#use(uses);
				},
				{ browser }
			);
		for (const probe of ['extra', 'hard_code'] as const) this.#rejected(probe, () => this.#signIn());
		this.#probe('extra_fields', 1, () => {
			this.#signIn();
			this.#use(1);
		});
		this.#signIn();
		this.#use(1);
		this.#rejected('error_text', () => this.#log.denied(), { errorText: 'escaped' });
		this.#rejected('denied', () => {
			this.#before('auth');
			this.#log.denied();
			this.#log.denied();
		});
		this.#secondSignIn();
		for (const probe of ['unsolicited', 'nothing', 'no_state', 'wrong_state', 'other_browser', 'used_state'] as const)
			this.#rejected(probe, () => this.#begin(), { code: `code of the attacker in ${probe}`, browser: 'a' });
		this.#rejected('lost_exchange', () => this.#exchange(this.#begin(), null));
		this.#rejected('refused_exchange', () => this.#exchange(this.#begin(), 400));
		this.#tokens();
		this.#limits();
		this.#end();
	}

	#secondSignIn(): void {
		const { ignoresRejection } = this.#behavior;
		this.#signedIn();
		const [first, token] = [this.#flow, this.#token];
		this.#probe('second_sign_in', 1, () => {
			this.#signIn(true);
			this.#use(1);
		});
		this.#probe('second_sign_in', 1, () => {
			this.#call(dead);
			if (ignoresRejection !== true) this.#refresh(first);
		});
		[this.#flow, this.#token] = [first, token];
	}

	#tokens(): void {
		const { ignoresRejection } = this.#behavior;
		this.#signedIn();
		for (const later of [0, 1])
			this.#probe('early_end', 5 + later, () => {
				for (let count = 0; count < 5; count++) this.#call({ ...dead, isParallel: true }, 5);
				if (ignoresRejection === true) return;
				this.#refresh();
				this.#use(5 + later);
			});
		this.#signedIn();
		this.#probe('expired', 1, () => this.#refreshAndCall());
		this.#signedIn();
		this.#probe('short_life', 10, () => this.#use(10));
		this.#signedIn();
		this.#probe('always_401', 2, () => [dead, dead].forEach((response) => this.#refreshAndCall(response)));
		this.#signedIn();
		this.#probe('forbidden', 3, () => [1, 2, 3].forEach(() => this.#call({ status: 403 })));
		for (const probe of ['refresh_fails', 'lost_refresh'] as const) {
			this.#signedIn();
			this.#probe(probe, 3, () => {
				for (const status of [probe === 'lost_refresh' ? null : 503, null]) {
					this.#call(dead);
					if (ignoresRejection !== true) this.#refresh(this.#flow, status);
				}
				this.#refreshAndCall();
			});
		}
	}

	#limits(): void {
		const { skew = 0, workers = 1, tries = 1 } = this.#behavior;
		this.#signedIn();
		this.#probe('cache', 6, () => this.#use(1));
		this.#probe('limited', 1, () => this.#call({ status: 400, failed: 'rate_limit.not_exceeded', remaining: 0 }));
		for (let window = 0; window < 2; window++) {
			this.#signedIn();
			this.#probe('limited', 12, () => {
				for (const remaining of [2, 1, 0])
					for (let worker = 0; worker < workers; worker++) this.#call({ status: 200, remaining }, 150);
				// What was under way gets an error.
				for (let count = 0; count < 6; count++)
					this.#call({ status: 400, failed: 'rate_limit.not_exceeded', remaining: 0, isParallel: true }, 20);
				this.#call({ status: 200, remaining: 2 }, windowTime + 1000 - skew);
			});
		}
		this.#signedIn();
		this.#probe('unavailable', 2, () =>
			[1, 2].forEach(() => {
				for (let one = 0; one < tries; one++) this.#call({ status: 503, isRepeat: one > 0 }, 600 * 2 ** one);
			})
		);
	}

	#end(): void {
		const { tries = 1, queue = 0, repeatsSilently, ignoresRejection } = this.#behavior;
		this.#signedIn();
		this.#probe('user_revoked', 6, () => {
			this.#call(dead);
			if (ignoresRejection !== true) this.#refresh(this.#flow, 400);
		});
		this.#signedIn();
		this.#probe('signed_out', 1, () => queue === 0 && this.#log.revoke(this.#flow));
		if (queue > 0) this.#log.revoke(this.#flow);
		this.#signedIn();
		this.#probe('blacklisted', 4, () => {
			for (let use = 0; use < 4; use++)
				for (let one = 0; one < tries; one++) {
					this.#call({ status: null, isRepeat: one > 0 }, 600 * 2 ** one);
					if (repeatsSilently === true) this.#call({ status: null, isRepeat: true }, 2);
				}
		});
	}

	#probe(probe: ProbeId, uses: number, happens: () => unknown, more: object = {}): void {
		this.#log.probe(probe, { uses, ...more }, () => void happens());
	}

	/** A step that a good client rejects, and the sign-in after it. */
	#rejected(probe: ProbeId, happens: () => unknown, more: object = {}): void {
		this.#probe(probe, 0, happens, { aliveAfter: true, ...more });
		this.#signIn();
	}

	#signedIn(): void {
		this.#signIn();
		this.#use(1);
	}

	#begin(): string {
		const { stateForm: form = 'base64url', headers = {}, prefetches } = this.#behavior;
		const number = ++this.#signIns;
		const query = { client_id: 'client', redirect_uri: 'http://localhost:3000/callback', scope: 'character_basic' };
		this.#before('auth');
		const look = { state: `state ${number}`, challenge: `challenge-${number}`, form, bits: 256 };
		if (prefetches === true) {
			const state = this.#log.secret('state', look.state, { form, bits: 256 });
			const requestHeaders = { 'Sec-Purpose': 'prefetch', 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'no-cors' };
			const sent = { ...query, state, code_challenge: look.challenge };
			this.#log.add({ endpoint: 'auth', path: '/ws/oauth2/auth/', query: sent, requestHeaders, status: 200 });
		}
		return this.#log.signIn({ ...look, requestHeaders: { ...headers } });
	}

	/** @param isSecond the response has no refresh token */
	#signIn(isSecond = false): void {
		this.#flow = this.#begin();
		this.#token = '';
		this.#exchange(this.#flow, 200);
		if (isSecond) this.#log.entries.at(-1)?.credentials.pop();
	}

	#exchange(flow: string, status: number | null): void {
		const { triesBasic, repeatsSilently, latency = 0 } = this.#behavior;
		this.#before('token');
		if (triesBasic === true) {
			const Authorization = `Basic ${this.#log.secret('client secret', 'secret')}`;
			this.#log.exchange(flow, { status: 401, failed: 'token.secret', requestHeaders: { Authorization } });
		}
		const outcome = status === 200 ? { passed: 'token.redirect_uri_matches' } : { failed: 'fault.not_injected' };
		const part = { status, duration: latency, ...outcome };
		this.#log.exchange(flow, part, 20 + latency);
		if (status === null && repeatsSilently === true) this.#log.exchange(flow, part, 2);
	}

	#use(count: number): void {
		for (let use = 0; use < count; use++) {
			if (this.#behavior.sharesCache === true && this.#log.at < this.#cachedUntil) continue;
			this.#call({ status: 200 }, 150 + (this.#behavior.queue ?? 0));
			this.#cachedUntil = this.#log.at + cacheTime;
		}
	}

	#refreshAndCall(response: Response = { status: 200 }): void {
		this.#call(dead);
		if (this.#behavior.ignoresRejection === true) return;
		this.#refresh();
		this.#call(response);
	}

	#refresh(flow = this.#flow, status: number | null = 200): void {
		const { latency = 0, repeatsSilently } = this.#behavior;
		const name = ` ${++this.#refreshes}`;
		this.#before('token');
		const part = { status, duration: latency, ...(status === 200 ? {} : { failed: 'fault.not_injected' }) };
		this.#log.refresh(flow, name, part, 20 + latency);
		if (status === null && repeatsSilently === true) this.#log.refresh(flow, name, part, 2);
		if (status === 200) [this.#flow, this.#token] = [flow, name];
	}

	#call({ status, failed, remaining, isRepeat, isParallel }: Response, wait = 150): void {
		const { workers = 1, headers = {}, latency = 0, sharesCache } = this.#behavior;
		this.#before('character');
		const end = Math.ceil(this.#log.at / 1000) + windowTime / 1000;
		const number = isRepeat === true ? this.#uses : ++this.#uses;
		const path = `/ws/v2.0/character/Exam%20${sharesCache === true ? 1 : number}`;
		const Authorization = this.#log.secret('access token', `access_token${this.#token} of ${this.#flow}`);
		const limits = {
			'X-RateLimit-Limit': '3',
			'X-RateLimit-Remaining': `${remaining}`,
			'X-RateLimit-Reset': `${end}`,
			Date: new Date(this.#log.at).toUTCString()
		};
		const part = {
			status,
			path,
			duration: latency,
			address: `192.0.2.${1 + (number % workers)}`,
			requestHeaders: { Authorization, ...headers },
			...(failed === undefined ? {} : { failed }),
			...(remaining === undefined ? {} : { headers: limits })
		};
		this.#log.call(this.#flow, part, isParallel === true ? wait : wait + latency, this.#token);
	}

	/** A preflight, or a request for the headers only. */
	#before(endpoint: 'auth' | 'token' | 'character'): void {
		const { asksBefore } = this.#behavior;
		if (asksBefore === undefined || (asksBefore === 'HEAD' && endpoint !== 'auth')) return;
		const path = endpoint === 'character' ? '/ws/v2.0/character/Exam%201' : `/ws/oauth2/${endpoint}/`;
		this.#log.add({ endpoint, method: asksBefore, path, query: { client_id: 'client' }, status: 204 }, 10);
	}
}
