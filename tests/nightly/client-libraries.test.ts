import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { startNode } from '../conformance/hosts/node.ts';
import { Sandbox } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';

// Each library of the table in "Connect your client" exchanges a code, with the option of its row and with no other. Those that send
// requests for resources read a character, the others give the token to a request with the header of the service.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'client-libraries-'));
let transport: Transport;
let at: Sandbox;

type Library = {
	/** Package and version, as the package manager takes them. */
	readonly install: readonly string[];
	/** Whether the row asks for a sandbox that is not strict. */
	readonly isLenient?: true;
	/** A program that prints what it read. `TOKEN`, `AUTH` and `CHARACTER` are URLs. */
	readonly code: string;
};

/** Reads the character with a token that a library without own requests has got. */
const read = (token: string, scheme = 'OAuth') =>
	`console.log(await (await fetch(CHARACTER, { headers: { authorization: '${scheme} ' + ${token} } })).text());`;

const libraries: Readonly<Record<string, Library>> = {
	oauth4webapi: {
		install: ['oauth4webapi@3.8.8'],
		code: `import * as oauth from 'oauth4webapi';
const server = { issuer: BASE, token_endpoint: TOKEN };
const client = { client_id: ID };
const callback = oauth.validateAuthResponse(server, client, new URL(CALLBACK + '?state=s&code=' + CODE), 's');
const response = await oauth.authorizationCodeGrantRequest(server, client, oauth.ClientSecretPost(SECRET), callback, CALLBACK, oauth.nopkce);
const option = { recognizedTokenTypes: { oauth: () => {} } };
const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, option);
${read('tokens.access_token')}`
	},
	'simple-oauth2': {
		install: ['simple-oauth2@5.1.0'],
		code: `import { AuthorizationCode } from 'simple-oauth2';
const { origin, pathname } = new URL(TOKEN);
const client = new AuthorizationCode({
	client: { id: ID, secret: SECRET }, auth: { tokenHost: origin, tokenPath: pathname }, options: { authorizationMethod: 'body' }
});
const { token } = await client.getToken({ code: CODE, redirect_uri: CALLBACK });
${read('token.access_token')}`
	},
	'@badgateway/oauth2-client': {
		install: ['@badgateway/oauth2-client@3.3.1'],
		code: `import { OAuth2Client } from '@badgateway/oauth2-client';
const client = new OAuth2Client({
	clientId: ID, clientSecret: SECRET, tokenEndpoint: TOKEN, authorizationEndpoint: AUTH, authenticationMethod: 'client_secret_post'
});
const token = await client.authorizationCode.getToken({ code: CODE, redirectUri: CALLBACK });
${read('token.accessToken')}`
	},
	oauth: {
		install: ['oauth@0.10.2'],
		code: `import { OAuth2 } from 'oauth';
const client = new OAuth2(ID, SECRET, BASE, '/ws/oauth2/auth/', '/ws/oauth2/token/');
client.getOAuthAccessToken(CODE, { grant_type: 'authorization_code', redirect_uri: CALLBACK }, (error, token) => {
	if (error) throw new Error(JSON.stringify(error));
	client.get(CHARACTER, token, (failed, body) => console.log(failed ?? body));
});`
	},
	'passport-oauth2': {
		install: ['passport-oauth2@1.8.0'],
		code: `import Strategy from 'passport-oauth2';
const options = { authorizationURL: AUTH, tokenURL: TOKEN, clientID: ID, clientSecret: SECRET, callbackURL: CALLBACK };
const strategy = new Strategy(options, (token, refresh, profile, done) => {
	strategy._oauth2.get(CHARACTER, token, (failed, body) => console.log(failed ?? body));
	done(null, {});
});
strategy.success = () => {};
strategy.error = (error) => { throw error; };
strategy.authenticate({ query: { code: CODE }, headers: {}, connection: {} }, {});`
	},
	grant: {
		install: ['grant@5.4.24'],
		code: `import Grant from 'grant/lib/grant.js';
const provider = { oauth: 2, authorize_url: AUTH, access_url: TOKEN, key: ID, secret: SECRET, redirect_uri: CALLBACK, response: ['tokens'], transport: 'state' };
const grant = Grant({ config: { tollgate: provider } });
const input = { method: 'GET', params: { provider: 'tollgate', override: 'callback' }, query: { code: CODE }, state: {}, body: {} };
const { state } = await grant({ ...input, session: { provider: 'tollgate' } });
${read('state.response.access_token')}`
	},
	'axios-oauth-client': {
		install: ['axios-oauth-client@2.2.0', 'axios@1'],
		code: `import axios from 'axios';
import { authorizationCode } from 'axios-oauth-client';
const tokens = await authorizationCode(axios.create(), TOKEN, ID, SECRET, CALLBACK)(CODE);
${read('tokens.access_token')}`
	},
	'openid-client': {
		install: ['openid-client@6.9.0'],
		isLenient: true,
		code: `import * as client from 'openid-client';
const config = new client.Configuration({ issuer: BASE, token_endpoint: TOKEN }, ID, SECRET);
const tokens = await client.authorizationCodeGrant(config, new URL(CALLBACK + '?state=s&code=' + CODE), { expectedState: 's' });
console.log(await (await client.fetchProtectedResource(config, tokens.access_token, new URL(CHARACTER), 'GET')).text());`
	},
	'client-oauth2': {
		install: ['client-oauth2@4.3.3'],
		isLenient: true,
		code: `import ClientOAuth2 from 'client-oauth2';
const client = new ClientOAuth2({ clientId: ID, clientSecret: SECRET, accessTokenUri: TOKEN, authorizationUri: AUTH, redirectUri: CALLBACK });
const token = await client.code.getToken(CALLBACK + '?code=' + CODE);
const { url, headers } = token.sign({ method: 'get', url: CHARACTER });
console.log(await (await fetch(url, { headers })).text());`
	},
	arctic: {
		install: ['arctic@3.7.0'],
		isLenient: true,
		code: `import { OAuth2Client } from 'arctic';
const tokens = await new OAuth2Client(ID, SECRET, CALLBACK).validateAuthorizationCode(TOKEN, CODE, null);
${read('tokens.accessToken()', 'Bearer')}`
	}
};

const pythonCode = `import os
from requests_oauthlib import OAuth2Session
session = OAuth2Session(os.environ["ID"], redirect_uri=os.environ["CALLBACK"])
token = session.fetch_token(os.environ["TOKEN"], code=os.environ["CODE"], client_secret=os.environ["SECRET"], include_client_id=True)
headers = {"Authorization": "OAuth " + token["access_token"]}
print(session.get(os.environ["CHARACTER"], withhold_token=True, headers=headers).text)
`;

beforeAll(async () => {
	const { authority } = await testCertificate();
	transport = await startNode();
	at = await Sandbox.create(transport);
	writeFileSync(join(project, 'ca.pem'), authority.cert);
	writeFileSync(join(project, 'package.json'), '{"name":"other","private":true,"type":"module"}');
	const names = Object.values(libraries).flatMap(({ install }) => install);
	await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...names], { cwd: project });
}, 300_000);

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/** Runs a program with a new code. */
async function output(program: string, args: readonly string[]): Promise<string> {
	const { client_id, client_secret, redirect_uri } = at.viewer;
	const ca = join(project, 'ca.pem');
	const env = {
		PATH: process.env.PATH,
		HOME: project,
		NODE_EXTRA_CA_CERTS: ca,
		REQUESTS_CA_BUNDLE: ca,
		BASE: at.base_url,
		ID: client_id,
		SECRET: client_secret,
		CALLBACK: redirect_uri,
		AUTH: `${at.base_url}/ws/oauth2/auth/`,
		TOKEN: `${at.base_url}/ws/oauth2/token/`,
		CHARACTER: `${at.base_url}/ws/v2.0/character/Mara%20Vell`,
		CODE: await at.user().code()
	};
	return (await run(program, args, { cwd: project, env })).stdout;
}

test('the table lists the libraries that are tested here', async () => {
	const page = await loadDocPage('your-client');
	const table = page?.blocks.find((block) => block.kind === 'table' && block.columns[0] === 'Library');
	const names = table?.kind === 'table' ? table.rows.flatMap(({ cells: [first = ''] }) => first.split(', ')) : [];
	expect(names.sort()).toEqual([...Object.keys(libraries), 'requests-oauthlib'].sort());
});

test.each(Object.entries(libraries))('%s', async (name, { code, isLenient }) => {
	const names = ['BASE', 'ID', 'SECRET', 'CALLBACK', 'AUTH', 'TOKEN', 'CHARACTER', 'CODE'];
	writeFileSync(
		join(project, 'client.mjs'),
		`${code}\n`.replace(/^(?!import )/m, `const { ${names.join(', ')} } = process.env;\n`)
	);
	await at.changeSettings({ strict: isLenient !== true });
	expect(await output(process.execPath, ['client.mjs']), name).toContain('"name":"Mara Vell"');
	if (isLenient === true) {
		await at.changeSettings({ strict: true });
		const strict = await output(process.execPath, ['client.mjs']).catch(() => '');
		expect(strict, 'it needs a sandbox that is not strict').not.toContain('"name":"Mara Vell"');
	}
});

const hasPip = spawnSync('python3', ['-m', 'venv', '--help']).status === 0;
if (!hasPip) console.warn('Skipped requests-oauthlib: python3 has no venv.');

test.skipIf(!hasPip)('requests-oauthlib', { timeout: 120_000 }, async () => {
	await run('python3', ['-m', 'venv', join(project, 'python')]);
	const python = join(project, 'python/bin/python');
	await run(python, ['-m', 'pip', 'install', '--quiet', 'requests-oauthlib==2.0.0']);
	writeFileSync(join(project, 'client.py'), pythonCode);
	await at.changeSettings({ strict: true });
	expect(await output(python, ['client.py'])).toContain('"name":"Mara Vell"');
});
