type Change = readonly [from: string, to: string];

/** A program that breaks a rule: a near miss of the exercise by its name, or changes of the solution, with what must fail. */
export type RuleBreak = string | { readonly fails: string; readonly changes: readonly Change[] };

const state = 'const state = randomText();\n  const verifier = randomText();';

/** For each exercise, the rules of the exam that it lists. */
export const ruleBreaks: Readonly<Record<string, Readonly<Record<string, RuleBreak>>>> = {
	'authorization-url': {
		'request.protected': 'no state',
		'request.state_fresh': 'a constant state',
		'request.state_random': 'the time as the state',
		'request.state_private': {
			fails: 'request.state_private',
			changes: [
				['const state = randomText();', "const state = JSON.stringify({ page: '/home', random: randomText() });"]
			]
		},
		'request.state_not_verifier': {
			fails: 'request.state_not_verifier',
			changes: [[state, 'const verifier = randomText();\n  const state = verifier;']]
		},
		'request.challenge_fresh': 'a constant verifier',
		'request.redirect_uri_exact': 'a slash behind the redirect URI',
		'request.no_secret': 'the client secret in the URL'
	},
	'check-response': {
		'callback.foreign_code': 'the state is not compared',
		'callback.state_required': 'a state is compared if there is one',
		'callback.denial': 'the error is not read',
		'callback.extra_parameters': 'a response must have two parameters'
	},
	'exchange-the-code': {
		'exchange.once': 'the code is sent again',
		'exchange.redirect_uri_same': 'no redirect URI',
		'exchange.form': 'a JSON body',
		'exchange.in_body': 'the values in the URL',
		'exchange.real_values': {
			fails: 'token',
			changes: [['      code, redirect_uri', "      code: 'undefined', redirect_uri"]]
		}
	},
	'call-with-a-token': {
		'call.header': 'the token in the URL',
		'call.name_encoded': 'a name that is encoded twice',
		'call.right_credential': {
			fails: 'accepted',
			changes: [['const { access_token } =', 'const { refresh_token: access_token } =']]
		},
		'call.no_secret': {
			fails: 'call.no_secret',
			changes: [['encodeURIComponent(name);', 'encodeURIComponent(name) + `?client_secret=${config.secret}`;']]
		},
		'exchange.real_values': 'a wrong property'
	},
	'refresh-once': {
		'token.refresh_when_due': 'a refresh before each call',
		'token.one_refresh': 'each call refreshes',
		'token.keep_refresh_token': 'the refresh token is lost',
		'token.refresh_at_expiry': 'the lock is never released',
		'token.notice_early_end': 'the clock decides',
		'token.scope_not_widened': {
			fails: 'refreshed',
			changes: [
				["grant_type: 'refresh_token',", "grant_type: 'refresh_token', scope: 'character_read character_write',"]
			]
		}
	},
	'wait-for-the-limit': {
		'limit.stop_at_zero': 'the sleep is not awaited',
		'limit.few_refused': 'a try each 5 seconds',
		'limit.not_a_sign_out': {
			fails: 'limit.not_a_sign_out',
			changes: [
				[
					'await clock.sleep(timeToReset(response));',
					'await signIn();\n      await clock.sleep(timeToReset(response));'
				]
			]
		},
		'limit.after_reset': 'a random part in both directions'
	},
	'sign-out': { 'signout.revoke': 'only deleted', 'signout.no_use_after': 'not deleted' },
	'with-a-library': {
		'request.protected': 'no challenge',
		'request.state_fresh': 'the values are made once',
		'request.challenge_fresh': 'the values are made once',
		'callback.foreign_code': 'the state is skipped',
		'exchange.once': {
			fails: 'token',
			changes: [
				[
					'  const tokens = await oauth.processAuthorizationCodeResponse',
					'  await oauth.authorizationCodeGrantRequest(\n    server, client, secret, params, config.redirectUri, verifier\n  );\n  const tokens = await oauth.processAuthorizationCodeResponse'
				]
			]
		},
		'exchange.form': {
			fails: 'token',
			changes: [
				[
					'const response = await oauth.authorizationCodeGrantRequest(\n    server, client, secret, params, config.redirectUri, verifier\n  );',
					"const response = await fetch(config.tokenUrl, { method: 'POST', body: JSON.stringify({ code: params.get('code') }) });"
				]
			]
		}
	},
	'repair-1': {
		'callback.hard_code': 'the code is encoded twice',
		'exchange.form': {
			fails: 'signs_in',
			changes: [
				['body: new URLSearchParams({', "headers: { 'Content-Type': 'application/json' },\n    body: JSON.stringify({"]
			]
		},
		'exchange.once': 'tries until one works',
		'exchange.in_body': {
			fails: 'signs_in',
			changes: [
				[
					"await fetch(config.tokenUrl, {\n    method: 'POST',\n    body: new",
					"await fetch(config.tokenUrl + '?' + new"
				],
				['code_verifier: verifier\n    })\n  });', "code_verifier: verifier\n    }), { method: 'POST' });"]
			]
		}
	},
	'repair-2': {
		'callback.foreign_code': 'only the presence counts',
		'callback.state_required': 'the empty state is rejected, a missing one is not',
		'callback.denial': { fails: 'denial', changes: [['  if (error) throw new Error(error);\n', '']] },
		'exchange.real_values': {
			fails: 'denial',
			changes: [
				['  if (error) throw new Error(error);\n', ''],
				["exchange(response.get('code')!)", "exchange(String(response.get('code')))"]
			]
		}
	},
	'repair-3': {
		'token.refresh_when_due': {
			fails: 'due',
			changes: [['let response = await send(name);', 'await refreshOnce();\n  let response = await send(name);']]
		},
		'token.one_refresh': 'the lock is released at once',
		'token.keep_refresh_token': { fails: 'kept', changes: [['{ ...tokens, ...body }', 'body']] },
		'token.refresh_at_expiry': 'the lock is never released'
	},
	'repair-4': { 'limit.back_off': 'fewer tries' },
	'repair-5': {
		'signout.revoke': {
			fails: 'revoked',
			changes: [['  await fetch(`${config.revocationUrl}?${query}`);\n', '']]
		},
		'signout.no_use_after': { fails: 'forgotten', changes: [["  await storage.delete('tokens');\n", '']] },
		'token.keep_at_second_sign_in': 'the access token in its place'
	}
};
