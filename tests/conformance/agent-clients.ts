import * as client2 from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError as Unauthorized1, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Sandbox } from './sandbox.ts';

/** A client of the Model Context Protocol with its own authorization, unmodified. */
export type AgentClient = {
	/** Connects, and calls a tool. Signs in where the client asks for it. Returns the text of the result. */
	call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
	/** The authorization requests that it made. */
	readonly requests: readonly URL[];
	/** Forgets its tokens, as at a sign-out. */
	forgetTokens(): void;
	/** What it stores about its registration. */
	client: OAuthClientInformationMixed | undefined;
};

export type AgentClientOptions = {
	readonly at: Sandbox;
	/** Where the document of the client is. Absent: it registers. */
	readonly clientMetadataUrl?: string;
	/** A client that is registered already. */
	readonly known?: OAuthClientInformationMixed;
};

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** Keeps in memory what a client stores. */
class Provider {
	readonly redirectUrl = redirectUrl;
	readonly clientMetadata = {
		client_name: 'Acme agent',
		redirect_uris: [redirectUrl],
		token_endpoint_auth_method: 'none'
	};
	readonly requests: URL[] = [];
	client: OAuthClientInformationMixed | undefined;
	stored: OAuthTokens | undefined;
	verifier = '';

	forgetTokens = () => void (this.stored = undefined);
	clientInformation = () => this.client;
	saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
	tokens = () => this.stored;
	saveTokens = (tokens: OAuthTokens) => void (this.stored = tokens);
	redirectToAuthorization = (url: URL) => void this.requests.push(url);
	saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
	codeVerifier = () => this.verifier;
	state = () => 'a-state-of-a-test';
}

/** What a user does at an authorization URL: signs in and allows everything. Returns where the browser goes then. */
async function signInAt(at: Sandbox, url: URL): Promise<URL> {
	const user = at.user();
	const response = await user.signInOn(await user.open(url.href));
	return new URL((response.status === 200 ? await user.decide(response) : response).location);
}

/** Requests of a client as requests of a test. */
function fetchOf({ transport }: Sandbox, agent: string): typeof fetch {
	return async (input, init) => {
		const request = new Request(input, init);
		const { pathname, search } = new URL(request.url);
		const received = await transport.send({
			method: request.method,
			target: pathname + search,
			headers: [...[...request.headers].flat(), 'User-Agent', agent],
			body: await request.text()
		});
		if (received === undefined) throw new TypeError('fetch failed');
		const { status, body } = received;
		const headers = new Headers();
		for (let at = 0; at < received.headers.length; at += 2)
			headers.append(received.headers[at] ?? '', received.headers[at + 1] ?? '');
		return new Response(status === 204 ? null : body, { status, headers });
	};
}

function textOf(result: unknown): string {
	const { content = [] } = Object(result);
	return String(Object(content[0]).text);
}

/** Connects and runs, and signs in once for each request that the client makes. */
async function withSignIn(
	at: Sandbox,
	provider: Provider,
	run: () => Promise<string>,
	finish: (callback: URL) => Promise<void>,
	isUnauthorized: (error: unknown) => boolean
): Promise<string> {
	for (let signIns = 0; ; signIns++) {
		const before = provider.requests.length;
		try {
			return await run();
		} catch (error) {
			const request = provider.requests.at(-1);
			if (!isUnauthorized(error) || provider.requests.length === before || request === undefined || signIns === 3)
				throw error;
			await finish(await signInAt(at, request));
		}
	}
}

/** Lists the names with version 2 of the SDK and one of its providers, without a user. */
export async function listNames2(at: Sandbox, authProvider: client2.OAuthClientProvider): Promise<string> {
	const options = { authProvider, fetch: fetchOf(at, 'agent-2') };
	const client = new client2.Client({ name: 'TypeScript client', version: '2.4.0' });
	await client.connect(new client2.StreamableHTTPClientTransport(new URL(`${at.base_url}/mcp`), options));
	return textOf(await client.callTool({ name: 'list_names', arguments: {} }));
}

/** The same with version 1. */
export async function listNames1(at: Sandbox, authProvider: OAuthClientProvider): Promise<string> {
	const options = { authProvider, fetch: fetchOf(at, 'agent-1') };
	const client = new Client1({ name: 'TypeScript client', version: '1.32.2' });
	await client.connect(new Transport1(new URL(`${at.base_url}/mcp`), options));
	return textOf(await client.callTool({ name: 'list_names', arguments: {} }));
}

/** The SDK in version 2, with the revision 2026-07-28 where the server has it. */
export function clientVersion2({ at, clientMetadataUrl, known }: AgentClientOptions): AgentClient {
	const provider = Object.assign(new Provider(), {
		...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
		client: known
	});
	const open = () =>
		new client2.StreamableHTTPClientTransport(new URL(`${at.base_url}/mcp`), {
			authProvider: provider,
			fetch: fetchOf(at, 'agent-2')
		});
	let transport = open();
	return Object.assign(provider, {
		call: (name: string, input: Readonly<Record<string, unknown>> = {}) =>
			withSignIn(
				at,
				provider,
				async () => {
					transport = open();
					const client = new client2.Client(
						{ name: 'TypeScript client', version: '2.4.0' },
						{ versionNegotiation: { mode: 'auto' } }
					);
					await client.connect(transport);
					return textOf(await client.callTool({ name, arguments: input }));
				},
				(callback) => transport.finishAuth(callback.searchParams),
				(error) => client2.UnauthorizedError.isInstance(error)
			)
	});
}

/** The SDK in version 1. */
export function clientVersion1({ at, clientMetadataUrl, known }: AgentClientOptions): AgentClient {
	const provider = Object.assign(new Provider(), {
		...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
		client: known
	});
	const open = () =>
		new Transport1(new URL(`${at.base_url}/mcp`), { authProvider: provider, fetch: fetchOf(at, 'agent-1') });
	let transport = open();
	return Object.assign(provider, {
		call: (name: string, input: Readonly<Record<string, unknown>> = {}) =>
			withSignIn(
				at,
				provider,
				async () => {
					transport = open();
					const client = new Client1({ name: 'TypeScript client', version: '1.32.2' });
					await client.connect(transport);
					return textOf(await client.callTool({ name, arguments: input }));
				},
				(callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
				(error) => error instanceof Unauthorized1
			)
	});
}
