import { wrongMethod, type CheckExplanations } from './explanation.ts';

const stepUp = 'scope: union(grantedScopes, challenge.scope)';

/** Of the server for agents. */
export const agent = {
	'agent.server_runs': [
		'This copy of Tollgate runs in the browser, and has no server for agents.',
		'Start Tollgate with npx tollgate, and connect to its /mcp.'
	],
	'agent.origin_allowed': [
		'The header Origin names a site that is no client of this sandbox. Without this check, any page could reach a local server (DNS rebinding).',
		'Register a redirect URI with the origin of the page. Programs send no Origin.',
		"redirect_uris: [new URL('/callback', location.origin).href]"
	],
	'agent.method_is_post': wrongMethod('POST', 'Send each message as JSON. This server has no stream and no session.'),
	'agent.message_valid': [
		'The body is not one JSON object of JSON-RPC 2.0.',
		'Send one message for each request, with Content-Type: application/json.',
		"headers: { 'Content-Type': 'application/json' }"
	],
	'agent.token_for_server': [
		'The access token names no resource, so it could be used at any server.',
		'Send resource with the URL of this server in the authorization request and in the token request.',
		"resource: new URL('/mcp', origin).href"
	],
	'agent.scope_granted scope_missing': [
		'The access token lacks the scope that all messages need.',
		'Request the scope that WWW-Authenticate names, together with the ones that you have.',
		stepUp
	],
	'agent.scope_granted step_up': [
		'This tool needs a scope that the other tools do not need.',
		'Send the user to the authorization endpoint again, with all scopes that you have and the one of the challenge.',
		stepUp
	],
	'agent.scope_granted endless_403': [
		'A fault of this sandbox rejects the tool, whatever the token allows.',
		'Stop after one step-up for the same scope, and tell the user.',
		'if (attempts > 1) throw new Error(error)'
	]
} satisfies CheckExplanations;
