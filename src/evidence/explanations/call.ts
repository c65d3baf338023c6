import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about requests for resources. */
export const callExplanations: RuleExplanations = {
	'call.header': {
		condition: 'The query of a call has an access token, and no user opened the URL in a browser.',
		why: 'URLs are written to logs and histories, and the token works for anyone who reads them.',
		wrong: code(
			'const url = new URL(path, baseUrl);',
			'url.searchParams.set("access_token", token);',
			'const headers = {};',
			'return fetch(url, { headers });'
		),
		right: code(
			'const url = new URL(path, baseUrl);',
			'// the URL has no token',
			'const headers = { Authorization: `OAuth ${token}` };',
			'return fetch(url, { headers });'
		),
		standard: {
			right: code(
				'const url = new URL(path, baseUrl);',
				'// the URL has no token',
				'const headers = { Authorization: `Bearer ${token}` };',
				'return fetch(url, { headers });'
			)
		}
	},
	'call.name_encoded': {
		condition:
			'The service cannot decode a name, or responds 404 to a path with an encoded percent sign or a plus sign.',
		why: 'Names contain spaces, slashes and letters of all languages. A name that is encoded wrongly gets 404.',
		wrong: code(
			'function characterUrl(name) {',
			'  const segment = encodeURIComponent(name);',
			'  // the library encodes the path again',
			'  return joinPath(base, encodeURI(segment));',
			'}'
		),
		right: code(
			'function characterUrl(name) {',
			'  const segment = encodeURIComponent(name);',
			'  // encoded exactly once',
			'  return `${base}/${segment}`;',
			'}'
		)
	},
	'call.missing_permission': {
		condition:
			'Two refreshes or two sign-ins with the same scope follow calls that got 403, or the client takes the user for signed out.',
		why: 'A refresh cannot add a permission, so the loop ends at the rate limit only. A new sign-in cannot add one either.',
		wrong: code('if ([401, 403].includes(response.status)) {', '  await refreshed();', '  return send(path);', '}'),
		right: code(
			'if (response.status === 403) {',
			'  // once, with the missing scope',
			'  return offerSignIn(missingScope(response));',
			'}'
		)
	},
	'call.right_credential': {
		condition: 'A call has a refresh token or a code in place of an access token.',
		why: 'A refresh token lives for months, and a resource must never get it.',
		wrong: code(
			'const { refresh_token } = tokens;',
			'return fetch(url, {',
			'  headers: { Authorization: `OAuth ${refresh_token}` }',
			'});'
		),
		right: code(
			'const { access_token } = tokens;',
			'return fetch(url, {',
			'  headers: { Authorization: `OAuth ${access_token}` }',
			'});'
		),
		standard: {
			wrong: code(
				'const { refresh_token } = tokens;',
				'return fetch(url, {',
				'  headers: { Authorization: `Bearer ${refresh_token}` }',
				'});'
			),
			right: code(
				'const { access_token } = tokens;',
				'return fetch(url, {',
				'  headers: { Authorization: `Bearer ${access_token}` }',
				'});'
			)
		}
	},
	'call.no_secret': {
		condition: 'A call contains the client secret.',
		why: 'Only the token endpoint needs the secret. Logs of resource servers may now contain it.',
		wrong: code(
			'const client = createClient({',
			'  headers: authorization(token),',
			'  params: { client_id, client_secret }',
			'});'
		),
		right: code(
			'const client = createClient({',
			'  headers: authorization(token)',
			'  // the token identifies the client',
			'});'
		)
	},
	'call.own_user': {
		condition: 'A page that the exam opened for one user sent a call with the token of another user.',
		why: 'Each user sees the data of the user who signed in last.',
		wrong: code(
			'let tokens; // of the newest sign-in',
			'app.get("/me", async (request, response) => {',
			'  const data = await call("/me", tokens);',
			'  response.send(page(data));',
			'});'
		),
		right: code(
			'// Each browser has a separate session.',
			'app.get("/me", async ({ session }, response) => {',
			'  const data = await call("/me", session.tokens);',
			'  response.send(page(data));',
			'});'
		)
	}
};
