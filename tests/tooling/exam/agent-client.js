// A command line client of the Model Context Protocol: SDK version, URL of the server, and a mistake if it makes one. It opens the browser
// that BROWSER names.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import * as two from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { agentMistake } from './agent-mistake.js';

const [version = '2', server = '', name = ''] = process.argv.slice(2);
const mistake = agentMistake(name, server);
/** @type {(callback: URL) => void} */
let arrive = () => undefined;
const listener = createServer((request, response) => {
	response.end('Signed in. Close this window.');
	arrive(new URL(request.url ?? '', 'http://127.0.0.1'));
});
await new Promise((resolve) => listener.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = listener.address();
const redirectUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/callback`;

/** @type {{ client?: any, tokens?: any, verifier: string }} */
const stored = { verifier: '', client: mistake.storedClient() };
const provider = {
	redirectUrl,
	clientMetadata: { client_name: 'Agent', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
	clientInformation: () => stored.client,
	saveClientInformation: (/** @type {{ client_id: string }} */ client) => {
		stored.client = client;
		mistake.storeClient(client.client_id);
	},
	tokens: () => stored.tokens,
	saveTokens: (/** @type {any} */ tokens) => void (stored.tokens = tokens),
	redirectToAuthorization: (/** @type {URL} */ url) =>
		void spawn(process.env.BROWSER ?? '', [mistake.authorizationUrl(url).href], { stdio: 'ignore' }),
	saveCodeVerifier: (/** @type {string} */ verifier) => void (stored.verifier = verifier),
	codeVerifier: () => stored.verifier
};

const isNew = version === '2';
const info = { name: 'agent-client', version };

function createTransport() {
	const options = { authProvider: provider, fetch: mistake.fetch };
	return isNew
		? new two.StreamableHTTPClientTransport(new URL(server), options)
		: new StreamableHTTPClientTransport(new URL(server), options);
}

async function callTools() {
	for (let signIns = 0; ; signIns++) {
		const callback = new Promise((/** @type {(callback: URL) => void} */ resolve) => (arrive = resolve));
		const transport = createTransport();
		try {
			const client = isNew ? new two.Client(info, { versionNegotiation: { mode: 'auto' } }) : new Client(info);
			await client.connect(transport);
			await client.callTool({ name: 'list_names', arguments: {} });
			await client.callTool({ name: 'read_private_fields', arguments: { name: 'Mara Vell' } });
			return;
		} catch (error) {
			const isUnauthorized = isNew ? two.UnauthorizedError.isInstance(error) : error instanceof UnauthorizedError;
			if (!isUnauthorized || signIns === 3) throw error;
			const { searchParams } = await callback;
			if (transport instanceof two.StreamableHTTPClientTransport)
				await transport.finishAuth(mistake.callback(searchParams));
			else await transport.finishAuth(searchParams.get('code') ?? '');
		}
	}
}

for (let attempts = 1; ; attempts++) {
	try {
		await callTools();
		break;
	} catch (error) {
		console.error(String(error));
		process.exitCode = 1;
		if (!mistake.beginsAgain(attempts, stored.client !== undefined)) break;
	}
}
listener.close();
process.exit();
