import type { Dialect } from '#api/dialect.ts';
import type { CredentialEvent, TraceLine } from '#api/control/traffic.ts';
import { headerValue } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';
import type { SandboxStore } from '#store/store.ts';
import type { AddressRate } from './address-limits.ts';
import { decodeUtf8 } from './encoding.ts';
import type { Classes, ClassService } from '../class/classes.ts';
import type { Queues } from './fair-queue.ts';
import { type ApiFormat, negotiateFormat } from './negotiation.ts';
import type { Pauses } from '../pause/pauses.ts';
import type { Surface } from '../provider/providers.ts';
import type { Route } from './routes.ts';
import type { Records } from '../sandbox/records.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ServiceOptions } from './options.ts';
import { weakenedDialect, type Weaknesses } from './weaknesses.ts';

/** What is known of a request before any check has run. */
export type ContextInit = Pick<
	Context,
	| 'request'
	| 'received'
	| 'dialect'
	| 'surface'
	| 'id'
	| 'sandbox'
	| 'store'
	| 'options'
	| 'queues'
	| 'issued'
	| 'pauses'
	| 'classService'
	| 'weaknesses'
	| 'path'
	| 'query'
	| 'networkAddress'
	| 'clientAddress'
	| 'route'
	| 'credentialOverrides'
>;

/**
 * Values in place of the credentials of a request that the control API sends itself, with the digests of these credentials: the
 * service does not know the credentials. A request from outside has none.
 */
export type CredentialOverrides = ReadonlyMap<string, string>;

/** One request and what the checks of its endpoint have found out. */
export class Context {
	/** The request as the checks read it. */
	readonly request: WireRequest;
	/** The request as it was sent. A simulated provider has other names for some parameters. */
	readonly received: WireRequest;
	/** The `X-Request-Id` of the response. */
	readonly id: string;
	readonly sandbox: Sandbox;
	store: SandboxStore<Records>;
	readonly options: ServiceOptions;
	readonly queues: Queues;
	/** The access tokens that each address got. */
	readonly issued: AddressRate;
	/** The messages that wait for a decision. */
	readonly pauses: Pauses;
	/** The classes of the service. Undefined on a host without them. */
	readonly classService: ClassService | undefined;
	/** What the service does wrong. None outside a lab. */
	readonly weaknesses: Weaknesses;
	/** The path below the base URL, still encoded, without the query. */
	readonly path: string;
	/** The raw query, without the `?`. */
	readonly query: string;
	/** The network address of the client. Whatever protects the server counts by it. */
	readonly networkAddress: string;
	/** The address that rate limits, the blacklist and tickets count: `networkAddress`, or a virtual one. */
	readonly clientAddress: string;
	readonly route: Route;
	readonly credentialOverrides: CredentialOverrides;
	/** What the sandbox spoke when the request arrived. */
	readonly dialect: Dialect;
	/** The simulated provider that it was sent to, and where. */
	readonly surface: Surface | undefined;
	readonly trace: TraceLine[] = [];
	/** Headers of the response, flat. Errors have them too. */
	readonly headers: string[] = [];
	/** The scope that challenges name, where the endpoint says one (RFC 6750, section 3). */
	challengeScope: string | undefined;
	/** The origin whose scripts may read the response. */
	corsOrigin: string | undefined;
	/** Values to redact in every log, with the name of their parameter; empty for a password or key. */
	readonly secrets = new Map<string, string>();
	/** Long values that every log may show: the readable parts of an ID token. */
	readonly open = new Set<string>();
	/** The authenticated client and user, and what the request belongs to, for the traffic log. */
	client_id: string | undefined;
	username: string | undefined;
	flow: string | undefined;
	grantId: string | undefined;
	family: string | undefined;
	/** Whether a fault or a test card chose the response. */
	isSimulated = false;
	/** Records the end of the request, for the limit of requests in progress. */
	end: (() => Promise<void>) | undefined;
	/** How long a fault or a test card delayed the response, in milliseconds. */
	delayed = 0;
	/** What the request did to codes, tokens and grants, for the traffic log. */
	readonly credentialEvents: CredentialEvent[] = [];
	readonly #digests = new Map<string, string>();
	#bodyText: string | undefined;
	#format: ApiFormat | undefined;

	constructor(init: ContextInit) {
		this.request = init.request;
		this.received = init.received;
		this.id = init.id;
		this.sandbox = init.sandbox;
		this.store = init.store;
		this.options = init.options;
		this.queues = init.queues;
		this.issued = init.issued;
		this.pauses = init.pauses;
		this.classService = init.classService;
		this.weaknesses = init.weaknesses;
		this.path = init.path;
		this.query = init.query;
		this.networkAddress = init.networkAddress;
		this.clientAddress = init.clientAddress;
		this.route = init.route;
		this.credentialOverrides = init.credentialOverrides;
		this.dialect = weakenedDialect(init.dialect, init.weaknesses);
		this.surface = init.surface;
	}

	/**
	 * The classes of the service, for endpoints that only hosts with classes have.
	 * @throws Error on a host without them
	 */
	get classes(): Classes {
		if (this.classService === undefined) throw new Error('This service has no classes.');
		return this.classService.classes;
	}

	/**
	 * Who uses up what the server shares out: the address, and in the sandbox of a seat the seat, because a class has one address.
	 */
	get sharer(): string {
		return this.sandbox.seat === undefined ? this.networkAddress : `seat ${this.sandbox.id}`;
	}

	/** The format of a response to a program. */
	get format(): ApiFormat {
		return (this.#format ??= negotiateFormat(this.header('accept')));
	}

	/** The sandbox clock, in milliseconds. */
	now(): number {
		return this.sandbox.now();
	}

	/** The body as text; undefined where it is not UTF-8. */
	get bodyText(): string | undefined {
		return (this.#bodyText ??= decodeUtf8(this.request.body));
	}

	/** The digest of a code or token, by which the store and the traffic log know it. */
	digestOf(credential: string): string {
		const known = this.credentialOverrides.get(credential) ?? this.#digests.get(credential);
		if (known !== undefined) return known;
		const digest = this.options.digest(credential);
		this.#digests.set(credential, digest);
		return digest;
	}

	/** The first value of a request header; `name` in lower case. */
	header(name: string): string | undefined {
		return headerValue(this.request.headers, name);
	}

	/**
	 * Records what the running check saw, for the trace.
	 * @param detail contains no secret
	 */
	note(detail: string): void {
		const line = this.trace[this.trace.length - 1];
		if (line !== undefined) line.detail = detail;
	}

	/**
	 * Records what the running check compared, for the trace. An error that the check throws replaces it.
	 * @param found what the request contained
	 * @param expected each value that passes
	 */
	compare(found: string, expected: readonly string[]): void {
		const line = this.trace[this.trace.length - 1];
		if (line === undefined) return;
		line.found = found;
		line.expected = expected.join('\n');
	}

	/** The values to redact that are not as long as a token, and so not recognized by their length. */
	get shortSecrets(): string[] {
		const { adminKey = '' } = this.options;
		return [...this.secrets.keys(), adminKey].filter((secret) => secret !== '' && !/^[\w-]{43,}$/.test(secret));
	}

	/**
	 * Redacts a value in every log. Returns the value.
	 * @param name of its parameter, for a value that the traffic log labels
	 */
	redact(value: string, name = ''): string {
		this.secrets.set(value, name);
		return value;
	}
}
