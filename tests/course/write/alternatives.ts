/** Right programs that are written in another way than the solutions: changes of a solution, by exercise. */
export const alternatives: Readonly<
	Record<
		string,
		readonly { readonly name: string; readonly changes: readonly (readonly [from: string, to: string])[] }[]
	>
> = {
	'authorization-url': [
		{
			name: 'a query by hand, and more parameters',
			changes: [
				['url.search = new URLSearchParams({', 'url.search = Object.entries({'],
				[
					"    code_challenge_method: 'S256'\n  }).toString();",
					"    code_challenge_method: 'S256',\n    access_type: 'online'\n  }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');"
				]
			]
		},
		{
			name: 'a state and a verifier of the platform',
			changes: [
				['const state = randomText();', 'const state = crypto.randomUUID();'],
				[
					'const verifier = randomText();',
					"const verifier = Array.from(crypto.getRandomValues(new Uint8Array(40)), (byte) => byte.toString(16).padStart(2, '0')).join('');"
				]
			]
		}
	],
	'check-response': [
		{
			name: 'parameters as an object, the error first',
			changes: [
				[
					"  const response = callback.searchParams;\n  if (response.get('state') !== state)\n    throw new Error('This response belongs to another sign-in.');\n  const error = response.get('error');\n  if (error) throw new Error(error);\n  const code = response.get('code');\n  if (!code) throw new Error('The response has no code.');\n  return code;",
					"  const { error, code, state: returned } = Object.fromEntries(callback.searchParams);\n  if (error !== undefined) throw new Error(error);\n  if (returned === state && code) return code;\n  throw new Error('No.');"
				]
			]
		}
	],
	'exchange-the-code': [
		{
			name: 'a body as text, with its content type',
			changes: [
				[
					'body: new URLSearchParams({',
					"headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8', Accept: 'application/json' },\n    body: new URLSearchParams({"
				],
				['code_verifier: verifier\n    })\n', 'code_verifier: verifier\n    }).toString()\n']
			]
		}
	],
	'call-with-a-token': [
		{
			name: 'a URL by another function, and the scheme in lower case',
			changes: [
				['config.characterUrl + encodeURIComponent(name)', 'new URL(encodeURIComponent(name), config.characterUrl)'],
				[
					'headers: { Authorization: `OAuth ${access_token}` }',
					"headers: new Headers([['authorization', 'oauth ' + access_token]])"
				]
			]
		}
	],
	'refresh-once': [
		{
			name: 'ahead of the expiry, and at 401',
			changes: [
				[
					'  let response = await send(name);',
					"  const { ends } = await storage.get('tokens');\n  if (Date.now() > ends) await once();\n  let response = await send(name);"
				],
				[
					'    refreshing ??= refresh().finally(() => {\n      refreshing = undefined;\n    });\n    await refreshing;\n',
					'    await once();\n'
				],
				[
					'async function refresh() {',
					'function once() {\n  return (refreshing ??= refresh().finally(() => (refreshing = undefined)));\n}\n\nasync function refresh() {'
				],
				['{ ...tokens, ...body }', '{ ...tokens, ...body, ends: Date.now() + body.expires_in * 1000 - 60_000 }']
			]
		},
		{
			name: 'the token that was rejected decides',
			changes: [
				[
					'  let response = await send(name);',
					"  const { access_token: used } = await storage.get('tokens');\n  let response = await send(name);"
				],
				['refresh().finally', 'refresh(used).finally'],
				[
					"async function refresh() {\n  const tokens = await storage.get('tokens');",
					"async function refresh(used: string) {\n  const tokens = await storage.get('tokens');\n  if (tokens.access_token !== used) return;"
				]
			]
		}
	],
	'wait-for-the-limit': [
		{
			name: 'stops at zero, before a request is rejected',
			changes: [
				[
					'    let response = await send(name);\n    while (isOverLimit(response)) {\n      await clock.sleep(timeToReset(response));\n      response = await send(name);\n    }\n',
					"    const response = await send(name);\n    if (response.headers.get('X-RateLimit-Remaining') === '0') await clock.sleep(timeToReset(response));\n"
				]
			]
		},
		{
			name: 'one random time for all its returns',
			changes: [
				['  const jitter = 1000 + Math.random() * 4000;\n', ''],
				['reset - clock.now() + jitter', 'reset - clock.now()'],
				['const characters = [];', 'const characters = [];\n  const jitter = 1000 + Math.random() * 4000;'],
				['timeToReset(response)', 'timeToReset(response) + jitter']
			]
		},
		{
			name: 'the time of the response as the clock',
			changes: [['reset - clock.now() + jitter', "reset - Date.parse(headers.get('Date') ?? '') + jitter"]]
		}
	],
	'sign-out': [
		{
			name: 'deletes at the end in any case',
			changes: [
				["  await storage.delete('tokens');\n", ''],
				[
					'  await fetch(`${config.revocationUrl}?${query}`);',
					"  try {\n    await fetch(`${config.revocationUrl}?${query}`);\n  } finally {\n    await storage.delete('tokens');\n  }"
				]
			]
		},
		{
			name: 'does not wait for the response',
			changes: [
				[
					'  await fetch(`${config.revocationUrl}?${query}`);',
					'  void fetch(`${config.revocationUrl}?${query}`).catch(() => undefined);'
				]
			]
		},
		{
			name: 'sets the tokens to nothing',
			changes: [["await storage.delete('tokens');", "await storage.set('tokens', null);"]]
		}
	],
	'with-a-library': [
		{
			name: 'HTTP Basic, and the callback as parameters',
			changes: [
				['oauth.ClientSecretPost(config.secret)', 'oauth.ClientSecretBasic(config.secret)'],
				['server, client, callback, state', 'server, client, callback.searchParams, state']
			]
		}
	],
	'repair-1': [
		{
			name: 'a body by hand, encoded',
			changes: [
				[
					'body: new URLSearchParams({',
					"headers: { 'Content-Type': 'application/x-www-form-urlencoded' },\n    body: Object.entries({"
				],
				[
					'code_verifier: verifier\n    })\n',
					"code_verifier: verifier\n    }).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')\n"
				]
			]
		}
	],
	'repair-2': [
		{
			name: 'the missing state is checked apart',
			changes: [
				[
					"if (response.get('state') !== pending.state)",
					"const state = response.get('state');\n  if (!state) throw new Error('There is no state.');\n  if (state !== pending.state)"
				]
			]
		}
	],
	'repair-3': [
		{
			name: 'one expression',
			changes: [
				[
					'  if (!refreshing) {\n    refreshing = refresh().finally(() => (refreshing = undefined));\n  }\n  await refreshing;',
					'  await (refreshing ??= refresh().finally(() => (refreshing = undefined)));'
				]
			]
		},
		{
			name: 'the promise covers the reading of the tokens',
			changes: [
				[
					'  if (!refreshing) {\n    refreshing = refresh().finally(() => (refreshing = undefined));\n  }\n  await refreshing;',
					'  refreshing ??= (async () => {\n    try {\n      await refresh();\n    } finally {\n      refreshing = undefined;\n    }\n  })();\n  await refreshing;'
				]
			]
		}
	],
	'repair-4': [
		{
			name: 'four tries, and pauses by a factor of three',
			changes: [
				['const tries = 6;', 'const tries = 4;'],
				['1000 * 2 ** count * (1 + Math.random() / 4)', '800 * 3 ** count + Math.random() * 500']
			]
		}
	],
	'repair-5': [
		{
			name: 'the refresh token apart',
			changes: [
				[
					"  const known = await storage.get('tokens');\n  await storage.set('tokens', { ...known, ...tokens });",
					"  const before = (await storage.get('tokens'))?.refresh_token;\n  await storage.set('tokens', { ...tokens, refresh_token: tokens.refresh_token ?? before });"
				]
			]
		},
		{
			name: 'the refresh token under another key',
			changes: [
				[
					"  const known = await storage.get('tokens');\n  await storage.set('tokens', { ...known, ...tokens });",
					"  await storage.set('tokens', tokens);\n  if (tokens.refresh_token) await storage.set('refresh', tokens.refresh_token);"
				],
				[
					"  const tokens = await storage.get('tokens');\n  await storage.delete('tokens');\n  if (!tokens?.refresh_token) return;",
					"  const token = await storage.get('refresh');\n  await storage.delete('tokens');\n  await storage.delete('refresh');\n  if (!token) return;"
				],
				['token: tokens.refresh_token,', 'token,']
			]
		}
	]
};
