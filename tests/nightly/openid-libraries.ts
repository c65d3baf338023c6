import type { FaultKind } from '#api/control/fault-rules.ts';

/** A library that signs a user in, and a program that uses it as its documentation says. */
export type Library = {
	readonly command: readonly [program: string, ...args: string[]];
	/** Packages of npm, and of Debian. */
	readonly install?: readonly string[];
	readonly packages?: readonly string[];
	/** Fails where the library is missing. */
	readonly needs: readonly [program: string, ...args: string[]];
	readonly file: string;
	/** A program that prints `signed in: player-one`, or fails. */
	readonly code: string;
	/**
	 * What the library says of each ID token that it rejects. Some accept the others: they trust TLS in place of the signature
	 * (OpenID Connect Core, section 3.1.3.7, step 6).
	 */
	readonly rejects: Readonly<Partial<Record<FaultKind, RegExp>>>;
};

/** That of Debian, which has the libraries as packages. */
const python = '/usr/bin/python3';

/** By the names that the packages have. */
export const libraries: Readonly<Record<string, Library>> = {
	'Auth.js': {
		needs: ['npm', '--version'],
		install: ['@auth/core@0.41.3'],
		rejects: {
			id_token_audience: /"aud" \(audience\)/,
			id_token_nonce: /"nonce" claim/,
			id_token_expired: /"exp" \(expiration time\)/,
			id_token_unsigned: /"alg" header/
		},
		command: [process.execPath, 'client.mjs'],
		file: 'client.mjs',
		code: `import { Auth } from '@auth/core';
const { BASE, KEY, ID, SECRET } = process.env;
const cookies = new Map();
const provider = { id: 'tollgate', type: 'oidc', issuer: BASE, clientId: ID, clientSecret: SECRET, checks: ['pkce', 'state', 'nonce'] };
const config = {
	providers: [provider], secret: 's'.repeat(32), trustHost: true, basePath: '/auth',
	callbacks: { session: ({ session, token }) => ({ ...session, sub: token.sub }) }
};
async function send(path, body) {
	const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
	const form = body && new URLSearchParams(body);
	const response = await Auth(new Request('http://localhost:3000/auth' + path, { method: form ? 'POST' : 'GET', headers, body: form }), config);
	for (const line of response.headers.getSetCookie()) {
		const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
		cookies.set(name, value);
	}
	return response;
}
const { csrfToken } = await (await send('/csrf')).json();
const asked = await send('/signin/tollgate', { csrfToken, callbackUrl: 'http://localhost:3000/' });
const { search } = new URL(asked.headers.get('location'));
const decided = await fetch(BASE + '/control/authorizations', {
	method: 'POST', headers: { 'content-type': 'application/json', 'x-tollgate-key': KEY },
	body: JSON.stringify({ username: 'player-one', query: search.slice(1) })
});
const { location } = await decided.json();
await send('/callback/tollgate' + new URL(location).search);
const session = await (await send('/session')).json();
if (!session?.user) throw new Error('not signed in');
console.log('signed in: ' + session.user.name);`
	},
	'passport-openidconnect': {
		needs: ['npm', '--version'],
		install: ['passport-openidconnect@0.1.2'],
		// The signature is out of its scope, as its source says.
		rejects: {
			id_token_audience: /not intended for this relying party/,
			id_token_nonce: /invalid nonce/,
			id_token_expired: /has expired/
		},
		command: [process.execPath, 'passport.mjs'],
		file: 'passport.mjs',
		code: `import Strategy from 'passport-openidconnect';
const { BASE, KEY, ID, SECRET, CALLBACK } = process.env;
const server = await (await fetch(BASE + '/.well-known/openid-configuration')).json();
const endpoints = { authorizationURL: server.authorization_endpoint, tokenURL: server.token_endpoint, userInfoURL: server.userinfo_endpoint };
const client = { clientID: ID, clientSecret: SECRET, callbackURL: CALLBACK, scope: 'profile', nonce: true };
const strategy = new Strategy({ issuer: server.issuer, ...endpoints, ...client }, (issuer, profile, done) => done(null, profile));
const session = {};
const authenticate = (query) => new Promise((resolve, reject) => {
	const fail = (info) => reject(new Error(info.message));
	const one = Object.assign(Object.create(strategy), { redirect: resolve, success: resolve, fail, error: reject });
	one.authenticate({ session, query }, {});
});
const { search } = new URL(await authenticate({}));
const decided = await fetch(BASE + '/control/authorizations', {
	method: 'POST', headers: { 'content-type': 'application/json', 'x-tollgate-key': KEY },
	body: JSON.stringify({ username: 'player-one', query: search.slice(1) })
});
const { location } = await decided.json();
const user = await authenticate(Object.fromEntries(new URL(location).searchParams));
console.log('signed in: ' + user.id);`
	},
	'express-openid-connect': {
		needs: ['npm', '--version'],
		install: ['express@5.3.0', 'express-openid-connect@3.4.0'],
		rejects: {
			id_token_audience: /^rejected: /,
			id_token_nonce: /^rejected: /,
			id_token_expired: /^rejected: /,
			id_token_unsigned: /^rejected: /
		},
		command: [process.execPath, 'express.mjs'],
		file: 'express.mjs',
		code: `import express from 'express';
import { auth } from 'express-openid-connect';
const { BASE, KEY, ID, SECRET, CALLBACK } = process.env;
const { origin, pathname } = new URL(CALLBACK);
const app = express();
const client = { issuerBaseURL: BASE, baseURL: origin, clientID: ID, clientSecret: SECRET, secret: 's'.repeat(32), authRequired: false };
app.use(auth({ ...client, routes: { callback: pathname }, authorizationParams: { response_type: 'code' } }));
app.get('/', (request, response) => response.send(request.oidc.user?.sub ?? 'none'));
app.use((error, request, response, next) => response.status(500).send(String(error.cause?.stack ?? error.stack)));
const server = app.listen(0);
const cookies = new Map();
async function send(path) {
	const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
	const response = await fetch('http://localhost:' + server.address().port + path, { headers, redirect: 'manual' });
	for (const line of response.headers.getSetCookie()) {
		const [, name, value] = /^([^=]+)=([^;]*)/.exec(line);
		cookies.set(name, value);
	}
	return response;
}
const { search } = new URL((await send('/login')).headers.get('location'));
const decided = await fetch(BASE + '/control/authorizations', {
	method: 'POST', headers: { 'content-type': 'application/json', 'x-tollgate-key': KEY },
	body: JSON.stringify({ username: 'player-one', query: search.slice(1) })
});
const { location } = await decided.json();
const back = await send(pathname + new URL(location).search);
const text = back.status < 400 ? await (await send('/')).text() : await back.text();
server.close();
if (back.status >= 400) throw new Error(text);
console.log('signed in: ' + text);`
	},
	Authlib: {
		rejects: {
			id_token_signature: /BadSignatureError/,
			id_token_audience: /"(?:aud|azp)" claim/,
			id_token_nonce: /claim "nonce"/,
			id_token_expired: /ExpiredTokenError/,
			id_token_key: /Invalid JSON Web Key Set/,
			id_token_unsigned: /UnsupportedAlgorithmError/
		},
		packages: ['python3-authlib', 'python3-flask', 'python3-requests'],
		needs: [python, '-c', 'import authlib, flask, requests'],
		command: [python, 'client.py'],
		file: 'client.py',
		code: `import os
from urllib.parse import urlparse
import requests
from authlib.integrations.flask_client import OAuth
from flask import Flask
base = os.environ["BASE"]
app = Flask(__name__)
app.secret_key = "secret"
app.testing = True
oauth = OAuth(app)
oauth.register("tollgate", server_metadata_url=base + "/.well-known/openid-configuration", client_id=os.environ["ID"],
    client_secret=os.environ["SECRET"], client_kwargs={"scope": "openid profile", "code_challenge_method": "S256"})
@app.route("/login")
def login():
    return oauth.tollgate.authorize_redirect(os.environ["CALLBACK"])
@app.route("/callback")
def callback():
    return oauth.tollgate.authorize_access_token()["userinfo"]["sub"]
browser = app.test_client()
query = urlparse(browser.get("/login").headers["Location"]).query
sent = requests.post(base + "/control/authorizations", headers={"X-Tollgate-Key": os.environ["KEY"]},
    json={"username": "player-one", "query": query})
print("signed in: " + browser.get("/callback?" + urlparse(sent.json()["location"]).query).text)
`
	},
	omniauth_openid_connect: {
		rejects: {
			id_token_signature: /VerificationFailed/,
			id_token_audience: /InvalidAudience/,
			id_token_nonce: /InvalidNonce/,
			id_token_expired: /ExpiredToken/,
			id_token_key: /KidNotFound/,
			id_token_unsigned: /UnexpectedAlgorithm/
		},
		packages: ['ruby-omniauth-openid-connect'],
		needs: ['ruby', '-e', 'require "omniauth_openid_connect"'],
		command: ['ruby', 'client.rb'],
		file: 'client.rb',
		code: `require 'json'
require 'net/http'
require 'rack'
require 'omniauth_openid_connect'
base = ENV['BASE']
OmniAuth.config.request_validation_phase = nil
OmniAuth.config.logger = Logger.new(IO::NULL)
OmniAuth.config.on_failure = ->(env) { raise env['omniauth.error'] }
app = Rack::Builder.new do
  use Rack::Session::Cookie, secret: 's' * 64
  use OmniAuth::Builder do
    provider :openid_connect, name: :tollgate, issuer: base, discovery: true, scope: [:openid, :profile],
      response_type: :code, client_options: { identifier: ENV['ID'], secret: ENV['SECRET'], redirect_uri: ENV['CALLBACK'] }
  end
  run ->(env) { [200, {}, [env['omniauth.auth'].uid]] }
end
browser = Rack::MockRequest.new(app)
asked = browser.post('/auth/tollgate')
cookie = Array(asked['set-cookie']).join("\\n").lines.map { |line| line[/^[^;]+/] }.join('; ')
headers = { 'Content-Type' => 'application/json', 'X-Tollgate-Key' => ENV['KEY'] }
body = { username: 'player-one', query: URI(asked['location']).query }.to_json
sent = Net::HTTP.post(URI(base + '/control/authorizations'), body, headers)
query = URI(JSON.parse(sent.body)['location']).query
puts 'signed in: ' + browser.get('/auth/tollgate/callback?' + query, 'HTTP_COOKIE' => cookie).body
`
	}
};
