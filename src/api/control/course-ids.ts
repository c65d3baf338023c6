const exercises = [
	...['authorization-url', 'check-response', 'exchange-the-code', 'call-with-a-token', 'refresh-once'],
	...['wait-for-the-limit', 'sign-out', 'with-a-library', 'repair-1', 'repair-2', 'repair-3', 'repair-4', 'repair-5'],
	'take-the-exam'
];
const labs = [
	...['login-csrf', 'code-injection', 'pkce-downgrade', 'mix-up', 'loose-redirect', 'redirect-307'],
	...['session-fixation', 'refresh-token-theft', 'other-resource', 'consent-phishing', 'shared-address'],
	...['device-code-phishing', 'audience-injection'],
	...['cross-tool-takeover', 'lost-response', 'scope-upgrade']
];

/** The ids of the lessons, exercises and labs that classes can have and pages of seats can report, after the names of their folders. */
export const courseIds: ReadonlySet<string> = new Set([
	...['whole-trip', 'one-letter-off', 'asking-for-less', 'uninvited-code', 'once-too-often', 'online-and-offline'],
	...['one-refresh-for-all', 'token-in-a-url', 'taking-it-back', 'reading-the-limits', 'slow-is-fast', 'blacklisted'],
	...['window-edge', 'herd', 'cost', 'shared-key', 'no-secrets-on-a-laptop'],
	...['device-codes', 'bound-token', 'token-exchange', 'pushed-request', 'signed-client'],
	...exercises.map((name) => `write/${name}`),
	...labs.map((name) => `labs/${name}`)
]);
