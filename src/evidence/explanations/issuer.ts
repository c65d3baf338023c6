import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about issuers and resources. */
export const issuerExplanations: RuleExplanations = {
	'request.metadata_issuer': {
		condition: 'The client begins a sign-in after it read metadata whose issuer is another one.',
		why: 'Metadata of an attacker would lead the user and the code to endpoints of the attacker.',
		wrong: code(
			'const response = await fetch(metadataUrl(issuer));',
			'const server = await response.json();',
			'',
			'redirect(server.authorization_endpoint);'
		),
		right: code(
			'const response = await fetch(metadataUrl(issuer));',
			'const server = await response.json();',
			'if (server.issuer !== issuer) throw wrong();',
			'redirect(server.authorization_endpoint);'
		)
	},
	'callback.issuer': {
		condition:
			'The client exchanges a code whose iss is missing, has a slash too many, or is another issuer. For a client that never read the metadata, this is advice.',
		why: 'An attacker can mix up two servers, so that the client sends the code of one to the other.',
		wrong: code(
			'const { code, state, iss } = request.query;',
			'if (!isStateOf(session, state)) throw wrong();',
			'log("iss", iss);',
			'await exchange(code);'
		),
		right: code(
			'const { code, state, iss } = request.query;',
			'if (!isStateOf(session, state)) throw wrong();',
			'if (iss !== session.issuer) throw wrong();',
			'await exchange(code);'
		)
	},
	'exchange.resource_same': {
		condition:
			'The token request names a resource that the authorization request did not name, or none although the client read the metadata of a resource. If it read none, a missing resource is advice.',
		why: 'A token for all resources can be used by one of them at the others.',
		wrong: code(
			'url.searchParams.set("resource", resource);',
			'// and in the callback',
			'const form = { grant_type, code, verifier };',
			'await post(token_endpoint, form);'
		),
		right: code(
			'url.searchParams.set("resource", resource);',
			'// and in the callback',
			'const form = { grant_type, code, verifier, resource };',
			'await post(token_endpoint, form);'
		)
	},
	'exchange.issuer_credentials': {
		condition:
			'The resource names another authorization server, and the client sends that one a secret or a refresh token of the first one.',
		why: 'Anyone who can change the metadata of a resource would get the credentials of all its clients.',
		wrong: code(
			'const { issuer, token_endpoint } = await discover(resource);',
			'const client = registration; // of the first server',
			'log("issuer", issuer);',
			'await exchange(token_endpoint, client, code);'
		),
		right: code(
			'const { issuer, token_endpoint } = await discover(resource);',
			'const client = registrations.get(issuer);',
			'if (client === undefined) return register(issuer);',
			'await exchange(token_endpoint, client, code);'
		)
	}
};
