import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import type { Service } from '#service/service.ts';
import { isServicePath } from '#api/service-path.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { originOfServer } from '../config.server.ts';
import { isLoopback, securityHeaders } from '../security-headers.ts';
import type { Certificate } from '../tls/create-certificate.server.ts';
import { bind, portOf } from './bind.server.ts';
import { type Connection, Connections, quotaAddress, type UnlessBlacklisted } from './connections.server.ts';
import { clientErrorHandler, connectHandler, sendError } from './error-response.server.ts';
import { defaultLimits, type Limits } from './connection-limits.ts';
import { createPageHandler, type PageHandler } from './pages.server.ts';
import { secureResponse, type SecureResponse } from './response-headers.server.ts';
import { createServiceHandler } from './service-handler.server.ts';
import { Streams } from './streams.server.ts';
import { hostNames, type HttpError, validateRequest } from './validate-request.ts';
import { constants } from 'node:crypto';
import { createServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { AddressQuota } from '#service/core/address-limits.ts';

/** What `startServer` takes. */
export type ServerOptions = {
	/** Key and certificate, PEM. Absent: plain HTTP, for a proxy that ends TLS. */
	readonly certificate?: Certificate | undefined;
	/** Makes the service, once the origin is known. */
	readonly service: (origin: string) => Service;
	/** Creates the handler of all other requests. Default: 404. */
	readonly pages?: (origin: string) => Promise<PageHandler>;
	/** `localhost` (the default) is 127.0.0.1 and, where the machine has it, ::1. */
	readonly host?: string;
	/** 0 (the default) takes a free one. */
	readonly port?: number;
	/** The address in URLs: `https://host[:port]`. Default: built from host and port. */
	readonly origin?: string | undefined;
	readonly limits?: Partial<Limits>;
	/** Gets every unexpected error. Must not throw. */
	readonly report?: (fault: unknown) => void;
	/** Gets what a developer should know, as a sentence. */
	readonly note?: (message: string) => void;
};

export type RunningServer = {
	readonly origin: string;
	readonly port: number;
	readonly service: Service;
	/** How many connections and event streams are open. */
	load(): { connections: number; streams: number };
	/** Serves another certificate from the next connection on. */
	replaceCertificate(certificate: Certificate): void;
	/** Accepts nothing new, lets requests in progress finish (`shutdownTimeout`), then destroys all connections. */
	close(): Promise<void>;
};

const purgeInterval = 10_000;
const unknownExpectation: HttpError = { status: 417, text: 'The only supported expectation is 100-continue.' };

/**
 * Starts the HTTPS server. Requests of the service go straight from the socket to the service, all others to SvelteKit.
 * @throws NodeJS.ErrnoException where the address cannot be listened on (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`)
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { certificate, host = 'localhost', report = () => undefined } = options;
	const limits = { ...defaultLimits, ...options.limits };
	const security = securityHeaders(options.origin ?? originOfServer(host, 443));
	const connections = new Connections(limits);
	const streams = new Streams(limits.maxStreams);
	// The service needs the origin, which needs the port: requests that come before both are known wait.
	const early: (() => void)[] = [];
	let onRequest: HttpsServerOptions['onRequest'] = (...args) => void early.push(() => onRequest(...args));
	let unlessBlacklisted: UnlessBlacklisted = (_request, _connection, send) => send();
	let isClosing = false;

	let hasNoted = false;
	const onPlainHttp = () => {
		// Unknown clients must not write to the log of a public server.
		if (hasNoted || !isLoopback(host)) return;
		hasNoted = true;
		options.note?.(`A program sent plain HTTP, which gets no response (specification, section 4). Use ${origin}.`);
	};

	const servers = await bind(host, options.port ?? 0, () =>
		createHttpsServer({
			certificate,
			limits,
			connections,
			security,
			onRequest: (...args) => onRequest(...args),
			unlessBlacklisted: (...args) => unlessBlacklisted(...args),
			onPlainHttp
		})
	);
	const port = portOf(servers[0]);
	const origin = options.origin ?? originOfServer(host, port);
	const service = options.service(origin);
	const hosts = hostNames(origin, port, isLoopback(host));
	const serviceHandler = createServiceHandler({ service, limits, streams, report });
	const noPages: PageHandler = (_request, _response, next) => next();
	const handlePage = createPageHandler((await options.pages?.(origin)) ?? noPages, limits, report);

	unlessBlacklisted = serviceHandler.unlessBlacklisted;
	const begin = (
		request: IncomingMessage,
		response: SecureResponse,
		connection: Connection,
		expects: Expectation | undefined
	) => {
		if (request.socket.destroyed) return;
		if (isClosing && connection.waiting === 0) response.shouldKeepAlive = false;
		const valid = validateRequest(request, hosts, origin, limits.maxHeaderCount, certificate === undefined);
		if ('status' in valid || expects === 'unknown') {
			const error = 'status' in valid ? valid : unknownExpectation;
			response.shouldKeepAlive = false;
			unlessBlacklisted(request, connection, () => sendError(request, response, error, limits));
			return;
		}
		// RFC 9112, section 6.1: a connection cannot be trusted after a transfer coding in HTTP/1.0.
		if (valid.length === Infinity && request.httpVersionMinor === 0) response.shouldKeepAlive = false;
		if (isServicePath(valid.target))
			serviceHandler.handle(request, response, connection, valid, expects === 'continue');
		else void handlePage(request, response, valid, expects === 'continue');
	};
	onRequest = (request: IncomingMessage, response: SecureResponse, expects?: Expectation) => {
		const { socket } = request;
		if (socket.destroyed) return;
		const connection = connections.track(socket);
		// Node gives the socket to one response at a time, and to none after `connection: close`. A request begins when its
		// response gets it, so that pipelining costs no memory and nothing behind `close` is carried out (RFC 9112, section 9.6).
		if (response.socket !== null) {
			connection.response = response;
			begin(request, response, connection, expects);
		} else if (connection.waiting < limits.maxPipelined) {
			connection.response = response;
			connection.waiting += 1;
			response.once('socket', () => {
				connection.waiting -= 1;
				process.nextTick(begin, request, response, connection, expects);
			});
		} else if (connection.response?.shouldKeepAlive === true) {
			// The connection ends with the last request that waits, and soon, since what it has sent takes memory.
			connection.response.shouldKeepAlive = false;
			// Node's parser reads what TLS has decrypted also from a paused socket, unless there is another reader.
			socket.on('readable', () => undefined).pause();
			setTimeout(() => socket.destroy(), limits.lingerTimeout).unref();
		}
	};
	for (const handle of early) handle();

	// A store that cannot be reached reports that itself.
	const reportUnlessUnavailable = (fault: unknown) => fault instanceof StoreUnavailable || report(fault);

	const sweep = setInterval(() => connections.sweep(performance.now()), limits.checkInterval).unref();
	const purge = setInterval(() => void service.purge().catch(reportUnlessUnavailable), purgeInterval).unref();

	async function close(): Promise<void> {
		isClosing = true;
		clearInterval(purge);
		const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
		streams.endAll();
		const idle = setInterval(() => connections.closeIdle(performance.now()), 50);
		const hard = setTimeout(() => connections.destroyAll(), limits.shutdownTimeout);
		await closed;
		clearInterval(idle);
		clearTimeout(hard);
		clearInterval(sweep);
	}

	let closing: Promise<void> | undefined;
	return {
		origin,
		port,
		service,
		load: () => ({ connections: connections.size, streams: streams.size }),
		replaceCertificate: (replacement) =>
			servers.forEach(
				(server) => 'setSecureContext' in server && server.setSecureContext({ ...replacement, ...tlsOptions })
			),
		close: () => (closing ??= close())
	};
}

/** What a request expects before it sends its body (RFC 9110, section 10.1.1). */
type Expectation = 'continue' | 'unknown';

/** An HTTP server, over TLS or for a proxy that ends TLS. */
type Server = HttpServer<typeof IncomingMessage, ResponseClass> | HttpsServer<typeof IncomingMessage, ResponseClass>;
type ResponseClass = ReturnType<typeof secureResponse>;

type HttpsServerOptions = {
	/** Absent: plain HTTP. */
	readonly certificate: Certificate | undefined;
	readonly limits: Limits;
	readonly connections: Connections;
	/** `[lower-case name, value]` of the headers on every response. */
	readonly security: readonly (readonly [name: string, value: string])[];
	readonly onRequest: (request: IncomingMessage, response: SecureResponse, expects?: Expectation) => void;
	readonly unlessBlacklisted: UnlessBlacklisted;
	/** A client sent plain HTTP to a port with TLS. It gets no byte, so only the terminal of the server can say why. */
	readonly onPlainHttp: () => void;
};

const ciphers = [
	'TLS_AES_128_GCM_SHA256',
	'TLS_AES_256_GCM_SHA384',
	'TLS_CHACHA20_POLY1305_SHA256',
	'ECDHE-ECDSA-AES128-GCM-SHA256',
	'ECDHE-RSA-AES128-GCM-SHA256',
	'ECDHE-ECDSA-AES256-GCM-SHA384',
	'ECDHE-RSA-AES256-GCM-SHA384',
	'ECDHE-ECDSA-CHACHA20-POLY1305',
	'ECDHE-RSA-CHACHA20-POLY1305'
].join(':');

/**
 * TLS 1.2 and 1.3 with modern ciphers (HT-02). The groups exclude finite-field Diffie-Hellman: with 8192 bits, a ClientHello
 * that costs its sender nothing takes 127 ms of the server's processor.
 */
const tlsOptions: SecureContextOptions = {
	ciphers,
	ecdhCurve: 'X25519:P-256:P-384',
	minVersion: 'TLSv1.2',
	secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE
};

/** Makes an HTTP server with the host's timeouts and error handling. It does not listen yet. */
function createHttpsServer(options: HttpsServerOptions): Server {
	const { certificate, limits, connections, security, onRequest, unlessBlacklisted } = options;
	const shared = {
		headersTimeout: limits.headersTimeout,
		requestTimeout: limits.requestTimeout,
		keepAliveTimeout: limits.keepAliveTimeout,
		connectionsCheckingInterval: limits.checkInterval,
		maxHeaderSize: limits.maxHeaderBytes,
		requireHostHeader: false, // `validateRequest` checks it
		ServerResponse: secureResponse(security)
	};
	const tls = certificate && { ...certificate, ...tlsOptions, handshakeTimeout: limits.tlsHandshakeTimeout };
	const server: Server = tls === undefined ? createHttpServer(shared) : createServer({ ...shared, ...tls });
	server.on('request', (request, response) => onRequest(request, response));
	server.maxConnections = limits.maxConnections;
	const shares = new AddressQuota(limits.maxConnections, limits.maxConnectionsPerAddress);
	// In front of the listener that creates a TLS socket, so that a rejected connection costs little.
	const accept = server.listeners('connection');
	server.removeAllListeners('connection').on('connection', (socket: Socket) => {
		const address = quotaAddress(socket);
		if (!shares.take(address)) {
			socket.destroy();
			return;
		}
		socket.once('close', () => shares.release(address));
		for (const listener of accept) Reflect.apply(listener, server, [socket]);
	});
	// Node drops headers beyond this number without an error. `validateRequest` counts them instead.
	server.maxHeadersCount = 0;
	server.on('checkContinue', (request, response) => onRequest(request, response, 'continue'));
	server.on('checkExpectation', (request, response) => onRequest(request, response, 'unknown'));
	server.on('connect', connectHandler(limits, security));
	// A half-closed client still gets its responses. Node counts a connection as idle before its responses are read.
	Object.assign(server, { httpAllowHalfOpen: true, closeIdleConnections: () => undefined });
	server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
		// Only now: before the handshake, a half-closed connection has no request.
		socket.allowHalfOpen = true;
		connections.track(socket);
	});
	server.on(
		'tlsClientError',
		({ code }: NodeJS.ErrnoException) => code === 'ERR_SSL_HTTP_REQUEST' && options.onPlainHttp()
	);
	server.on('clientError', clientErrorHandler(connections, limits, security, unlessBlacklisted));
	return server;
}
