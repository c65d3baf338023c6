import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about tokens that are bound to a key, or exchanged. */
export const boundAndExchangedExplanations: RuleExplanations = {
	'dpop.new_proof': {
		condition: 'A proof that was accepted before arrives again.',
		why: 'A thief who sees a proof could send it again, so the service accepts each one once.',
		wrong: code(
			'const claims = { htm, htu, ath, iat, jti };',
			'const proof = await sign(claims);',
			'for (const name of names) {',
			'  await call(name, proof);',
			'}'
		),
		right: code(
			'for (const name of names) {',
			'  const jti = crypto.randomUUID();',
			'  const proof = await sign({ htm, htu, ath, iat: now(), jti });',
			'  await call(name, proof);',
			'}'
		)
	},
	'dpop.this_request': {
		condition: 'The htm or htu of a proof is not the method or URL of its request.',
		why: 'A proof for one URL must not work at another, or a stolen one opens all of them.',
		wrong: code(
			'const htm = "POST";',
			'const htu = token_endpoint;',
			'const DPoP = await sign({ htm, htu, ath, iat, jti });',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		),
		right: code(
			'const htm = "GET";',
			'const [htu] = url.split(/[?#]/);',
			'const DPoP = await sign({ htm, htu, ath, iat, jti });',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		)
	},
	'dpop.this_token': {
		condition: 'A proof at a resource has no ath, or that of another token.',
		why: 'Without ath, a proof that was made for one token works with another one of the same key.',
		wrong: code(
			'const Authorization = `DPoP ${access_token}`;',
			'const claims = { htm, htu, iat, jti };',
			'const DPoP = await sign(claims);',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		),
		right: code(
			'const Authorization = `DPoP ${access_token}`;',
			'const claims = { htm, htu, iat, jti, ath: sha256(access_token) };',
			'const DPoP = await sign(claims);',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		)
	},
	'dpop.clock': {
		condition: 'The iat of a proof is more than 5 minutes old, or more than a minute ahead.',
		why: 'Clocks of devices are often wrong, and old proofs could have been stolen.',
		wrong: code(
			'// milliseconds, by the clock of the device',
			'const iat = Date.now();',
			'const DPoP = await sign({ htm, htu, ath, iat, jti });',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		),
		right: code(
			'// seconds, corrected by the header Date of a response',
			'const iat = Math.floor((Date.now() + offset) / 1000);',
			'const DPoP = await sign({ htm, htu, ath, iat, jti });',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		)
	},
	'dpop.scheme': {
		condition: 'A token that is bound to a key is sent with Bearer, or another one with DPoP.',
		why: 'With Bearer, a bound token would be as easy to steal as any other, so the service rejects it.',
		wrong: code(
			'const { access_token, token_type } = tokens;',
			'const DPoP = await proofFor(url, access_token);',
			'const Authorization = `Bearer ${access_token}`;',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		),
		right: code(
			'const { access_token, token_type } = tokens;',
			'const DPoP = await proofFor(url, access_token);',
			'const Authorization = `${token_type} ${access_token}`;',
			'await fetch(url, { headers: { Authorization, DPoP } });'
		)
	},
	'dpop.one_key': {
		condition: 'A code or token that is bound to a key arrives with a proof of another key, or without one.',
		why: 'A client that loses its key loses its tokens, and the user has to sign in again.',
		wrong: code(
			'async function start() {',
			'  const keys = await generateKeyPair();',
			'  return refresh(stored.refresh_token, keys);',
			'}'
		),
		right: code(
			'async function start() {',
			'  const keys = await loadKeyPair();',
			'  return refresh(stored.refresh_token, keys);',
			'}'
		)
	},
	'dpop.nonce': {
		condition: 'After use_dpop_nonce, a proof of the same key has no nonce, or the request is not sent again.',
		why: 'The nonce shows that a proof is new. A client that ignores it gets no token from such a service.',
		wrong: code(
			'let response = await send(await proof());',
			'if (response.status === 401) {',
			'  throw new SignInAgain();',
			'}'
		),
		right: code(
			'let response = await send(await proof(nonce));',
			'nonce = response.headers.get("DPoP-Nonce") ?? nonce;',
			'if (needsNonce(response))',
			'  response = await send(await proof(nonce));'
		)
	},
	'delegation.narrow': {
		condition: 'A token is exchanged without scope, resource and audience.',
		why: 'The next service could do all that the user allowed the first one, and so could a thief.',
		wrong: code('const narrow = await exchange({', '  subject_token: access_token,', '  subject_token_type,', '});'),
		right: code(
			'const narrow = await exchange({',
			'  subject_token: access_token, subject_token_type,',
			'  scope: "character_read", resource: nextService',
			'});'
		)
	},
	'delegation.not_widened': {
		condition: 'An exchange asks for a scope that the first token does not have.',
		why: 'Only the user can allow more, and the service rejects the exchange.',
		wrong: code(
			'const scope = "character_read character_write";',
			'const narrow = await exchange({',
			'  subject_token: access_token, subject_token_type, scope',
			'});'
		),
		right: code(
			'const scope = granted.filter(isNeeded).join(" ");',
			'const narrow = await exchange({',
			'  subject_token: access_token, subject_token_type, scope',
			'});'
		)
	}
};
