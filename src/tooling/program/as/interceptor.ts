import { request as sendPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request as sendSecure, type Server } from 'node:https';
import { createSecureContext, type SecureContext } from 'node:tls';
import { type Certificate, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { portOf } from '#hosts/node/bind.server.ts';
import { haveHost, hostsOf, providerHostHeader, providerTarget } from '#service/provider/provider-urls.ts';

/** The sandbox that requests go to. */
export type Destination = {
	/** Without a trailing slash. */
	readonly baseUrl: string;
	/** Certificates that it is trusted by, in PEM. Undefined: those of Node. */
	readonly ca: readonly string[] | undefined;
};

/** A server on this machine that has the certificates of the hosts of providers. */
export type Interceptor = {
	readonly port: number;
	/** Gets connections that a proxy has accepted. */
	readonly server: Server;
	/** Handles a request to a host of a provider. */
	handle(request: IncomingMessage, response: ServerResponse, url: string): void;
	close(): Promise<void>;
};

/** Headers of one connection, and those that the sandbox gets from this server only. */
const replaced = /^(?:host|connection|keep-alive|proxy-connection|proxy-authorization|expect|x-forwarded-host)$/i;
const ofConnection = /^(?:connection|keep-alive|transfer-encoding)$/i;

/**
 * Starts a server for TLS connections to the hosts of providers, which sends each request to `{base}/as/NAME` of a sandbox. It never
 * connects to a provider.
 * @param names of the providers
 * @param authority that may sign for their hosts
 */
export async function startInterceptor(
	names: readonly string[],
	authority: Certificate,
	destination: Destination
): Promise<Interceptor> {
	const fixed = hostsOf(names).filter((host) => !host.includes('{'));
	// The chain has the authority, so that a browser can accept it by its key alone.
	const certificateOf = async (hosts: readonly string[]) => {
		const { cert, key } = await createCertificate(authority, hosts, Date.now());
		return { cert: cert + authority.cert, key };
	};
	const contexts = new Map<string, Promise<SecureContext>>();
	const contextOf = (host: string) => {
		const known = contexts.get(host) ?? certificateOf([host]).then(createSecureContext);
		contexts.set(host, known);
		return known;
	};
	const server = createServer({
		...(await certificateOf(fixed)),
		ALPNProtocols: ['http/1.1'],
		SNICallback(host, done) {
			if (fixed.includes(host)) done(null);
			else if (!haveHost(names, host)) done(new Error(`${host} is not simulated.`));
			else contextOf(host).then((context) => done(null, context), done);
		}
	});
	const handle: Interceptor['handle'] = (request, response, url) => {
		const parsed = URL.canParse(url) ? new URL(url) : undefined;
		const target = parsed && providerTarget(parsed, names);
		if (parsed === undefined || target === undefined)
			respond(response, 421, 'The host of this request is not one of those that Tollgate simulates.');
		else forward(request, response, parsed.host, target, destination);
	};
	server.on('request', (request, response) =>
		handle(request, response, `https://${request.headers.host ?? ''}${request.url ?? ''}`)
	);
	// A program may end a connection at any time, or not trust the certificate.
	server.on('tlsClientError', (_error, socket) => socket.destroy());
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject).listen(0, '127.0.0.1', resolve);
	});
	return {
		port: portOf(server),
		server,
		handle,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			})
	};
}

function forward(
	request: IncomingMessage,
	response: ServerResponse,
	host: string,
	target: string,
	{ baseUrl, ca }: Destination
): void {
	const base = new URL(baseUrl);
	const send = base.protocol === 'http:' ? sendPlain : sendSecure;
	const sent = send({
		host: base.hostname.replace(/^\[|\]$/g, ''),
		port: base.port,
		path: base.pathname.replace(/\/$/, '') + target,
		method: request.method,
		headers: [...withoutHeaders(request.rawHeaders, replaced), 'Host', base.host, providerHostHeader, host],
		agent: false,
		...(ca !== undefined && { ca: [...ca] })
	});
	sent.on('response', (received) => {
		response.writeHead(received.statusCode ?? 502, withoutHeaders(received.rawHeaders, ofConnection));
		received.pipe(response);
		received.on('error', () => response.destroy());
	});
	sent.on('error', (error: NodeJS.ErrnoException) => {
		// The sandbox closes the connection of a blacklisted client without a response, and so does this server.
		if (error.code === 'ECONNRESET' || response.headersSent) request.socket.destroy();
		else
			respond(
				response,
				502,
				`The sandbox at ${baseUrl} does not respond (${error.code ?? error.message}). Nothing was sent to ${host}.`
			);
	});
	response.on('close', () => sent.destroy());
	request.pipe(sent);
}

/** Responds with a sentence of our own. */
export function respond(response: ServerResponse, status: number, text: string): void {
	response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(`${text}\n`);
}

function withoutHeaders(raw: readonly string[], names: RegExp): string[] {
	return raw.filter((_text, at) => !names.test(raw[at - (at % 2)] ?? ''));
}
