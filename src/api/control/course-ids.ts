const lessons = {
	...{ 'whole-trip': 'Authorization code flow', 'one-letter-off': 'Redirect URI matching' },
	...{ 'asking-for-less': 'Scopes and consent', 'uninvited-code': 'State and login CSRF' },
	...{ 'once-too-often': 'Code replay', 'online-and-offline': 'Offline access' },
	...{ 'one-refresh-for-all': 'Sharing one refresh', 'token-in-a-url': 'Tokens in URLs' },
	...{ 'taking-it-back': 'Revocation', 'reading-the-limits': 'Rate limit headers', 'slow-is-fast': 'Throttling' },
	...{ blacklisted: 'Blacklisted, and the way back', 'window-edge': 'The edge of a window', herd: 'The herd' },
	...{ cost: 'What a request costs', 'shared-key': 'Who shares my key' },
	...{ 'no-secrets-on-a-laptop': 'Installed apps and PKCE', 'device-codes': 'A device without a browser' },
	...{ 'bound-token': 'A token that a thief cannot use', 'token-exchange': 'A smaller token for a helper' },
	...{ 'pushed-request': 'A request sent ahead', 'signed-client': 'A signature in place of a secret' }
};
const exercises = {
	...{ 'exchange-the-code': 'Exchange the code', 'with-a-library': 'The same in 15 lines with oauth4webapi' },
	...{ 'authorization-url': 'Build the authorization URL', 'check-response': 'Check the response' },
	...{ 'refresh-once': 'Refresh once for all', 'call-with-a-token': 'Call with a token', 'sign-out': 'Sign out' },
	...{ 'wait-for-the-limit': 'Wait for the limit', 'repair-1': 'It signs in, most of the time' },
	...{ 'repair-2': 'It signs in the wrong user', 'repair-3': 'It sends more than it needs' },
	...{ 'repair-4': 'It reads every character in the end', 'repair-5': 'It stays signed in after sign-out' },
	...{ 'take-the-exam': 'Take the exam' }
};
const labs = {
	...{ 'redirect-307': '307 redirect', 'audience-injection': 'Audience injection' },
	...{ 'loose-redirect': 'Loose redirect match', 'cross-tool-takeover': 'Takeover across tools' },
	...{ 'device-code-phishing': 'Device code phishing', 'consent-phishing': 'Consent phishing' },
	...{ 'scope-upgrade': 'Scope upgrade', 'login-csrf': 'Login CSRF' },
	...{ 'session-fixation': 'Session fixation across users', 'code-injection': 'Code injection' },
	...{ 'mix-up': 'Mix-up with two issuers', 'refresh-token-theft': 'Refresh token theft' },
	...{ 'lost-response': 'The lost response', 'other-resource': 'Stolen token at another resource' },
	...{ 'shared-address': 'Ban of a shared address', 'pkce-downgrade': 'PKCE downgrade' }
};

/**
 * The ids of the lessons, exercises and labs that classes can have and pages of seats can report, after the names of their folders, with
 * their titles.
 */
export const courseTitles: ReadonlyMap<string, string> = new Map([
	...Object.entries(lessons),
	...Object.entries(exercises).map(([name, title]): [string, string] => [`write/${name}`, title]),
	...Object.entries(labs).map(([name, title]): [string, string] => [`labs/${name}`, title])
]);
