import type { Finding, Mark, ProbeId } from '#api/exam.ts';
import type { CredentialEvent, TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { upgradeTrafficEntry } from '#api/earlier-traffic-entry.ts';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { buildRun } from '#evidence/run.ts';

type Part = Partial<Omit<TrafficEntry, 'request' | 'response'>> & {
	method?: string;
	path?: string;
	query?: Record<string, string>;
	form?: Record<string, string>;
	requestHeaders?: Record<string, string>;
	/** Null: no response. */
	status?: number | null;
	headers?: Record<string, string>;
	/** The check that rejected the request, and its cause. */
	failed?: string;
	cause?: string;
	found?: string;
	passed?: string;
};

type SignIn = {
	state?: string;
	challenge?: string;
	scope?: string;
	redirect_uri?: string;
	secret?: string;
	/** Further parameters. */
	query?: Record<string, string>;
	nonce?: string;
	requestHeaders?: Record<string, string>;
	form?: string;
	bits?: number;
};

/** A log that a test writes, as the service does. Each request ends one second after the one before it. */
export class Log {
	readonly entries: TrafficEntry[] = [];
	readonly marks: Mark[] = [];
	kind: 'web' | 'installed' = 'web';
	/** Milliseconds. */
	at = Date.UTC(2026, 10, 23);
	readonly #values = new Map<string, TrafficValue>();
	#flows = 0;

	/** The text in a message in place of a value. */
	secret(kind: string, id: string, more: object = {}): string {
		const known = this.#values.get(id) ?? { label: `${kind} ${this.#values.size + 1}`, preview: '', id, ...more };
		this.#values.set(id, known);
		return `‹${known.label}›`;
	}

	/** @param wait milliseconds since the entry before it */
	add(part: Part, wait = 1000): TrafficEntry {
		const {
			method = 'GET',
			path = '/',
			query = {},
			form = {},
			status = 200,
			headers = {},
			requestHeaders = {},
			...more
		} = part;
		const encoded = (value: string) => (value.startsWith('‹') ? value : encodeURIComponent(value));
		const pairs = (fields: Record<string, string>) =>
			Object.entries(fields).map(([name, value]) => `${name}=${encoded(value)}`);
		const search = pairs(query).join('&');
		const request = {
			method,
			target: search === '' ? path : `${path}?${search}`,
			headers: Object.entries(requestHeaders),
			body: pairs(form).join('&')
		};
		const text = JSON.stringify(request);
		const values = [...this.#values.values()].filter(({ label }) => text.includes(`‹${label}›`));
		const { failed, cause, found, passed, trace = [], ...fields } = more;
		const line = (id: string, outcome: 'failed' | 'passed') => ({
			id,
			name: id,
			section: '',
			outcome,
			detail: '',
			duration_us: 1
		});
		this.at += wait;
		const seq = this.entries.length + 1;
		const entry = upgradeTrafficEntry({
			seq,
			id: `id-${seq}`,
			at: this.at,
			duration: 0,
			endpoint: 'character',
			address: '192.0.2.1',
			client_id: 'client',
			request,
			response:
				status === null
					? null
					: {
							status,
							headers: Object.entries(headers),
							body: ''
						},
			trace: [
				...trace,
				...(passed === undefined ? [] : [line(passed, 'passed')]),
				...(failed === undefined
					? []
					: [
							{
								...line(failed, 'failed'),
								...(cause === undefined ? {} : { cause }),
								...(found === undefined ? {} : { found })
							}
						])
			],
			values,
			credentials: [],
			...fields
		});
		this.entries.push(entry);
		return entry;
	}

	/** An authorization request that leads to a code. Returns its flow. */
	signIn(
		{
			state,
			challenge,
			scope = 'character_basic',
			redirect_uri = 'http://localhost:3000/callback',
			secret,
			query = {},
			nonce = 'a',
			requestHeaders = {},
			...look
		}: SignIn = {},
		wait = 1000
	): string {
		const flow = `flow ${++this.#flows}`;
		this.add(
			{
				endpoint: 'auth',
				path: '/ws/oauth2/auth/',
				query: {
					client_id: 'client',
					redirect_uri,
					scope,
					...query,
					...(state === undefined ? {} : { state: this.secret('state', state, look) }),
					...(challenge === undefined ? {} : { code_challenge: challenge }),
					...(scope === 'openid' && { nonce }),
					...(secret === undefined ? {} : { client_secret: this.secret('client secret', secret) })
				},
				requestHeaders,
				status: 303,
				flow,
				passed: 'auth.redirect_uri_registered',
				trace: [
					{
						id: 'auth.client_known',
						name: '',
						section: '',
						outcome: 'passed',
						detail: `client, ${this.kind} application`,
						duration_us: 1
					}
				],
				credentials: [{ type: 'issued', kind: 'code', id: `code of ${flow}`, grant: `grant of ${flow}`, scopes: [] }]
			},
			wait
		);
		return flow;
	}

	denied(): TrafficEntry {
		return this.add({ endpoint: 'auth', path: '/ws/oauth2/auth/', query: { client_id: 'client' }, status: 303 });
	}

	/** The exchange of the code of a flow. */
	exchange(flow: string, part: Part = {}, wait = 20): TrafficEntry {
		const { status = 200 } = part;
		return this.add(
			{
				endpoint: 'token',
				method: 'POST',
				path: '/ws/oauth2/token/',
				form: {
					grant_type: 'authorization_code',
					client_secret: this.secret('client secret', 'secret'),
					code: this.secret('code', `code of ${flow}`)
				},
				passed: 'token.form_is_valid',
				flow,
				grant: `grant of ${flow}`,
				family: `family of ${flow}`,
				credentials:
					status === 200 ? [this.#token(flow, 'access_token', ''), this.#token(flow, 'refresh_token', '')] : [],
				...part
			},
			wait
		);
	}

	/** A refresh with the refresh token of a flow. Its access token has the name `next`. */
	refresh(flow: string, next: string, part: Part = {}, wait = 1000): TrafficEntry {
		const { status = 200 } = part;
		return this.add(
			{
				endpoint: 'token',
				method: 'POST',
				path: '/ws/oauth2/token/',
				form: { grant_type: 'refresh_token', refresh_token: this.secret('refresh token', `refresh_token of ${flow}`) },
				passed: 'token.form_is_valid',
				flow,
				grant: `grant of ${flow}`,
				family: `family of ${flow}`,
				credentials: status === 200 ? [this.#token(flow, 'access_token', next)] : [],
				...part
			},
			wait
		);
	}

	/** A call with an access token of a flow. @param name of the token: empty for that of the exchange */
	call(flow: string, part: Part = {}, wait = 1000, name = ''): TrafficEntry {
		const { status = 200 } = part;
		const id = `access_token${name} of ${flow}`;
		return this.add(
			{
				path: '/ws/v2.0/character/Mara%20Vell',
				requestHeaders: { Authorization: this.secret('access token', id) },
				flow,
				credentials: status === 200 ? [{ type: 'used', kind: 'access_token', id }] : [],
				...part
			},
			wait
		);
	}

	/** A call with a token that has expired or was ended. */
	deadCall(flow: string, wait = 100): TrafficEntry {
		return this.call(flow, { status: 401, failed: 'access_token.known' }, wait);
	}

	/** A revocation that ends the grant of a flow. */
	revoke(flow: string): TrafficEntry {
		return this.add({
			endpoint: 'revoke',
			path: '/ws/oauth2/revoke',
			flow,
			credentials: [{ type: 'ended', kind: 'grant', id: `grant of ${flow}`, reason: 'revoked' }]
		});
	}

	/** A sign-in, its exchange and a call. Returns its flow. */
	session(signIn: SignIn = {}): string {
		const flow = this.signIn(signIn);
		this.exchange(flow);
		this.call(flow);
		return flow;
	}

	/** Marks what happens as a probe of an exam. */
	probe(probe: ProbeId, more: Partial<Mark> = {}, happens: () => void = () => undefined): void {
		const from = this.entries.length + 1;
		happens();
		this.marks.push({ probe, from, to: this.entries.length, ...more });
	}

	findings(): Finding[] {
		return evaluateRules(allRules, buildRun(this.entries, this.marks));
	}

	/** The finding of a rule. */
	finding(rule: string): Finding | undefined {
		return this.findings().find((finding) => finding.rule === rule);
	}

	#token(flow: string, kind: 'access_token' | 'refresh_token', name: string): CredentialEvent {
		return {
			type: 'issued',
			kind,
			id: `${kind}${name} of ${flow}`,
			from: `code of ${flow}`,
			grant: `grant of ${flow}`,
			family: `family of ${flow}`,
			scopes: [],
			...(kind === 'access_token' ? { expires: this.at + 3_920_000 } : {})
		};
	}
}

/** What a client did, and what a rule says: `severity` and `text` where they are not those of the rule. */
export type Case = readonly [
	rule: string,
	verdict: Finding['verdict'],
	what: string,
	happens: (log: Log) => void,
	expected?: { readonly severity?: number; readonly text?: string }
];
