import * as v from 'valibot';
import { AssertionFailure, defined } from './assert.ts';
import { TestUser } from './user-agent.ts';
import { TestResponse } from './response.ts';
import type { TestRequest, RawStream, Transport } from './transport.ts';

/** An application, as a client knows itself. */
export type App = { readonly client_id: string; readonly client_secret: string; readonly redirect_uri: string };

/** Pairs in order, so that a field may come twice; or the encoded text. */
export type Pairs = Readonly<Record<string, string | undefined>> | readonly (readonly [string, string])[] | string;

const created = v.object({ id: v.string(), base_url: v.string(), key: v.string() });
const registered = v.object({ client_id: v.string(), client_secret: v.string(), redirect_uris: v.array(v.string()) });
const entry = v.object({
	seq: v.number(),
	endpoint: v.string(),
	client_id: v.optional(v.string()),
	username: v.optional(v.string()),
	grant: v.optional(v.string()),
	trace: v.array(
		v.object({
			id: v.string(),
			name: v.string(),
			section: v.string(),
			outcome: v.string(),
			cause: v.optional(v.string()),
			detail: v.string()
		})
	)
});
const clock = v.object({ now: v.number(), offset: v.number() });

export const formType = ['Content-Type', 'application/x-www-form-urlencoded'] as const;

/** A fresh sandbox of the host under test, and the ways to its service and its controls. */
export class Sandbox {
	readonly id: string;
	readonly base_url: string;
	readonly key: string;
	/** What its targets begin with. */
	readonly prefix: string;

	private constructor(
		readonly transport: Transport,
		private readonly made: v.InferOutput<typeof created>,
		private readonly address?: string
	) {
		this.id = made.id;
		this.base_url = made.base_url;
		this.key = made.key;
		this.prefix = made.base_url.slice(transport.origin.length);
	}

	/** @param json what to create it with; absent: nothing */
	static async create(transport: Transport, json?: unknown): Promise<Sandbox> {
		const sent =
			json === undefined ? {} : { headers: ['Content-Type', 'application/json'], body: JSON.stringify(json) };
		const received = await transport.send({ method: 'POST', target: '/control/sandboxes', ...sent });
		const response = new TestResponse(defined(received, 'the response to POST /control/sandboxes'));
		if (response.status !== 201) throw new AssertionFailure(`${response.status} ${response.text}`);
		return new Sandbox(transport, response.as(created));
	}

	async remove(): Promise<void> {
		await this.control('DELETE', 'sandbox');
	}

	/** The demo world's web application. */
	get viewer(): App {
		return {
			client_id: 'character-viewer',
			client_secret: 'viewer-secret',
			redirect_uri: `${this.base_url}/viewer/callback`
		};
	}

	/** The demo world's installed application, with the out-of-band URI. */
	get companion(): App {
		return {
			client_id: 'pocket-companion',
			client_secret: 'companion-secret',
			redirect_uri: 'urn:ietf:wg:oauth:2.0:oob'
		};
	}

	/** The same sandbox, as another host of the same service has it. */
	through(transport: Transport): Sandbox {
		return new Sandbox(transport, this.made, this.address);
	}

	/** The same sandbox, called from another network address. */
	from(address: string): Sandbox {
		return new Sandbox(this.transport, this.made, address);
	}

	/** A user with an own browser. */
	user(username = 'player-one'): TestUser {
		return new TestUser(this, username);
	}

	/** Sends a request below the base URL; undefined: no response at all. */
	async trySend(sent: TestRequest): Promise<TestResponse | undefined> {
		const response = await this.sendAny(sent);
		if (response?.isTruncated === true) throw new AssertionFailure(`The response is incomplete: ${response.text}`);
		return response;
	}

	/** Sends a request below the base URL, whose response may be incomplete. */
	async sendAny(sent: TestRequest): Promise<TestResponse | undefined> {
		const from = sent.from ?? this.address;
		const target = `${this.prefix}${sent.target}`;
		const received = await this.transport.send({ ...sent, target, ...(from === undefined ? {} : { from }) });
		return received && new TestResponse(received);
	}

	/** Sends a request below the base URL, and expects a response. */
	async send(sent: TestRequest): Promise<TestResponse> {
		return defined(await this.trySend(sent), `the response to ${sent.method ?? 'GET'} ${sent.target.slice(0, 100)}`);
	}

	/** Sends a GET request below the origin, not below the base URL. */
	async sendToOrigin(target: string): Promise<TestResponse> {
		const from = this.address === undefined ? {} : { from: this.address };
		const received = await this.transport.send({ target, ...from });
		return new TestResponse(defined(received, `the response to GET ${target}`));
	}

	get(target: string, ...headers: string[]): Promise<TestResponse> {
		return this.send({ target, headers });
	}

	/** Posts a form. */
	post(target: string, fields: Pairs, ...headers: string[]): Promise<TestResponse> {
		return this.send({ method: 'POST', target, headers: [...formType, ...headers], body: encode(fields) });
	}

	/** A token request. */
	token(fields: Pairs, ...headers: string[]): Promise<TestResponse> {
		return this.post('/ws/oauth2/token/', fields, ...headers);
	}

	/** Exchanges a code as a client should. */
	exchange(code: string, app: App = this.viewer, more: Readonly<Record<string, string>> = {}): Promise<TestResponse> {
		return this.token({ grant_type: 'authorization_code', code, ...app, ...more });
	}

	refresh(
		refresh_token: string,
		app: App = this.viewer,
		more: Readonly<Record<string, string>> = {}
	): Promise<TestResponse> {
		const { client_id, client_secret } = app;
		return this.token({ grant_type: 'refresh_token', refresh_token, client_id, client_secret, ...more });
	}

	revoke(token: string, client_id = 'character-viewer'): Promise<TestResponse> {
		return this.get(`/ws/oauth2/revoke?${encode({ token, client_id })}`);
	}

	/** Calls the character resource. */
	character(access_token: string, name = 'Mara Vell', ...headers: string[]): Promise<TestResponse> {
		const target = `/ws/v2.0/character/${encodeURIComponent(name)}`;
		return this.get(target, 'Authorization', `OAuth ${access_token}`, ...headers);
	}

	/** Calls a control with the sandbox's key. */
	control(method: string, path: string, json?: unknown): Promise<TestResponse> {
		const headers = ['X-Tollgate-Key', this.key, ...(json === undefined ? [] : ['Content-Type', 'application/json'])];
		const body = json === undefined ? '' : JSON.stringify(json);
		return this.send({ method, target: `/control/${path}`, headers, body });
	}

	/** The same, where it must succeed. */
	async controlled(method: string, path: string, json?: unknown): Promise<TestResponse> {
		const response = await this.control(method, path, json);
		if (response.status >= 300)
			throw new AssertionFailure(`${method} /control/${path}: ${response.status} ${response.text}`);
		return response;
	}

	stream(path: string, ...headers: string[]): Promise<RawStream> {
		const target = `${this.prefix}/control/${path}`;
		const from = this.address === undefined ? {} : { from: this.address };
		return this.transport.stream({ target, headers: ['X-Tollgate-Key', this.key, ...headers], ...from });
	}

	async register(kind: 'web' | 'installed', redirect_uris: string[] = [], name = 'Test app'): Promise<App> {
		const response = await this.controlled('POST', 'applications', { name, kind, redirect_uris });
		const { client_id, client_secret, redirect_uris: kept } = response.as(registered);
		return { client_id, client_secret, redirect_uri: kept[0] ?? '' };
	}

	/** Adds a fault, and returns its id. */
	async fault(fault: object): Promise<string> {
		return (await this.controlled('POST', 'faults', fault)).as(v.object({ id: v.string() })).id;
	}

	/** Moves the sandbox's clock by a number of seconds. */
	async advance(seconds: number): Promise<void> {
		await this.controlled('POST', 'clock', { advance: seconds });
	}

	/** The sandbox's clock, in milliseconds. */
	async now(): Promise<number> {
		return (await this.controlled('GET', 'clock')).as(clock).now;
	}

	async changeSettings(settings: object): Promise<void> {
		await this.controlled('PATCH', 'settings', settings);
	}

	/** The log entry of a response. */
	async logged(response: TestResponse): Promise<v.InferOutput<typeof entry>> {
		return (await this.controlled('GET', `traffic/${response.id}`)).as(entry);
	}

	/** The id of the check that failed, by the decision trace. */
	async failedCheck(response: TestResponse): Promise<string | undefined> {
		const { trace } = await this.logged(response);
		return trace.find((line) => line.outcome === 'failed')?.id;
	}

	/** Everything that the log holds, as text. */
	async traffic(): Promise<string> {
		return (await this.controlled('GET', 'traffic?limit=500')).text;
	}
}

/** Pairs as a query or form. */
export function encode(fields: Pairs): string {
	if (typeof fields === 'string') return fields;
	const pairs = isList(fields) ? fields : Object.entries(fields);
	return pairs
		.flatMap(([name, value]) =>
			value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]
		)
		.join('&');
}

function isList(fields: Exclude<Pairs, string>): fields is readonly (readonly [string, string])[] {
	return Array.isArray(fields);
}
