import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../conformance/hosts/node.ts';
import { Sandbox, type App } from '../conformance/sandbox.ts';
import type { Transport } from '../conformance/transport.ts';
import { testCertificate } from '../hosts/certificate.ts';
import { installPackages } from '../run/debian.js';

// Libraries of other languages, with their defaults, in a sandbox with the dialect of today's standards. Each knows the issuer and its
// registration. It signs in, reads a character, refreshes twice, revokes, and is rejected then. tests/conformance has those of npm.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'standard-clients-'));
const redirect_uri = 'http://localhost:3000/callback';
let transport: Transport;
let at: Sandbox;
let app: App;

type Library = {
	readonly program: string;
	/** Of Debian. */
	readonly packages: readonly string[];
	/** Arguments that fail where the library is missing. */
	readonly needs: readonly string[];
	readonly file: string;
	/** A program that prints the status of each call of the resource. */
	readonly code: string;
};

const libraries: Readonly<Record<string, Library>> = {
	'requests-oauthlib': {
		// That of Debian, which has the library as a package.
		program: '/usr/bin/python3',
		packages: ['python3-requests-oauthlib'],
		needs: ['-c', 'import requests_oauthlib'],
		file: 'client.py',
		code: `import base64, hashlib, os, secrets
from urllib.parse import parse_qs, urlsplit
import requests
from requests_oauthlib import OAuth2Session
base, identity, secret = os.environ["BASE"], os.environ["ID"], os.environ["SECRET"]
server = requests.get(base + "/.well-known/oauth-authorization-server").json()
session = OAuth2Session(identity, redirect_uri=os.environ["CALLBACK"], scope=["character_read"])
verifier = secrets.token_urlsafe(32)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
url, state = session.authorization_url(server["authorization_endpoint"], code_challenge=challenge, code_challenge_method="S256")
sent = requests.post(base + "/control/authorizations", headers={"X-Tollgate-Key": os.environ["KEY"]},
    json={"username": "player-one", "query": urlsplit(url).query})
callback = parse_qs(urlsplit(sent.json()["location"]).query)
assert callback["state"] == [state] and callback["iss"] == [base]
session.fetch_token(server["token_endpoint"], code=callback["code"][0], code_verifier=verifier, client_secret=secret)
read = lambda: print(session.get(base + "/ws/v2.0/character/Mara%20Vell").status_code)
read()
for _ in range(2):
    session.refresh_token(server["token_endpoint"], auth=(identity, secret))
    read()
requests.post(server["revocation_endpoint"], data={"token": session.token["refresh_token"]}, auth=(identity, secret)).raise_for_status()
read()
`
	},
	'ruby-oauth2': {
		program: 'ruby',
		packages: ['ruby-oauth2'],
		needs: ['-e', 'require "oauth2"'],
		file: 'client.rb',
		code: `require 'digest'
require 'json'
require 'net/http'
require 'oauth2'
require 'securerandom'
base = ENV['BASE']
server = JSON.parse(Net::HTTP.get(URI(base + '/.well-known/oauth-authorization-server')))
client = OAuth2::Client.new(ENV['ID'], ENV['SECRET'], authorize_url: server['authorization_endpoint'],
  token_url: server['token_endpoint'], raise_errors: false)
verifier = SecureRandom.urlsafe_base64(32)
challenge = [Digest::SHA256.digest(verifier)].pack('m0').tr('+/', '-_').delete('=')
url = client.auth_code.authorize_url(redirect_uri: ENV['CALLBACK'], scope: 'character_read', state: 's1',
  code_challenge: challenge, code_challenge_method: 'S256')
headers = { 'Content-Type' => 'application/json', 'X-Tollgate-Key' => ENV['KEY'] }
body = { username: 'player-one', query: URI(url).query }.to_json
sent = Net::HTTP.post(URI(base + '/control/authorizations'), body, headers)
callback = URI.decode_www_form(URI(JSON.parse(sent.body)['location']).query).to_h
abort 'other state or issuer' unless callback.values_at('state', 'iss') == ['s1', base]
token = client.auth_code.get_token(callback['code'], redirect_uri: ENV['CALLBACK'], code_verifier: verifier)
read = -> { puts token.get(base + '/ws/v2.0/character/Mara%20Vell').status }
read.call
2.times do
  token = token.refresh!
  read.call
end
form = { token: token.refresh_token, client_id: ENV['ID'], client_secret: ENV['SECRET'] }
abort 'not revoked' unless client.request(:post, server['revocation_endpoint'], body: form).status == 200
read.call
`
	}
};

beforeAll(async () => {
	const { authority } = await testCertificate();
	transport = await startNode();
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
	app = await at.register('web', [redirect_uri]);
	writeFileSync(join(project, 'ca.pem'), authority.cert);
});

afterAll(async () => {
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

for (const [name, { program, packages, needs, file, code }] of Object.entries(libraries)) {
	const isInstalled = () => spawnSync(program, needs).status === 0;
	if (!isInstalled()) await installPackages(...packages);
	const isMissing = !isInstalled();
	if (isMissing) console.warn(`Skipped ${name}: it is not installed.`);

	test.skipIf(isMissing)(
		`${name} signs in, calls, refreshes twice and revokes with its defaults`,
		{ timeout: 60_000 },
		async () => {
			writeFileSync(join(project, file), code);
			const ca = join(project, 'ca.pem');
			const env = {
				PATH: process.env.PATH,
				HOME: project,
				REQUESTS_CA_BUNDLE: ca,
				SSL_CERT_FILE: ca,
				BASE: at.base_url,
				KEY: at.key,
				ID: app.client_id,
				SECRET: app.client_secret,
				CALLBACK: redirect_uri
			};
			const { stdout } = await run(program, [file], { cwd: project, env });
			expect(stdout.trim().split('\n')).toEqual(['200', '200', '200', '401']);
		}
	);
}
