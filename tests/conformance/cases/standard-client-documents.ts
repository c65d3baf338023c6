import { defined, equal, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';
import { pkce, readCharacter, standardCase, standardHostCase, verifier } from '../standard.ts';
import { codeOf } from '../user-agent.ts';

const redirect_uri = 'http://127.0.0.1:53124/callback';

function urlOf(at: Sandbox, name: string): string {
	return `${at.base_url}/ws/oauth2/clients/${name}`;
}

/** A client that a document of this sandbox describes. */
function clientOf(at: Sandbox, name: string) {
	return { client_id: urlOf(at, name), client_secret: '', redirect_uri };
}

async function write(at: Sandbox, name: string, document: unknown): Promise<void> {
	const text = typeof document === 'string' ? document : JSON.stringify(document);
	equal((await at.controlled('PUT', `client-documents/${name}`, { text })).status, 200);
}

/** Asks for access, and says what rejected the request. */
async function rejection(at: Sandbox, client_id: string, uri = redirect_uri): Promise<unknown[]> {
	const response = await at.user().authorize({ client_id, client_secret: '', redirect_uri: uri }, pkce);
	return rejectionOf(at, response);
}

async function rejectionOf(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, failed?.id, failed?.cause];
}

/** ST-30: clients that a document describes (OAuth Client ID Metadata Document). */
export const standardClientDocumentCases = [
	standardHostCase('ST-30 a client with a document of the sandbox gets tokens, and refreshes them', async (at) => {
		const app = clientOf(at, 'example');
		const code = codeOf(await at.user().allow(app, pkce));
		const { client_secret: _, ...fields } = app;
		const form = { grant_type: 'authorization_code', code, code_verifier: verifier, ...fields };
		const { tokens } = await at.token(form);
		equal((await readCharacter(at, tokens.access_token)).status, 200);
		const refresh_token = defined(tokens.refresh_token, 'refresh_token');
		const refresh = { grant_type: 'refresh_token', client_id: app.client_id };
		const next = await at.token({ ...refresh, refresh_token });
		equal(next.status, 200, next.text);
		ok(next.tokens.refresh_token !== refresh_token, 'the refresh token is replaced');
		equal((await at.token({ ...refresh, refresh_token })).error, 'invalid_grant');
	}),
	standardCase('ST-30 the consent page shows the host, and the document is public', async (at) => {
		const app = clientOf(at, 'example');
		const user = at.user();
		const page = await user.openConsent(app, pkce);
		ok(/It describes itself at\s+<strong><bdi>[^<]+<\/bdi><\/strong>/.test(page.text), page.text);
		ok((await user.openConsent(app, pkce)).text.includes('value="approve"'), 'the user decides each time');
		const document = await at.get('/ws/oauth2/clients/example');
		equal([document.status, document.header('content-type')], [200, 'application/json']);
		equal(Object(document.json()).client_id, app.client_id);
		equal((await at.get('/ws/oauth2/clients/other')).status, 404);
	}),
	standardCase('ST-30 a developer writes, changes and deletes a document', async (at) => {
		const client_id = urlOf(at, 'my-agent');
		const unknown = [400, 'client_document.found', 'not_hosted'];
		equal(await rejection(at, client_id), unknown);
		await write(at, 'my-agent', { client_id, redirect_uris: ['http://127.0.0.1/callback'] });
		equal(await rejection(at, client_id), [200, undefined, undefined]);
		await write(at, 'my-agent', { client_id, redirect_uris: ['http://127.0.0.1/other'] });
		equal(await rejection(at, client_id), [400, 'auth.redirect_uri_registered', 'not_registered']);
		equal((await at.controlled('DELETE', 'client-documents/my-agent')).status, 200);
		equal(await rejection(at, client_id), unknown);
		equal((await at.control('DELETE', 'client-documents/my-agent')).status, 404);
	}),
	standardCase('ST-30 each mistake of a document has its check', async (at) => {
		const client_id = urlOf(at, 'wrong');
		const good = { client_id, redirect_uris: ['http://127.0.0.1/callback'] };
		const valid = 'client_document.metadata_valid';
		const equalIds = 'client_document.client_id_equal';
		const mistakes: readonly (readonly [document: unknown, id: string, cause?: string])[] = [
			['{', 'client_document.is_json'],
			['[]', 'client_document.is_json'],
			[{ ...good, client_id: undefined }, equalIds, 'missing'],
			[{ ...good, client_id: `${client_id}/` }, equalIds, 'different'],
			[{ ...good, client_secret: 'x' }, valid, 'secret'],
			[{ ...good, token_endpoint_auth_method: 'client_secret_post' }, valid, 'with_authentication'],
			[{ ...good, grant_types: ['client_credentials'] }, valid, 'other_grants'],
			[{ ...good, client_name: 7 }, valid, 'malformed'],
			[{ ...good, redirect_uris: [] }, 'client_document.redirect_uris_valid'],
			[{ ...good, redirect_uris: ['http://app.example/'] }, 'client_document.redirect_uris_valid'],
			[{ ...good, redirect_uris: ['javascript:alert(1)'] }, 'client_document.redirect_uris_valid']
		];
		for (const [document, id, cause] of mistakes) {
			await write(at, 'wrong', document);
			equal(await rejection(at, client_id), [400, id, cause], JSON.stringify(document));
		}
	}),
	standardCase(
		'ST-30 each fault of the server of a document has its check, and other programs meet it too',
		async (at) => {
			const client_id = urlOf(at, 'faulty');
			const text = JSON.stringify({ client_id, redirect_uris: ['http://127.0.0.1/callback'] });
			const set = (fault: string) => at.controlled('PUT', 'client-documents/faulty', { text, fault });
			const fetched = 'client_document.fetched';
			const faults: readonly (readonly [fault: string, check: string, cause: string, served: unknown[]])[] = [
				['too_large', fetched, 'too_large', [200, 'application/json', 5121]],
				['redirect', fetched, 'redirected', [307, null, 0]],
				['content_type', fetched, 'wrong_content_type', [200, 'text/plain; charset=utf-8', text.length]],
				['other_id', 'client_document.client_id_equal', 'different', [200, 'application/json', text.length + 6]]
			];
			for (const [fault, check, cause, served] of faults) {
				equal(Object((await set(fault)).json()).fault, fault);
				equal(await rejection(at, client_id), [400, check, cause], fault);
				const document = await at.get('/ws/oauth2/clients/faulty');
				equal([document.status, document.header('content-type') ?? null, document.text.length], served, fault);
			}
			await set('none');
			equal(await rejection(at, client_id), [200, undefined, undefined]);
			const unknown = await at.control('PUT', 'client-documents/faulty', { text, fault: 'unknown' });
			equal(unknown.status, 400);
		}
	),
	standardCase('ST-30 a cached document hides a change, until the cache ends', async (at) => {
		const client_id = urlOf(at, 'cached');
		const set = (fault: string, path: string) => {
			const text = JSON.stringify({ client_id, redirect_uris: [`http://127.0.0.1/${path}`] });
			return at.controlled('PUT', 'client-documents/cached', { text, fault });
		};
		const other = [400, 'auth.redirect_uri_registered', 'not_registered'];
		await set('cached', 'callback');
		equal((await at.get('/ws/oauth2/clients/cached')).header('cache-control'), 'max-age=86400');
		equal(await rejection(at, client_id), [200, undefined, undefined]);
		await set('cached', 'new');
		equal(await rejection(at, client_id), [200, undefined, undefined], 'the old version');
		await at.advance(86_401);
		equal(await rejection(at, client_id), other);
		await set('cached', 'callback');
		equal(await rejection(at, client_id), other, 'the version before');
		await set('none', 'callback');
		equal(await rejection(at, client_id), [200, undefined, undefined], 'without the fault');
	}),
	standardCase('ST-30 redirect URIs are compared exactly, but for the port of loopback', async (at) => {
		const client_id = urlOf(at, 'example');
		equal(await rejection(at, client_id, 'http://127.0.0.1:1024/callback'), [200, undefined, undefined]);
		for (const uri of [
			'http://127.0.0.1/callback/',
			'https://127.0.0.1/callback',
			'http://127.0.0.2/callback',
			'http://localhost/callback'
		])
			equal(await rejection(at, client_id, uri), [400, 'auth.redirect_uri_registered', 'not_registered'], uri);
	}),
	standardCase('ST-30 a URL that is no client_id is named', async (at) => {
		const urls: (readonly [url: string, cause: string])[] = [
			['http://app.example/client.json', 'not_https'],
			['https://app.example', 'no_path'],
			['https://app.example/', 'no_path'],
			['https://user@app.example/client.json', 'credentials'],
			['https://app.example/client.json#a', 'fragment'],
			['https://app.example/a/../client.json', 'dot_segment'],
			['https://APP.example/client.json', 'not_normalized'],
			[`https://app.example/${'a'.repeat(500)}`, 'too_long']
		];
		urls.push([urlOf(at, '../../../control/status'), 'dot_segment'], [`${urlOf(at, 'example')}#a`, 'fragment']);
		for (const [url, cause] of urls) equal(await rejection(at, url), [400, 'client_document.url_valid', cause], url);
	}),
	standardCase('ST-30 metadata names the feature, and the specification does not have it', async (at) => {
		const metadata = Object((await at.get('/.well-known/oauth-authorization-server')).json());
		equal(metadata.client_id_metadata_document_supported, true);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.get('/ws/oauth2/clients/example')).status, 404);
		equal(await rejection(at, urlOf(at, 'example')), [400, 'auth.client_known', 'unknown_client']);
	}),
	standardCase('ST-30 the first request of a client with a document can be a pushed one', async (at) => {
		const { client_id } = clientOf(at, 'example');
		const request = { response_type: 'code', client_id, redirect_uri, scope: 'character_read', ...pkce };
		const pushed = await at.post('/ws/oauth2/par', request);
		equal(pushed.status, 201, pushed.text);
		const other = await at.post('/ws/oauth2/par', { ...request, client_id: urlOf(at, 'other') });
		equal(await at.failedCheck(other), 'client_document.found');
	}),
	standardCase('ST-30 a sandbox hosts 20 documents of 5 kB', async (at) => {
		for (let count = 1; count <= 20; count++) await write(at, `number-${count}`, '{}');
		const put = (name: string, text: string) => at.control('PUT', `client-documents/${name}`, { text });
		equal((await put('number-21', '{}')).status, 409);
		equal((await put('number-1', 'x'.repeat(5120))).status, 200);
		equal((await put('number-1', 'x'.repeat(5121))).status, 400);
		equal((await put('Number', '{}')).status, 400);
	})
];
