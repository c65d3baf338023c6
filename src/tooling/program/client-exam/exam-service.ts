import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request as send } from 'undici';
import { createNodeService } from '#hosts/node-service.server.ts';
import { startServer } from '#hosts/node/server.server.ts';
import { handleFetch } from '#hosts/msw/fetch-adapter.ts';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { writeTrustBundle } from '../trust-bundle.ts';
import { clientAgent } from './client-process.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The service that examines a client. */
export type ExamService = {
	/** Of the root sandbox, without a trailing slash. */
	readonly rootUrl: string;
	/** Sends requests to the service and to the client. Follows no redirects. */
	readonly fetch: Fetch;
	/** Certificates that the service is trusted by, in PEM. Undefined: those of Node. */
	readonly ca: readonly string[] | undefined;
	/** A folder for files of this exam. Undefined where the service runs elsewhere. */
	readonly folder: string | undefined;
	/** The variables with which a client trusts the certificate. */
	readonly trust: Readonly<Record<string, string>>;
	close(): Promise<void>;
};

/** Starts a service on this machine for one exam: on a free port, in memory. */
export async function startExamService(): Promise<ExamService> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-exam-'));
	const removeFolder = () => rmSync(folder, { recursive: true, force: true });
	try {
		const certificate = await localCertificate(folder, [], Date.now());
		const trust = writeTrustBundle(folder, [certificate.ca]);
		const server = await startServer({
			certificate,
			service: (origin) => createNodeService({ origin, caFile: certificate.caFile, report: () => undefined })
		});
		const { origin, service } = server;
		return {
			rootUrl: origin,
			async fetch(url, init) {
				if (new URL(url).origin !== origin) return fetchPlainly(url, init);
				// Requests of the exam itself need no socket.
				const response = await handleFetch(service.handle, new Request(url, init), { base: '', peer: '127.0.0.1' });
				if (response.type === 'error') throw new TypeError('There was no response.');
				return response;
			},
			ca: [certificate.ca],
			folder,
			trust,
			async close() {
				await server.close();
				removeFolder();
			}
		};
	} catch (error) {
		removeFolder();
		throw error;
	}
}

/** A service that runs already. */
export function remoteExamService(url: string): ExamService {
	return {
		rootUrl: url.replace(/\/+$/, ''),
		fetch: fetchPlainly,
		ca: undefined,
		folder: undefined,
		trust: {},
		close: () => Promise.resolve()
	};
}

/** Like `fetch`, but without the header `Sec-Fetch-Mode: cors`, which navigations of browsers do not have. Follows no redirects. */
async function fetchPlainly(url: string, init: RequestInit): Promise<Response> {
	const { method, headers, body, signal } = new Request(url, init);
	const response = await send(url, {
		dispatcher: clientAgent,
		method,
		headers: Object.fromEntries(headers),
		body: body === null ? null : await new Response(body).text(),
		signal
	});
	const { statusCode: status } = response;
	const isBodiless = status === 204 || status === 304;
	if (isBodiless) await response.body.dump();
	const received = new Headers();
	for (const [name, value] of Object.entries(response.headers))
		for (const one of Array.isArray(value) ? value : [value ?? '']) received.append(name, one);
	return new Response(isBodiless ? null : streamOf(response.body), { status, headers: received });
}

function streamOf(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
	const iterator = body[Symbol.asyncIterator]();
	return new ReadableStream({
		async pull(controller) {
			const next = await iterator.next();
			if (next.done === true) controller.close();
			else controller.enqueue(next.value);
		},
		async cancel() {
			await iterator.return?.();
		}
	});
}
