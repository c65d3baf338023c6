import { constants } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { isServicePath, type Service } from '#service/service.ts';
import type { Certificate } from '../tls/create-certificate.server.ts';
import { isLoopback, securityHeaders } from '../security-headers.ts';
import { originOf } from '../config.server.ts';
import { validateRequest, hostNames, type HttpError } from './validate-request.ts';
import { bind, portOf } from './bind.server.ts';
import { Connections } from './connections.server.ts';
import { createServiceHandler } from './service-handler.server.ts';
import { guardedResponse, type GuardedResponse } from './guarded-response.server.ts';
import { headWriter } from './head.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { pageServer, type PageHandler } from './pages.server.ts';
import { clientErrorHandler, sendError } from './error-response.server.ts';
import { Streams } from './streams.server.ts';
import type { UnlessSilent } from './blacklist-guard.server.ts';

/** What `startServer` takes. */
export type ServerOptions = {
	/** Key and certificate, PEM. */
	readonly certificate: Certificate;
	/** Makes the service, once the origin is known. */
	readonly service: (origin: string) => Service;
	/** Makes what answers everything else; 404 where absent. */
	readonly pages?: (origin: string) => Promise<PageHandler>;
	/** `localhost` (the default) is 127.0.0.1 and, where the machine has it, ::1. */
	readonly host?: string;
	/** 0 (the default) takes a free one. */
	readonly port?: number;
	/** Where people find the server: `https://host[:port]`; made of host and port where absent. */
	readonly origin?: string;
	readonly limits?: Partial<Limits>;
	/** Told of every fault that is nobody's request's. Must not throw. */
	readonly report?: (fault: unknown) => void;
};

/** A server that listens. */
export type RunningServer = {
	readonly origin: string;
	readonly port: number;
	readonly service: Service;
	/** How many connections and event streams are open. */
	load(): { connections: number; streams: number };
	/** Serves another certificate from the next connection on. */
	replaceCertificate(certificate: Certificate): void;
	/** Ends: nothing new is taken, what is under way may finish (`limits.shutdown`), then all is destroyed. */
	close(): Promise<void>;
};

/** `expects`: what the client waits for before it sends its body. */
type Answer = (request: IncomingMessage, response: GuardedResponse, expects?: 'continue' | 'something else') => void;

const purgeEvery = 10_000;
const unmet: HttpError = { status: 417, text: 'Only 100-continue can be expected here.' };
const ciphers = [
	...['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'],
	...['ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
	...['ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-ECDSA-CHACHA20-POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305']
].join(':');
const tls: SecureContextOptions = {
	ciphers,
	minVersion: 'TLSv1.2',
	secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE
};

/**
 * Starts the HTTPS server: the service's paths are answered straight from the socket, all others by SvelteKit's handler.
 * @throws NodeJS.ErrnoException where the address cannot be listened on (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`)
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
	const { host = 'localhost', report = () => undefined } = options;
	const limits = { ...defaultLimits, ...options.limits };
	const security = securityHeaders(options.origin ?? originOf(host, 443));
	const connections = new Connections(limits);
	const streams = new Streams(limits.streams);
	// Until service and pages are there, which takes the port to be known, requests wait.
	const waiting: Parameters<Answer>[] = [];
	let answer: Answer = (...call) => void waiting.push(call);
	let own: UnlessSilent = (_request, _response, _connection, speak) => speak();
	let isClosing = false;

	const servers = await bind(host, options.port ?? 0, () => {
		const server = createServer(
			{
				...options.certificate,
				...tls,
				handshakeTimeout: limits.handshake,
				headersTimeout: limits.headers,
				requestTimeout: limits.request,
				keepAliveTimeout: limits.keepAlive,
				connectionsCheckingInterval: limits.check,
				maxHeaderSize: limits.headerBytes,
				ServerResponse: guardedResponse(security)
			},
			(request, response) => answer(request, response)
		);
		server.maxConnections = limits.connections;
		// Node would drop the headers beyond this number without a word; the host refuses them instead.
		server.maxHeadersCount = 0;
		server.on('checkContinue', (request, response) => answer(request, response, 'continue'));
		server.on('checkExpectation', (request, response) => answer(request, response, 'something else'));
		server.on('connect', (_request, socket) => {
			socket.end(
				'HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\nallow: GET, POST\r\ncontent-length: 0\r\n\r\n'
			);
			setTimeout(() => socket.destroy(), limits.linger).unref();
		});
		// A client that has closed its half of the connection still gets its answers; before the handshake it has asked nothing.
		// And to Node a connection is idle once its answers were handed over, though nobody has read them yet.
		Object.assign(server, { httpAllowHalfOpen: true, closeIdleConnections: () => undefined });
		server.on('secureConnection', (socket) => {
			socket.allowHalfOpen = true;
			connections.of(socket);
		});
		server.on(
			'clientError',
			clientErrorHandler(connections, limits, security, (...words) => own(...words))
		);
		return server;
	});

	const port = portOf(servers[0]);
	const origin = options.origin ?? originOf(host, port);
	const service = options.service(origin);
	const hosts = hostNames(origin, port, isLoopback(host));
	const exchange = createServiceHandler({ service, limits, streams, writeHead: headWriter(security), report });
	own = exchange.own;
	const noPages: PageHandler = (_request, _response, next) => next();
	const page = pageServer((await options.pages?.(origin)) ?? noPages, limits, report);

	answer = (request, response, expects) => {
		const { socket } = request;
		if (socket.destroyed) return;
		const connection = connections.of(socket);
		connection.response = response;
		connection.firstByteDeadline = 0;
		if (isClosing) response.shouldKeepAlive = false;
		const admission = validateRequest(request, hosts, origin, limits.headerCount);
		if ('status' in admission || expects === 'something else') {
			const refusal = 'status' in admission ? admission : unmet;
			own(request, response, connection, () => sendError(request, response, refusal, limits));
		} else if (isServicePath(admission.target))
			exchange.begin(request, response, connection, admission, expects === 'continue');
		else void page(request, response, connection, admission, expects === 'continue');
	};
	for (const call of waiting.splice(0)) answer(...call);

	const sweep = setInterval(() => connections.sweep(performance.now()), limits.check).unref();
	const purge = setInterval(() => void service.purge().catch(report), purgeEvery).unref();

	async function end(): Promise<void> {
		isClosing = true;
		clearInterval(purge);
		const closed = Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
		streams.endAll();
		const idle = setInterval(() => connections.closeIdle(performance.now()), 50);
		const hard = setTimeout(() => connections.destroyAll(), limits.shutdown);
		await closed;
		clearInterval(idle);
		clearTimeout(hard);
		clearInterval(sweep);
	}

	let ended: Promise<void> | undefined;
	return {
		origin,
		port,
		service,
		load: () => ({ connections: connections.size, streams: streams.size }),
		replaceCertificate: (certificate) =>
			servers.forEach((server) => server.setSecureContext({ ...certificate, ...tls })),
		close: () => (ended ??= end())
	};
}
