/** Programs that do the opposite of what a condition says, a part of it, or it by chance: changes of a solution, with what must fail. */
type Opposite = readonly [name: string, fails: string, ...changes: (readonly [from: string, to: string])[]];

const compares = "if (response.get('state') !== state)";
const comparesPending = "if (response.get('state') !== pending.state)";
const libraryState = 'server, client, callback, state';
/** Conditions that many wrong states meet. */
const compared = [
	['the length of the state', "response.get('state')?.length === state.length"],
	['the start of the state', "response.get('state')?.slice(0, 8) === state.slice(0, 8)"],
	['the end of the state', "response.get('state')?.slice(-8) === state.slice(-8)"],
	[
		'start, end and length',
		"response.get('state')?.replace(/(?<=^.{8}).*(?=.{8}$)/, '') === state.slice(0, 8) + state.slice(-8)"
	],
	['the letters of the state in any case', "response.get('state')?.toLowerCase() === state.toLowerCase()"],
	['a text that begins with the state', "response.get('state')?.startsWith(state)"],
	['a start of the state that is long enough', "state.startsWith(response.get('state')?.padStart(20, '-') ?? '-')"]
] as const;
const code = '      code,\n';
const lock = 'refreshing ??= refresh().finally(() => {\n      refreshing = undefined;\n    });\n    await refreshing;';
const otherLock =
	'  if (!refreshing) {\n    refreshing = refresh().finally(() => (refreshing = undefined));\n  }\n  await refreshing;';
const wait = 'await clock.sleep(timeToReset(response));';
const pause = 'await clock.sleep(1000 * 2 ** count * (1 + Math.random() / 4));';

/** By exercise. */
export const opposites: Readonly<Record<string, readonly Opposite[]>> = {
	'authorization-url': [
		[
			'a verifier of the module',
			'verifier',
			['  const verifier = randomText();\n', ''],
			['async function request', 'const verifier = randomText();\nasync function request']
		],
		[
			'the time as the verifier',
			'verifier',
			['const verifier = randomText();', `const verifier = '${'my-verifier'.repeat(5)}' + Date.now();`]
		],
		['a promise as the challenge', 'accepted', ['await challengeOf(verifier)', 'challengeOf(verifier)']],
		[
			'a state for five minutes',
			'state',
			['const state = randomText();', 'if (Date.now() > until) [state, until] = [randomText(), Date.now() + 300_000];'],
			['async function request', "let state = '';\nlet until = 0;\nasync function request"]
		],
		[
			'a verifier for five minutes',
			'verifier',
			[
				'const verifier = randomText();',
				'if (Date.now() > until) [verifier, until] = [randomText(), Date.now() + 300_000];'
			],
			['async function request', "let verifier = '';\nlet until = 0;\nasync function request"]
		],
		['the state twice as the verifier', 'verifier', ['verifier = randomText();', 'verifier = state + state;']],
		['the state backwards', 'verifier', ['verifier = randomText();', "verifier = [...state].reverse().join('');"]],
		[
			'the start of the verifier as the state',
			'verifier',
			['const state = randomText();\n  const verifier', 'const verifier'],
			['const url =', 'const state = verifier.slice(0, 30);\n  const url =']
		],
		...[
			['the secret in the state', 'config.secret + randomText()'],
			['the secret in base64 in the state', '`${randomText()}.${btoa(config.secret)}`'],
			[
				'the secret within base64',
				"btoa(`${randomText()}:${config.secret}`).replaceAll('+', '-').replaceAll('/', '_')"
			],
			['the secret backwards in the state', "randomText() + [...config.secret].reverse().join('')"]
		].map(([name = '', state = '']): Opposite => [
			name,
			'no_secret',
			['const state = randomText();', `const state = ${state};`]
		])
	],
	'check-response': [
		...compared.map(([name, condition]): Opposite => [name, 'wrong_state', [compares, `if (!(${condition}))`]]),
		[
			'an empty state passes',
			'no_state',
			[compares, "if (response.get('state') !== '' && response.get('state') !== state)"]
		],
		[
			'only the first response counts',
			'again',
			['function checkResponse', 'let calls = 0;\nfunction checkResponse'],
			[compares, `if (calls++ > 0 || response.get('state') !== state)`]
		],
		[
			'no error',
			'result',
			[`${compares}\n    throw new Error('This response belongs to another sign-in.');`, `${compares} return '';`],
			[
				'const code = checkResponse(callback, state);',
				'const code = checkResponse(callback, state);\n  if (!code) return;'
			]
		]
	],
	'exchange-the-code': [
		[
			'HTTP Basic',
			'token',
			[
				"method: 'POST',\n    body",
				"method: 'POST',\n    headers: { Authorization: 'Basic ' + btoa(config.id + ':' + config.secret) },\n    body"
			],
			['client_id: config.id, client_secret: config.secret,\n', '']
		],
		[
			'a text without its media type',
			'form',
			['code_verifier: verifier\n    })\n', 'code_verifier: verifier\n    }).toString()\n']
		],
		[
			'the response is returned',
			'result',
			[
				'  const tokens = await response.json();\n  if (!response.ok) throw new Error(tokens.error);\n  return tokens;',
				'  return response;'
			]
		],
		['the status is not read', 'result', ['  if (!response.ok) throw new Error(tokens.error);\n', '']],
		['the body is read twice', 'result', ['  return tokens;\n', '  return response.json();\n']]
	],
	'call-with-a-token': [
		['encodeURI and slashes', 'name', ['encodeURIComponent(name)', "encodeURI(name).replaceAll('/', '%2F')"]],
		['escape and slashes', 'name', ['encodeURIComponent(name)', "escape(name).replaceAll('/', '%2F')"]],
		['a made-up character', 'result', ['return response.json();', 'return { name, level: 1 };']],
		['nothing is returned', 'result', ['return response.json();', 'await response.json();']]
	],
	'refresh-once': [
		['a refresh at each error', 'due', ['if (response.status === 401) {', 'if (!response.ok) {']],
		['no refresh', 'refreshed', ['if (response.status === 401) {', 'if (response.status === 499) {']],
		[
			'a flag and a fixed wait',
			'repeated',
			[
				lock,
				'if (refreshing) {\n      await new Promise((resolve) => setTimeout(resolve, 50));\n    } else {\n      await (refreshing = refresh().finally(() => (refreshing = undefined)));\n    }'
			]
		],
		['an error in the end', 'result', ['  return response.json();\n', "  throw new Error('boo');\n"]]
	],
	'repair-2': compared.map(([name, condition]): Opposite => [
		name,
		'wrong_state',
		[comparesPending, `const { state } = pending;\n  if (!(${condition}))`]
	]),
	'repair-3': [
		['a refresh at each error', 'due', ['status === 401', 'status >= 400']],
		[
			'a flag, and a fixed wait',
			'repeated',
			[
				otherLock,
				'  if (refreshing) return new Promise((resolve) => setTimeout(resolve, 5));\n  await (refreshing = refresh().finally(() => (refreshing = undefined)));'
			]
		]
	],
	'wait-for-the-limit': [
		['a fixed wait', 'after_reset', [wait, 'await clock.sleep(61_000);']],
		['a fixed wait and a random time', 'after_reset', [wait, 'await clock.sleep(61_000 + Math.random() * 4000);']],
		[
			'waits that grow evenly',
			'after_reset',
			['const characters = [];', 'const characters = [];\n  let waits = 0;'],
			[wait, 'await clock.sleep(61_000 + 1500 * waits++);']
		],
		['nothing is returned', 'result', ['  return characters;\n', '  return [];\n']]
	],
	'sign-out': [
		[
			'a call after the end',
			'forgotten',
			[
				'  await fetch(`${config.revocationUrl}?${query}`);',
				"  await fetch(`${config.revocationUrl}?${query}`);\n  await fetch(config.characterUrl + 'Mara%20Vell', {\n    headers: { Authorization: `OAuth ${tokens.access_token}` }\n  });"
			]
		],
		[
			'the second sign-out is only here',
			'without_response',
			['export async function signOut', 'let count = 0;\n\nexport async function signOut'],
			["  await storage.delete('tokens');\n", "  await storage.delete('tokens');\n  if (count++ > 0) return;\n"]
		],
		[
			'a flag in place of forgetting',
			'result',
			['export async function signOut', 'let isOut = false;\n\nexport async function signOut'],
			["  await storage.delete('tokens');\n", '  isOut = true;\n'],
			['  if (!tokens) throw', '  if (!tokens || isOut) throw']
		]
	],
	'with-a-library': [
		['nothing is returned', 'result', ['  return response.json();', '  await response.json();']],
		...compared.map(([name, condition]): Opposite => [
			name,
			'state',
			[libraryState, libraryState.replace('state', 'oauth.skipStateCheck')],
			[
				'const params =',
				`const response = callback.searchParams;\n  if (!(${condition})) throw new Error('No.');\n  const params =`
			],
			['  const response = await oauth.authorization', '  const sent = await oauth.authorization'],
			['server, client, response\n  );\n  await storage', 'server, client, sent\n  );\n  await storage']
		]),
		[
			'a missing state passes',
			'state',
			[libraryState, "server, client, callback,\n    callback.searchParams.has('state') ? state : oauth.expectNoState"]
		],
		[
			'values for five minutes',
			'fresh',
			['  const state = oauth.generateRandomState();\n', ''],
			[
				'  const verifier = oauth.generateRandomCodeVerifier();\n',
				'  if (Date.now() > until) {\n    state = oauth.generateRandomState();\n    verifier = oauth.generateRandomCodeVerifier();\n    until = Date.now() + 300_000;\n  }\n'
			],
			['const client = {', "let state = '';\nlet verifier = '';\nlet until = 0;\nconst client = {"]
		]
	],
	'repair-1': [['encodeURI', 'unchanged', [code, '      code: encodeURI(code),\n']]],
	'repair-4': [
		['pauses that shrink', 'grow', [pause, 'await clock.sleep(16000 / 2 ** count);']],
		['long once', 'grow', [pause, 'await clock.sleep(count === 1 ? 1200 : 550);']],
		['pauses that grow and shrink', 'grow', [pause, 'await clock.sleep(900 + ((count * 7919) % 5) * 900);']],
		['a short pause', 'pause', [pause, 'await clock.sleep(400);']],
		['nothing is returned', 'result', ['return response.json();', 'await response.json();']]
	]
};
