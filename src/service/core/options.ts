import type { Store } from '#store/store.ts';
import type { Quotas } from './quotas.ts';
import type { ProviderFiles } from '../provider/provider-files.ts';
import type { Records } from '../sandbox/records.ts';
import type { LazyTrafficEntry } from '../traffic/logged-exchange.ts';
import type { TrafficLimits, TrafficLog } from '../traffic/traffic-log.ts';
import type { World } from '../world/world.ts';
import type { CauseOf } from '#api/checks.ts';

/** Everything that the service needs from its host. */
export type ServiceOptions = {
	/** The base URL of the root sandbox, without a trailing slash: `https://localhost:8443`. */
	readonly origin: string;
	readonly store: Store<Records>;
	/** The real clock, in milliseconds since 1970. */
	readonly now: () => number;
	/** `count` bytes from a cryptographically secure source. */
	readonly random: (count: number) => Uint8Array;
	/** SHA-256 of the text's UTF-8 bytes, in base64url without padding. */
	readonly digest: (text: string) => string;
	/** scrypt, N = 2^14, r = 8, p = 1, 32 bytes: stored passwords are of this form on every host. */
	readonly scrypt: (password: string, salt: Uint8Array) => Promise<Uint8Array>;
	/** Creates the keys of ID tokens, and signs with them. */
	readonly subtle: Pick<SubtleCrypto, 'generateKey' | 'exportKey' | 'importKey' | 'sign' | 'verify'>;
	/** Resolves after this number of milliseconds (an injected delay). */
	readonly sleep: (milliseconds: number) => Promise<void>;
	/** The number of trusted proxies: the position of the client address in `X-Forwarded-For`, counted from the right. 0: the peer. */
	readonly trustedProxies?: number;
	/** The key that controls the root sandbox. Without one every client controls it, so the host must listen on loopback only. */
	readonly adminKey?: string | undefined;
	/** Secret that all processes of one service share. Default: each has its own. */
	readonly secret?: string;
	/** True: other processes handle requests of the same sandboxes. Messages cannot be held then, because one process holds them. */
	readonly hasOtherServers?: boolean;
	/** True: the front page gives each visitor a sandbox. */
	readonly sandboxPerVisitor?: boolean;
	/** How many seats its classes have in all. Default: 0, no classes. */
	readonly classSeats?: number;
	/** The path of a certificate authority that the host created. Visitors on the same machine get it. */
	readonly caFile?: string | undefined;
	/** The certificate of this authority in PEM. All visitors can download it. */
	readonly ca?: string | undefined;
	/** Fetches the documents of clients. Absent: a client can use those that its sandbox hosts. */
	readonly documents?: DocumentHost | undefined;
	/** What a fresh sandbox is. Default: the demo world. */
	readonly world?: World | undefined;
	/** Loads the files of the simulated providers, where they are apart from the program. Rejects with `StoreUnavailable`. */
	readonly providers?: () => Promise<ProviderFiles>;
	/** Other limits than the default ones. */
	readonly quotas?: Partial<Quotas>;
	/** A finer clock for durations, in milliseconds from any start. Default: `now`. */
	readonly timer?: () => number;
	/** Where a sandbox's exchanges are kept, and how many. Default: in memory. */
	readonly traffic?: (sandbox: string, limits: () => TrafficLimits) => TrafficLog;
	/** Called with each exchange that a sandbox's traffic log gets, the sandbox's id, and the outcome. Must not throw. */
	readonly onLogged?: ((sandbox: string, entry: LazyTrafficEntry, outcome: StatusClass) => void) | undefined;
	/** Called once for each request that the service handled. Must not throw. */
	readonly observe?: ((request: RequestMetrics) => void) | undefined;
	/** Called once for each unknown fault, with the id of the request; gets no secret. */
	readonly report?: (fault: unknown, requestId: string) => void;
};

export type RequestMetrics = {
	/** The name of the endpoint: `token`, `character`, `control`. */
	readonly endpoint: string;
	readonly outcome: StatusClass;
	/** Milliseconds, without the delay of a fault or a test card. */
	readonly duration: number;
};

/**
 * The class of the status; `none`: no response. `simulated`: a fault or a test card chose the response, so an error says nothing of
 * the server.
 */
export type StatusClass = `${number}xx` | 'none' | 'simulated';

/** Why a document was not fetched. `found` is what the host saw, for the trace. */
type Rejected<Cause> = { readonly cause: Cause; readonly found: string };

/** A fetched document, and for how many seconds it may be cached. */
type FetchedDocument = { readonly body: Uint8Array; readonly maxAge: number };

/** How a host fetches the documents of clients. It never rejects. `sharer`: the user or address that caused it, which holds a part of what the host can do only. */
export type DocumentHost = {
	/** Resolves the host of a URL, once. The address is one that a document may be fetched from. */
	readonly locate: (
		url: URL,
		sharer: string
	) => Promise<{ readonly address: string } | Rejected<CauseOf<'client_document.address_allowed'>>>;
	/** Fetches a document from the address that `locate` returned. */
	readonly fetch: (
		url: URL,
		address: string,
		sharer: string
	) => Promise<FetchedDocument | Rejected<CauseOf<'client_document.fetched'>>>;
};
