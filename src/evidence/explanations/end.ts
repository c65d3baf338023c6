import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about sign-outs and installed applications. */
export const endExplanations: RuleExplanations = {
	'signout.revoke': {
		condition: 'After a sign-out the client has a refresh token that works, and no revocation ended it.',
		why: 'The user believes that access is over, and a copy of the token still works.',
		wrong: code(
			'async function signOut(session) {',
			'  delete session.tokens;',
			'  // the service does not know',
			'  return redirect("/");',
			'}'
		),
		right: code(
			'async function signOut(session) {',
			'  const { refresh_token } = take(session, "tokens");',
			'  await revoke(refresh_token, client_id);',
			'  return redirect("/");',
			'}'
		)
	},
	'signout.no_use_after': {
		condition: 'A call or refresh with the tokens of a grant begins more than two seconds after the client revoked it.',
		why: 'The user sees errors, and the failed requests count for the rate limit.',
		wrong: code(
			'await revoke(tokens.refresh_token);',
			'const name = await readName(tokens);',
			'delete session.tokens;',
			'return page(`Bye, ${name}`);'
		),
		right: code(
			'const name = session.name;',
			'const tokens = take(session, "tokens");',
			'await revoke(tokens.refresh_token);',
			'return page(`Bye, ${name}`);'
		)
	},
	'installed.pkce': {
		condition:
			'A sign-in of an installed application with a localhost redirect URI has no code challenge. If users copy the code by hand, this is advice.',
		why: 'Any program on the machine can listen on a port, and the secret of an installed application is public.',
		standard: {
			condition: 'A sign-in of an installed application has no code challenge of the method S256.',
			why: 'Any program on the machine can listen on a port, and an installed application has no secret.'
		},
		wrong: code(
			'const query = new URLSearchParams({',
			'  client_id: id,',
			'  redirect_uri: `http://localhost:${port}`,',
			'  state',
			'});'
		),
		right: code(
			'const query = new URLSearchParams({',
			'  client_id: id, code_challenge_method: "S256",',
			'  redirect_uri: `http://localhost:${port}`,',
			'  state, code_challenge: sha256(verifier)',
			'});'
		)
	}
};
