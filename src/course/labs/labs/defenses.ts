import type { LabDefense } from '../engine/lab.ts';

const settingsOfTollgate = 'Tollgate, settings';

/** Defenses that several labs offer. What each does in a lab is found by running it. */
export const defenses = {
	longerState: {
		title: 'Use a longer state',
		code: 'const state = randomText(64);',
		file: 'start.ts, line 6',
		section: 'RFC 9700 §4.7',
		text: 'A longer `state` is harder to guess. This attack guesses nothing.',
		world: { client: { stateBytes: 64 } }
	},
	sameSite: {
		title: 'Reject responses from other sites',
		code: "if (fetchSite !== 'same-origin')\n  throw new SiteError();",
		file: 'callback.ts, line 10',
		section: 'RFC 6749 §4.1.2',
		text: 'Each response of Tollgate is a redirect from another site, so no user can sign in.',
		world: { client: { acceptsCrossSite: false } }
	},
	shortCodes: {
		title: 'Let codes live 10 seconds',
		code: '"code": 10',
		file: settingsOfTollgate,
		section: 'RFC 6749 §4.1.2',
		text: 'A short life helps against a code that is found later. Here it is used at once.',
		world: { settings: { lifetimes: { code: 10 } } }
	},
	shortTokens: {
		title: 'Let access tokens live 5 minutes',
		code: '"access_token": 300',
		file: settingsOfTollgate,
		section: 'RFC 6750 §5.3',
		text: 'An access token that leaks works for a shorter time. Here it is used at once.',
		world: { settings: { lifetimes: { access_token: 300 } } }
	},
	dpop: {
		title: 'Bind tokens to a key (DPoP)',
		code: 'await exchange(code, tokenUrl, { dpop: key });',
		file: 'callback.ts, line 17',
		section: 'RFC 9449 §1',
		text: 'A copied token is useless without the key. Here Character Viewer gets the token, and uses it itself.',
		world: { settings: { dialect: 'standard' }, client: { dpop: true } }
	},
	pushedOnly: {
		title: 'Accept pushed requests only',
		code: '"require_pushed_requests": true',
		file: settingsOfTollgate,
		section: 'RFC 9126 §5',
		text: 'Character Viewer does not push its requests, so none of its users can sign in.',
		world: { settings: { dialect: 'standard', require_pushed_requests: true } }
	},
	requirePkce: {
		title: 'Require PKCE at Tollgate',
		code: 'if (!isS256(challenge))\n  throw invalidRequest();',
		file: 'authorize.ts of Tollgate, line 31',
		section: 'RFC 9700 §2.1.1',
		text: 'PKCE binds a code to the client that asked for it. Here the attacker’s own application asks.',
		world: { settings: { dialect: 'standard' } }
	},
	secretRequired: {
		title: 'Require a client secret',
		code: '"kind": "web"',
		file: 'Tollgate, application',
		section: 'RFC 8252 §8.5',
		text: 'An app on a device cannot keep a secret. Character Viewer has none, so none of its users can sign in.',
		world: { requiresSecret: true }
	},
	signedTokens: {
		title: 'Sign access tokens',
		code: '"jwt_access_tokens": true',
		file: settingsOfTollgate,
		section: 'RFC 9068 §4',
		text: 'A signature shows who issued a token. It does not show who holds it.',
		world: { settings: { jwt_access_tokens: true } }
	}
} as const satisfies Readonly<Record<string, LabDefense>>;
