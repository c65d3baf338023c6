/** What each parameter of the authorization request does (section 2.1). */
const help: Readonly<Record<string, string>> = {
	response_type: 'Requests an authorization code, the only supported type.',
	client_id: 'Identifies the registered application.',
	redirect_uri: 'Where the user is redirected. Must exactly match a registered URI.',
	scope: 'The permissions that the user is asked for. Users approve shorter lists more often.',
	state: '256 random bits known only to this tab. Callbacks without it are rejected.',
	'access_type=online': 'Access while the user is present. There is no refresh token.',
	'access_type=offline':
		'The application may act while the user is away. The first token response includes a refresh token.',
	renew_previously_granted: 'The token also covers permissions that were granted earlier.',
	code_challenge: 'SHA-256 of a secret that stays in this tab. A stolen code is useless without it (RFC 7636).',
	code_challenge_method: 'Hash used for the challenge.'
};

/** Explains a parameter of the authorization request; empty for an unknown one. */
export function parameterHelp(name: string, value: string): string {
	return help[`${name}=${value}`] ?? help[name] ?? '';
}
