import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about authorization responses. */
export const callbackExplanations: RuleExplanations = {
	'callback.foreign_code': {
		condition:
			'The client exchanges the code of another user that came without a sign-in or with a wrong state. If PKCE stops the exchange, this is advice.',
		why: 'An attacker can sign a user in as the attacker, who then reads what the user saves.',
		wrong: code(
			'app.get("/callback", async (request, response) => {',
			'  const { code, state } = request.query;',
			'  log("state", state);',
			'  await exchange(code);',
			'  response.redirect("/");',
			'});'
		),
		right: code(
			'app.get("/callback", async (request, response) => {',
			'  const { code, state } = request.query;',
			'  if (!isStateOf(request.session, state)) throw wrong();',
			'  await exchange(code);',
			'  response.redirect("/");',
			'});'
		)
	},
	'callback.state_required': {
		condition:
			'The client exchanges the code of another user that came without a state. If PKCE stops the exchange, this is advice.',
		why: 'Before the first sign-in the session has no state either, and nothing equals nothing.',
		wrong: code(
			'const sent = request.query.state;',
			'if (sent !== request.session.state) {',
			'  throw new StateError();',
			'}'
		),
		right: code(
			'const sent = request.query.state;',
			'if (!sent || sent !== request.session.state) {',
			'  throw new StateError();',
			'}'
		)
	},
	'callback.state_of_browser': {
		condition:
			'The client exchanges a code that came with the state of a sign-in in another browser, and has its challenge. If the client sends the verifier of this browser, PKCE stops the exchange, and this is advice.',
		why: 'The attacker starts a sign-in, and lets the browser of the user finish it with a valid state.',
		wrong: code(
			'const pending = new Map(); // all browsers',
			'function takeSignIn(request) {',
			'  const { state } = request.query;',
			'  return pending.get(state);',
			'}'
		),
		right: code(
			'// Each browser has its own session.',
			'function takeSignIn(request) {',
			'  const { state } = request.query;',
			'  return request.session.pending[state];',
			'}'
		)
	},
	'callback.state_once': {
		condition:
			'The client exchanges a code that came with the state of a finished sign-in, and has its challenge. If the client has deleted the verifier, PKCE stops the exchange, and this is advice.',
		why: 'A state that stays valid is in the history of the browser, where an attacker may find it.',
		wrong: code(
			'function checkState(session, sent) {',
			'  const expected = session.state;',
			'  if (!sent || sent !== expected) throw wrong();',
			'  return session.verifier;',
			'}'
		),
		right: code(
			'function checkState(session, sent) {',
			'  const expected = take(session, "state");',
			'  if (!sent || sent !== expected) throw wrong();',
			'  return take(session, "verifier");',
			'}'
		)
	},
	'callback.denial': {
		condition: 'A token request follows a callback with access_denied.',
		why: 'A denial has no code, so the request sends undefined or null and can only fail.',
		wrong: code(
			'app.get("/callback", async (request, response) => {',
			'  const { code } = request.query;',
			'  await exchange(code);',
			'  response.redirect("/");',
			'});'
		),
		right: code(
			'app.get("/callback", async (request, response) => {',
			'  const { code, error } = request.query;',
			'  if (error === undefined) await exchange(code);',
			'  response.redirect(error ? "/denied" : "/");',
			'});'
		)
	},
	'callback.extra_parameters': {
		condition: 'No exchange follows a callback with two unknown parameters, and other sign-ins work.',
		why: 'Services add parameters over time, and each new one would end all sign-ins.',
		wrong: code(
			'const known = ["code", "state"];',
			'for (const name of Object.keys(request.query))',
			'  if (!known.includes(name)) throw unknown(name);',
			'const { code, state } = request.query;'
		),
		right: code(
			'// Other parameters are ignored, as',
			'// RFC 6749 requires: a service may add',
			'// some at any time.',
			'const { code, state } = request.query;'
		)
	},
	'callback.hard_code': {
		condition:
			'A code with special characters arrives decoded twice, not decoded, with a blank for a plus sign, or cut.',
		why: 'RFC 6749 allows any printable character in a code, and says nothing about its length.',
		wrong: code(
			'const query = new URL(request.url, base).searchParams;',
			'const code = decodeURIComponent(query.get("code"));',
			'const body = `code=${code}`;',
			'await post(tokenUrl, body);'
		),
		right: code(
			'const query = new URL(request.url, base).searchParams;',
			'const code = query.get("code"); // decoded',
			'const body = new URLSearchParams({ code });',
			'await post(tokenUrl, body);'
		)
	},
	'callback.error_escaped': {
		condition:
			'The browser reads a part of error_description as a tag, an attribute, code of a script or the address of a link.',
		why: 'Anyone can write the error in a link to your callback, and a script there acts as the user.',
		wrong: code(
			'const { error_description } = request.query;',
			'const text = error_description;',
			'response.status(400).type("html");',
			'response.send(`<p>${text}</p>`);'
		),
		right: code(
			'const { error } = request.query;',
			'const text = texts.get(error) ?? texts.get("other");',
			'response.status(400).type("html");',
			'response.send(`<p>${text}</p>`);'
		)
	}
};
