/** Programs that do the opposite of what a condition says, a part of it, or it by chance: changes of a solution, with what must fail. */
type Opposite = readonly [name: string, fails: string, ...changes: (readonly [from: string, to: string])[]];

const compares = "if (response.get('state') !== state)";
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
		['a promise as the challenge', 'accepted', ['await challengeOf(verifier)', 'challengeOf(verifier)']]
	],
	'check-response': [
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
		['the body is read twice', 'result', ['  return tokens;\n', '  return response.json();\n']]
	],
	'call-with-a-token': [['nothing is returned', 'result', ['return response.json();', 'await response.json();']]],
	'refresh-once': [
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
	'repair-3': [
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
		['a fixed wait', 'spread', [wait, 'await clock.sleep(61_000);']],
		[
			'waits that grow evenly',
			'spread',
			['const characters = [];', 'const characters = [];\n  let waits = 0;'],
			[wait, 'await clock.sleep(61_000 + 1500 * waits++);']
		],
		['nothing is returned', 'result', ['  return characters;\n', '  return [];\n']]
	],
	'sign-out': [
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
	'with-a-library': [['nothing is returned', 'result', ['  return response.json();', '  await response.json();']]],
	'repair-1': [['encodeURI', 'unchanged', [code, '      code: encodeURI(code),\n']]],
	'repair-4': [
		['pauses that shrink', 'grow', [pause, 'await clock.sleep(16000 / 2 ** count);']],
		['long once', 'grow', [pause, 'await clock.sleep(count === 1 ? 1200 : 550);']],
		['pauses that grow and shrink', 'grow', [pause, 'await clock.sleep(900 + ((count * 7919) % 5) * 900);']],
		['a short pause', 'pause', [pause, 'await clock.sleep(400);']],
		['nothing is returned', 'result', ['return response.json();', 'await response.json();']]
	]
};
