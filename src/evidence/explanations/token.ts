import { code, type RuleExplanations } from './explanation.ts';

/** Explanations of the rules about keeping and refreshing tokens. */
export const tokenExplanations: RuleExplanations = {
	'token.refresh_when_due': {
		condition:
			'Four refreshes or more of one grant replace a token with over half of its life left that was used once at most, without a 401 before. Or two follow calls that got 503.',
		why: 'Each refresh costs a request and time, and a service may block clients that refresh without need.',
		wrong: code(
			'async function accessToken(tokens) {',
			'  const fresh = await refresh(tokens);',
			'  // the new token is not saved',
			'  return fresh.access_token;',
			'}'
		),
		right: code(
			'async function accessToken(tokens) {',
			'  const margin = Math.min(60, tokens.life / 10);',
			'  if (tokens.left() < margin) await renew(tokens);',
			'  return tokens.access_token;',
			'}'
		)
	},
	'token.one_refresh': {
		condition:
			'Four calls or more with one access token get 401 within two seconds, and three refreshes or more follow. Two are advice.',
		why: 'Services that replace the refresh token at each use take the second refresh for theft, and revoke everything.',
		standard: {
			condition:
				'Four calls or more with one access token get 401 within two seconds, and more than one refresh sends the same refresh token.',
			why: 'A refresh token works once. The service takes the second refresh for theft, and ends the access.'
		},
		wrong: code(
			'function refreshed() {',
			'  return refresh();',
			'  // every call that got 401',
			'  // sends its own refresh',
			'}'
		),
		right: code(
			'let running;',
			'function refreshed() {',
			'  running ??= refresh().finally(() => (running = undefined));',
			'  return running;',
			'}'
		)
	},
	'token.keep_refresh_token': {
		condition: 'A refresh request has no refresh token.',
		why: 'This service returns no new refresh token, so the user must sign in again after the second expiry.',
		wrong: code(
			'const fresh = await refresh(tokens);',
			'tokens.access_token = fresh.access_token;',
			'tokens.refresh_token = fresh.refresh_token;',
			'await save(tokens);'
		),
		right: code(
			'const fresh = await refresh(tokens);',
			'tokens.access_token = fresh.access_token;',
			'tokens.refresh_token = fresh.refresh_token ?? tokens.refresh_token;',
			'await save(tokens);'
		),
		standard: {
			condition: 'A refresh request has no refresh token, or one that an earlier refresh has replaced.',
			why: 'A refresh token works once. The second use ends the access, because the token may be stolen.',
			wrong: code(
				'const fresh = await refresh(tokens);',
				'tokens.access_token = fresh.access_token;',
				'// the refresh token stays the old one',
				'await save(tokens);'
			)
		}
	},
	'token.keep_at_second_sign_in': {
		condition:
			'After a second sign-in that returned no refresh token, calls get 401, and no refresh with the first token follows.',
		why: 'Only the first sign-in of a user returns a refresh token, so one more sign-in ends offline access.',
		wrong: code(
			'async function saveSignIn(user, tokens) {',
			'  await store.set(user, {',
			'    access: tokens.access_token,',
			'    refresh: tokens.refresh_token',
			'  });',
			'}'
		),
		right: code(
			'async function saveSignIn(user, tokens) {',
			'  await store.update(user, (before) => ({',
			'    access: tokens.access_token,',
			'    refresh: tokens.refresh_token ?? before?.refresh',
			'  }));',
			'}'
		)
	},
	'token.own_user': {
		condition: 'After another user signed in in the same browser, a refresh has a token of the first user.',
		why: 'The second user then sees the data of the first one. The token response does not say who signed in.',
		wrong: code(
			'async function saveSignIn(session, tokens) {',
			'  // the user before may be another one',
			'  tokens.refresh_token ??= session.refresh;',
			'  session.refresh = tokens.refresh_token;',
			'}'
		),
		right: code(
			'async function saveSignIn(user, tokens) {',
			'  const before = await store.get(user);',
			'  tokens.refresh_token ??= before?.refresh;',
			'  await store.set(user, tokens);',
			'}'
		)
	},
	'token.refresh_at_expiry': {
		condition: 'After an access token expired, calls get 401. The client has a refresh token, and sends no refresh.',
		why: 'The user has to sign in again every hour, although the user allowed offline access.',
		standard: { why: 'The user has to sign in again every hour, although the client has a refresh token.' },
		wrong: code(
			'const response = await call(tokens);',
			'if (response.status === 401) {',
			'  return showSignIn();',
			'}',
			'return response;'
		),
		right: code(
			'const response = await call(tokens);',
			'if (response.status === 401 && tokens.refresh_token) {',
			'  return call(await refreshed(tokens));',
			'}',
			'return response;'
		)
	},
	'token.notice_early_end': {
		condition:
			'After the service ended an access token early, calls get 401. The client has a refresh token, and sends no refresh.',
		why: 'Tokens can end before expires_in says so, and the client then fails until the time is over.',
		wrong: code(
			'async function read(path) {',
			'  if (Date.now() > tokens.expires) await refreshed();',
			'  const response = await send(path, tokens);',
			'  return response; // 401 is an error',
			'}'
		),
		right: code(
			'async function read(path) {',
			'  const response = await send(path, tokens);',
			'  if (response.status !== 401) return response;',
			'  return send(path, await refreshed());',
			'}'
		)
	},
	'token.stop_after_refresh': {
		condition: 'While every call gets 401, more than three refreshes follow each use of the client.',
		why: 'The client sends requests in a loop until it reaches the rate limit.',
		wrong: code(
			'async function read(path) {',
			'  const response = await send(path, tokens);',
			'  if (response.status !== 401) return response;',
			'  await refreshed();',
			'  return read(path);',
			'}'
		),
		right: code(
			'async function read(path) {',
			'  const response = await send(path, tokens);',
			'  if (response.status !== 401) return response;',
			'  await refreshed();',
			'  return send(path, tokens);',
			'}'
		)
	},
	'token.forget_dead': {
		condition:
			'After the user revoked access, the client sends the refresh token four times or more without a new sign-in.',
		why: 'A revoked token never works again, and the user does not learn that a sign-in is needed.',
		wrong: code(
			'try {',
			'  return await refresh(tokens);',
			'} catch (error) {',
			'  log(error); // and again at the next call',
			'  throw error;',
			'}'
		),
		right: code(
			'try {',
			'  return await refresh(tokens);',
			'} catch (error) {',
			'  if (error.code === "invalid_grant") await forget();',
			'  throw error;',
			'}'
		)
	},
	'token.keep_on_failure': {
		condition:
			'After a refresh that got 5xx or no response, the client is used again, the last time after 75 seconds, and never sends that refresh token again. Its page does not respond with 5xx or 429.',
		why: 'One minute of trouble at the service signs out all users.',
		wrong: code(
			'try {',
			'  return await refresh(tokens);',
			'} catch (error) {',
			'  await forget(tokens);',
			'  throw error;',
			'}'
		),
		right: code(
			'try {',
			'  return await refresh(tokens);',
			'} catch (error) {',
			'  if (error.code === "invalid_grant") await forget(tokens);',
			'  throw error;',
			'}'
		)
	},
	'token.lost_refresh': {
		condition:
			'The service handles a refresh, but its response is lost. The client never sends that refresh token again, not after 75 seconds either, or sends it more than six times for each use.',
		why: 'Networks lose responses. Without another try users are signed out, and endless tries look like an attack.',
		wrong: code(
			'for (;;) {',
			'  try {',
			'    return await refresh(tokens);',
			'  } catch (error) {',
			'    console.warn(error);',
			'  }',
			'}'
		),
		right: code(
			'try {',
			'  return await refresh(tokens);',
			'} catch (error) {',
			'  if (error.code !== undefined) throw error;',
			'  await pause(1000);',
			'  return refresh(tokens);',
			'}'
		)
	},
	'token.scope_not_widened': {
		condition: 'A refresh asks for a scope that the user did not grant.',
		why: 'The service rejects the refresh, and only a new sign-in can add permissions.',
		wrong: code(
			'const fields = {',
			'  grant_type: "refresh_token",',
			'  refresh_token,',
			'  scope: "character_write"',
			'};'
		),
		right: code(
			'const fields = {',
			'  grant_type: "refresh_token",',
			'  refresh_token',
			'  // the scope is that of the grant',
			'};'
		)
	}
};
