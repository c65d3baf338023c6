import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about the exchange of a code. */
export const exchangeExplanations: RuleExplanations = {
	'exchange.once': {
		condition: 'A code is sent again after it was exchanged. A repeat of a request that had no response is allowed.',
		why: 'A second use makes the service revoke all tokens that the code led to.',
		wrong: code('useEffect(() => {', '  // runs twice in development', '  void exchange(code);', '}, [code]);'),
		right: code(
			'useEffect(() => {',
			'  if (!take(sessionStorage, "state")) return;',
			'  void exchange(code).then(() => navigate("/"));',
			'}, [code]);'
		)
	},
	'exchange.redirect_uri_same': {
		condition: 'Two exchanges or more have another redirect URI than their authorization request.',
		why: 'The service rejects the exchange, and the code is spent.',
		wrong: code(
			'const login = { redirect_uri: callback };',
			'const exchange = {',
			'  grant_type: "authorization_code",',
			'  redirect_uri: `${callback}/`',
			'};'
		),
		right: code(
			'const login = { redirect_uri: callback };',
			'const exchange = {',
			'  grant_type: "authorization_code",',
			'  redirect_uri: callback',
			'};'
		)
	},
	'exchange.form': {
		condition: 'The body of two token requests or more is not a form, or has a charset that is not UTF-8.',
		why: 'The token endpoint of OAuth 2.0 reads forms only.',
		wrong: code(
			'await fetch(tokenUrl, {',
			'  method: "POST",',
			'  headers: { "Content-Type": "application/json" },',
			'  body: JSON.stringify(fields)',
			'});'
		),
		right: code(
			'await fetch(tokenUrl, {',
			'  method: "POST",',
			'  // URLSearchParams sets the type',
			'  body: new URLSearchParams(fields)',
			'});'
		)
	},
	'exchange.secret_on_server': {
		condition:
			'A page of another origin sends the secret of a web application, by its Sec-Fetch-Site header, or by Origin and the User-Agent of a browser.',
		why: 'Every visitor of the page can read the secret, and use it.',
		wrong: code(
			'// in the page',
			'const tokens = await fetch(tokenUrl, {',
			'  method: "POST",',
			'  body: new URLSearchParams({ code, client_secret })',
			'});'
		),
		right: code(
			'// in the page: the server adds the secret',
			'const session = await fetch("/session", {',
			'  method: "POST",',
			'  body: new URLSearchParams({ code, state })',
			'});'
		)
	},
	'exchange.in_body': {
		condition: 'The query of a token request has a client secret, a code, a refresh token or a code verifier.',
		why: 'Servers and proxies write URLs into their logs.',
		wrong: code(
			'const fields = new URLSearchParams({',
			'  grant_type, code, client_id, client_secret',
			'});',
			'await fetch(`${tokenUrl}?${fields}`, {',
			'  method: "POST"',
			'});'
		),
		right: code(
			'const fields = new URLSearchParams({',
			'  grant_type, code, client_id, client_secret',
			'});',
			'await fetch(tokenUrl, {',
			'  method: "POST", body: fields',
			'});'
		)
	},
	'exchange.real_values': {
		condition: 'A code or token is a text such as undefined or null, is empty, or has blanks around it.',
		why: 'The request can only fail, and the true cause is an error that your client ignored before.',
		wrong: code(
			'function refresh(tokens) {',
			'  return post(tokenUrl, {',
			'    refresh_token: String(tokens.refresh_token)',
			'  });',
			'}'
		),
		right: code(
			'function refresh({ refresh_token }) {',
			'  if (!refresh_token) throw new SignInNeeded();',
			'  return post(tokenUrl, { refresh_token });',
			'  // never an empty value',
			'}'
		)
	},
	'exchange.one_try': {
		condition: 'A code whose exchange gets no response is sent more than three times.',
		why: 'The service may have spent the code, so repeats fail and can revoke the tokens.',
		wrong: code(
			'for (let attempt = 0; attempt < 6; attempt++) {',
			'  try {',
			'    return await exchange(code);',
			'  } catch { /* once more */ }',
			'}'
		),
		right: code(
			'try {',
			'  return await exchange(code);',
			'} catch (error) {',
			'  return startSignIn(); // with a new code',
			'}'
		)
	},
	'exchange.extra_fields': {
		condition: 'No call follows a token response with unknown fields, and calls follow other sign-ins.',
		why: 'RFC 6749 says that clients must ignore fields that they do not know.',
		wrong: code(
			'const schema = strictObject({',
			'  access_token: string(),',
			'  expires_in: number()',
			'}); // unknown fields are an error',
			'const tokens = parse(schema, body);'
		),
		right: code(
			'const schema = object({',
			'  access_token: string(),',
			'  expires_in: number()',
			'}); // unknown fields are ignored',
			'const tokens = parse(schema, body);'
		)
	},
	'exchange.status': {
		condition: 'A call without a token of the service follows an exchange that was rejected.',
		why: 'The client believes that the user is signed in, and sends a token that does not exist.',
		wrong: code(
			'const response = await post(tokenUrl, fields);',
			'const tokens = await response.json();',
			'session.tokens = tokens;',
			'return showHome();'
		),
		right: code(
			'const response = await post(tokenUrl, fields);',
			'if (!response.ok) return showSignInFailed();',
			'session.tokens = await response.json();',
			'return showHome();'
		)
	}
};
