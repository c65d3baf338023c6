import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about pushed requests and signed assertions. */
export const pushedExplanations: RuleExplanations = {
	'request.pushed_fresh': {
		condition: 'Two requests have a request_uri that was used, had expired, or is of another client.',
		why: 'A request_uri works once. A client that stores it fails at the next sign-in.',
		wrong: code(
			'const { request_uri } = await push(parameters);',
			'config.signInUrl = urlOf(request_uri);',
			'app.get("/sign-in", (_, response) => {',
			'  response.redirect(config.signInUrl);',
			'});'
		),
		right: code(
			'app.get("/sign-in", async (_, response) => {',
			'  const parameters = await newRequest();',
			'  const { request_uri } = await push(parameters);',
			'  response.redirect(urlOf(request_uri));',
			'});'
		)
	},
	'request.pushed_alone': {
		condition: 'An authorization URL has request_uri and other parameters of the request.',
		why: 'A browser can change the parameters of the URL, so the service takes those that were pushed only.',
		wrong: code(
			'const { request_uri } = await push(parameters);',
			'const query = new URLSearchParams(parameters);',
			'query.set("request_uri", request_uri);',
			'redirect(`${server.authorization_endpoint}?${query}`);'
		),
		right: code(
			'const { request_uri } = await push(parameters);',
			'const query = new URLSearchParams({ client_id });',
			'query.set("request_uri", request_uri);',
			'redirect(`${server.authorization_endpoint}?${query}`);'
		)
	},
	'assertion.fresh': {
		condition: 'A client_assertion is sent a second time. Repeats by an HTTP library do not count.',
		why: 'A server that accepts an assertion twice accepts a stolen one, too.',
		wrong: code(
			'const assertion = await sign(claims);',
			'for (const request of requests) {',
			'  await send(request, assertion);',
			'}'
		),
		right: code(
			'for (const request of requests) {',
			'  const jti = crypto.randomUUID();',
			'  await send(request, await sign({ ...claims, jti }));',
			'}'
		)
	},
	'assertion.short': {
		condition: 'An assertion has expired, is not valid yet, or is valid for more than an hour.',
		why: 'A stolen assertion works until its exp.',
		wrong: code(
			'const year = 365 * 24 * 3600;',
			'const exp = now() + year;',
			'const assertion = await sign({ ...claims, exp });',
			'await send(request, assertion);'
		),
		right: code(
			'const minute = 60;',
			'const exp = now() + minute;',
			'const assertion = await sign({ ...claims, exp });',
			'await send(request, assertion);'
		)
	},
	'assertion.audience': {
		condition: 'The aud of an assertion is neither the issuer nor the token endpoint.',
		why: 'An assertion for one server must not authenticate the client at another one.',
		wrong: code(
			'const server = await discover(issuer);',
			'const aud = "https://auth.example.com";',
			'const assertion = await sign({ ...claims, aud });',
			'await send(request, assertion);'
		),
		right: code(
			'const server = await discover(issuer);',
			'const aud = server.issuer;',
			'const assertion = await sign({ ...claims, aud });',
			'await send(request, assertion);'
		)
	}
};
