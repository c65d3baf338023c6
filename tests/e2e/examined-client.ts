import { createServer, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { withForms } from '../exam/form-post-client.ts';
import { ReferenceClient, type ClientSettings, type PageResponse } from '../exam/reference-client.ts';
import type { TestClient } from '../exam/take-exam.ts';

/** A client of the exam, with its pages on a free port. It is configured later, as that of a developer. */
export class ExaminedClient {
	readonly #server = createServer();
	#client: TestClient | undefined;
	origin = '';
	/** The last form that a browser posted to it. */
	posted = '';

	/** Listens, and responds once it is configured. */
	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.#server.listen(0, 'localhost', resolve));
		const address = this.#server.address();
		this.origin = `http://localhost:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
		this.#server.on('request', (request, response) => {
			void this.#respond(request).then(({ status, body, location, cookie }) => {
				if (location !== undefined) response.setHeader('location', location);
				// Forms come from the service, which is another site: it has https.
				if (cookie !== undefined) response.setHeader('set-cookie', cookie.replace('Lax', 'None; Secure'));
				response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
			});
		});
	}

	async #respond(request: IncomingMessage): Promise<PageResponse> {
		const form = request.method === 'POST' ? await text(request) : undefined;
		this.posted = form ?? this.posted;
		const visit = { target: request.url ?? '/', cookie: request.headers.cookie, form };
		const response = await this.#client?.handle(visit);
		return response ?? { status: 503, body: 'The client is not configured.' };
	}

	/**
	 * Takes the values of the page.
	 * @param env lines of `NAME=value`
	 * @param ca certificate of the authority, PEM
	 * @param posts whether it gets its responses as forms
	 */
	configure(
		env: string,
		ca: string,
		{
			mistakes = [],
			dialect = 'specification',
			posts = false
		}: Pick<ClientSettings, 'mistakes' | 'dialect'> & { readonly posts?: boolean }
	): void {
		const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(env)?.[1] ?? '';
		const settings: ClientSettings = {
			baseUrl: valueOf('TOLLGATE_BASE_URL'),
			clientId: valueOf('TOLLGATE_CLIENT_ID'),
			clientSecret: valueOf('TOLLGATE_CLIENT_SECRET'),
			redirectUri: valueOf('TOLLGATE_REDIRECT_URI'),
			mistakes,
			dialect,
			fetch: (url, init) => send(new Request(url, init), ca)
		};
		const client = new ReferenceClient(settings);
		this.#client = posts ? withForms(client) : client;
	}

	close(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}
}

/** A `fetch` that trusts one authority. */
async function send(request: Request, ca: string): Promise<Response> {
	const body = Buffer.from(await request.arrayBuffer());
	const headers = Object.fromEntries(request.headers);
	return new Promise((resolve, reject) => {
		const sent = httpsRequest(request.url, { method: request.method, ca, headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const received = new Headers();
				for (const [name, value] of Object.entries(response.headersDistinct))
					for (const one of value ?? []) received.append(name, one);
				resolve(new Response(Buffer.concat(chunks), { status: response.statusCode ?? 0, headers: received }));
			});
		});
		sent.on('error', reject);
		sent.end(body);
	});
}
