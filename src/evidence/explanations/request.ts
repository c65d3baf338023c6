import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about authorization requests. */
export const requestExplanations: RuleExplanations = {
	'request.protected': {
		condition:
			'Two sign-ins or more have neither a state nor a code challenge, or a code challenge that the service rejects. If users copy the code by hand, this is advice.',
		why: 'Without a state and PKCE, an attacker can make a user continue with the account of the attacker.',
		standard: {
			condition: 'The service rejects two sign-ins or more, because they have no code challenge of the method S256.',
			why: 'Without PKCE, an attacker can exchange a code that was stolen, or make a user continue with the account of the attacker.'
		},
		wrong: code(
			'app.get("/login", (request, response) => {',
			'  const url = new URL(authorizeUrl);',
			'  url.searchParams.set("client_id", id);',
			'  response.redirect(url);',
			'});'
		),
		right: code(
			'app.get("/login", (request, response) => {',
			'  const url = new URL(authorizeUrl);',
			'  addStateAndChallenge(url, request.session);',
			'  response.redirect(url);',
			'});'
		)
	},
	'request.state_fresh': {
		condition: 'Three sign-ins or more in two browsers have the same state. With PKCE, this is advice.',
		why: 'A state that repeats is known to everyone who has signed in once.',
		wrong: code(
			'const state = randomUUID(); // at the start',
			'app.get("/login", (request, response) => {',
			'  request.session.state = state;',
			'  response.redirect(authorizeUrl(state));',
			'});'
		),
		right: code(
			'app.get("/login", (request, response) => {',
			'  const state = randomUUID(); // each time',
			'  request.session.state = state;',
			'  response.redirect(authorizeUrl(state));',
			'});'
		)
	},
	'request.state_random': {
		condition: 'Three different states or more have less than 64 bits each. With PKCE, this is advice.',
		why: 'An attacker who can guess the state can create a callback that your client accepts.',
		wrong: code(
			'function createState(session) {',
			'  session.state = String(Date.now());',
			'  return session.state;',
			'}'
		),
		right: code(
			'function createState(session) {',
			'  session.state = randomBytes(16).toString("hex");',
			'  return session.state;',
			'}'
		)
	},
	'request.state_private': {
		condition: 'The state is JSON, a URL, an email address or a credential.',
		why: 'The state is part of URLs, so browsers, proxies and logs keep it.',
		wrong: code(
			'function createState(session, returnTo) {',
			'  const key = JSON.stringify({ returnTo });',
			'  session.state = key;',
			'  return key;',
			'}'
		),
		right: code(
			'function createState(session, returnTo) {',
			'  const key = randomBytes(16).toString("hex");',
			'  session.state = { key, returnTo };',
			'  return key;',
			'}'
		)
	},
	'request.state_not_verifier': {
		condition: 'The state of a sign-in is its code verifier.',
		why: 'The state is in the URL of the callback, so a thief of the code has the verifier too.',
		wrong: code(
			'const verifier = randomValue();',
			'const state = verifier;',
			'session.signIn = { state, verifier };',
			'redirect(authorizeUrl(state, sha256(verifier)));'
		),
		right: code(
			'const verifier = randomValue();',
			'const state = randomValue();',
			'session.signIn = { state, verifier };',
			'redirect(authorizeUrl(state, sha256(verifier)));'
		)
	},
	'request.challenge_fresh': {
		condition: 'Two sign-ins or more in two browsers have the same code challenge.',
		why: 'A verifier that repeats does not bind a code to the sign-in that asked for it.',
		wrong: code(
			'const verifier = createVerifier(); // at the start',
			'function signIn(session) {',
			'  session.verifier = verifier;',
			'  return authorizeUrl(sha256(verifier));',
			'}'
		),
		right: code(
			'function signIn(session) {',
			'  const verifier = createVerifier(); // each time',
			'  session.verifier = verifier;',
			'  return authorizeUrl(sha256(verifier));',
			'}'
		)
	},
	'request.nonce_fresh': {
		condition: 'Two sign-ins of the exam that led to tokens had the same nonce. With a code challenge, this is advice.',
		why: 'The nonce shows that an ID token belongs to this sign-in, and one that repeats shows nothing.',
		wrong: code(
			'session.nonce ??= randomText();',
			'const query = new URLSearchParams({',
			'  ...parameters,',
			'  nonce: session.nonce',
			'});'
		),
		right: code(
			'session.nonce = randomText();',
			'const query = new URLSearchParams({',
			'  ...parameters,',
			'  nonce: session.nonce',
			'});'
		)
	},
	'request.scope_needed': {
		condition: 'A sign-in asks for character_write. No resource of this service needs it, so this is advice.',
		why: 'Users deny requests that ask for more than a feature needs.',
		wrong: code(
			'const scopes = [',
			'  "character_read",',
			'  "character_write"',
			'];',
			'url.searchParams.set("scope", scopes.join(" "));'
		),
		right: code(
			'const scopes = [',
			'  "character_read"',
			'  // character_write when the user edits',
			'];',
			'url.searchParams.set("scope", scopes.join(" "));'
		)
	},
	'request.redirect_uri_exact': {
		condition: 'Three requests or more have a redirect URI that the application did not register.',
		why: 'The service shows an error page in place of the sign-in, and sends no user back to your client.',
		wrong: code(
			'const base = new URL("https://app.example");',
			'base.pathname = "/callback/";',
			'url.searchParams.set("redirect_uri", base.href);',
			'redirect(url);'
		),
		right: code(
			'// As registered, letter by letter.',
			'const callback = "https://app.example/callback";',
			'url.searchParams.set("redirect_uri", callback);',
			'redirect(url);'
		)
	},
	'request.no_secret': {
		condition: 'The query of an authorization request has a client_secret.',
		why: 'The browser, its history and every proxy can read the URL, and so the secret.',
		wrong: code(
			'const query = new URLSearchParams({',
			'  client_id: id,',
			'  client_secret: secret,',
			'  redirect_uri: callback',
			'});'
		),
		right: code(
			'const query = new URLSearchParams({',
			'  client_id: id,',
			'  // the secret is for the token endpoint',
			'  redirect_uri: callback',
			'});'
		)
	},
	'request.navigated': {
		condition: 'A script, a frame or an image requests the sign-in page, by the Sec-Fetch headers of the browser.',
		why: 'The user must see the address of the sign-in page, and a page in a frame can be covered.',
		wrong: code(
			'async function signIn() {',
			'  const { url } = await startSignIn();',
			'  await fetch(url, { credentials: "include" });',
			'}'
		),
		right: code('async function signIn() {', '  const { url } = await startSignIn();', '  location.assign(url);', '}')
	}
};
