import { constants } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { createServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { AddressQuota } from '#service/core/address-limits.ts';
import type { Certificate } from '../tls/create-certificate.server.ts';
import { quotaAddress, type Connections, type UnlessBlacklisted } from './connections.server.ts';
import { clientErrorHandler, connectHandler } from './error-response.server.ts';
import type { Limits } from './connection-limits.ts';
import { secureResponse, type SecureResponse } from './response-headers.server.ts';

/** What a request expects before it sends its body (RFC 9110, section 10.1.1). */
export type Expectation = 'continue' | 'unknown';

/** An HTTP server, over TLS or for a proxy that ends TLS. */
export type Server =
	| HttpServer<typeof IncomingMessage, ResponseClass>
	| HttpsServer<typeof IncomingMessage, ResponseClass>;
type ResponseClass = ReturnType<typeof secureResponse>;

export type HttpsServerOptions = {
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
export const tlsOptions: SecureContextOptions = {
	ciphers,
	ecdhCurve: 'X25519:P-256:P-384',
	minVersion: 'TLSv1.2',
	secureOptions: constants.SSL_OP_NO_RENEGOTIATION | constants.SSL_OP_CIPHER_SERVER_PREFERENCE
};

/** Makes an HTTP server with the host's timeouts and error handling. It does not listen yet. */
export function createHttpsServer(options: HttpsServerOptions): Server {
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
