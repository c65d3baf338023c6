import type { Severity } from '#api/exam.ts';

/** What a finding says, whatever its file. */
export type FindingWords = {
	readonly id: string;
	readonly title: string;
	readonly severity?: Severity;
	readonly sections: readonly string[];
	/** What is missing where a rule is not shown. Empty for causes. */
	readonly needs: string;
	/** Of a rule or a cause: its cause, its fix, and what failed. Of a difference: what differs. */
	readonly lines: readonly string[];
};

/** The first line of each: id, severity, section of a standard, and what a rule needs. Then its title and its lines. */
const table = `
# file.state_returned | 1 | RFC 6749 §4.1.2 | a callback with a state
The state comes back unchanged
The response belongs to another sign-in, or something between changed the URL.
Start the sign-in again. Accept a callback only if its state is that of this browser.
The callback has another state than the authorization request.
# file.callback_uri | 2 | RFC 6749 §3.1.2 | a callback
The callback is the redirect URI
The provider used its registered redirect URI, or a proxy rewrote the address.
Send the redirect URI exactly as it is registered.
The browser came back to another address than the redirect URI of the request.
# file.no_secret_in_url | 1 | RFC 9700 §4.3.2 | a request
No secret in a URL
URLs are stored in histories, logs and Referer headers.
Send tokens in the Authorization header, and secrets in the body of a request of your server.
A URL contains an access token, a refresh token or a client secret.
# file.no_code_in_referer | 1 | RFC 9700 §4.2 | a request after the callback
The code leaks to no other site
The callback page loads files of another site while the code is in its URL.
Redirect at once from the callback, or set Referrer-Policy: no-referrer.
A request to another site has the code in its Referer header.
# file.https | 1 | RFC 9700 §2.6 | a request
All requests use HTTPS
The URL begins with http: and its host is not this computer.
Use HTTPS for the application and its redirect URI. Only a loopback address may use HTTP.
A request of the sign-in was sent without encryption.
# file.pkce | 3 | RFC 9700 §2.1.1 | an authorization request with response_type code
PKCE with S256 protects the code
The client library does not use PKCE, or uses the method plain.
Send a new code_challenge with code_challenge_method=S256, and the code_verifier with the code.
The authorization request has no code_challenge with the method S256.
# file.verifier | 2 | RFC 7636 §4.6 | back channel
The PKCE verifier matches
The verifier of another sign-in was sent: it was stored for the browser as a whole, or a second tab replaced it.
Store each code verifier beside the state of its sign-in.
The code verifier is not the one whose digest was the code challenge.
# exchange.redirect_uri_same | 2 | RFC 6749 §4.1.3 | back channel
The exchange repeats the redirect URI
The two values come from different settings, or one ends with a slash.
Use one constant for both requests.
The redirect_uri of the token request differs from that of the authorization request.
# file.renewed | 2 | RFC 6749 §1.5 | a token whose expiry the file shows
The token is renewed before it expires
The client does not check the expiry before a request.
Renew the token 10 s before it expires. Sign in again only if that fails with invalid_grant.
A request has a token that had expired.
# file.rotation | 2 | RFC 9700 §4.14.2 | a refresh that replaces the token
A replaced refresh token is not used again
The client did not store the new refresh token, or two refreshes ran at the same time.
Store the new refresh token of each response, and let one refresh run at a time.
A refresh token was sent again after a refresh had replaced it.
# file.response_type | 3 | RFC 9700 §2.1.2 | an authorization request
Tokens do not come through the browser
The implicit grant puts the token into the address of the page.
Use response_type=code with PKCE.
The authorization request asks for an access token in the URL.
# file.token_audience | 1 | OpenID Connect Core §3.1.3.7 | an ID token of a client whose id the file shows
The ID token is for this client
The token was issued for another client of the provider.
Accept an ID token only if its aud contains your client_id.
The audience of the ID token is another client.
# cause.redirect_uri | 2 | RFC 6749 §3.1.2.4
The redirect URI is not registered
The redirect_uri of the request differs from all that are registered: in scheme, host, port, path or a slash at its end.
Register exactly the redirect_uri of the request, or send the registered one.
# cause.client | 2 | RFC 6749 §5.2
The client is not accepted
The client_id is of another environment, the secret is wrong or has expired, or it is sent in another way than the provider expects.
Compare client_id and secret with the registration. Try the other way of client authentication: HTTP Basic or form.
# cause.grant | 2 | RFC 6749 §5.2
The code or refresh token is not accepted
It was used before, has expired or was revoked, or was issued to another client or redirect URI.
Exchange each code once and at once. After invalid_grant of a refresh, sign in again.
# cause.scope | 2 | RFC 6749 §4.1.2.1
A scope is not accepted
A scope is misspelled, separated in another way than the provider expects, or not allowed for this client.
Compare the scopes with those of the registration.
# cause.denied | 3 | RFC 6749 §4.1.2.1
Access was denied
The user pressed Cancel, or a policy of the provider does not allow this user or application.
Show that the sign-in was canceled, and offer to try again. Ask the administrator about policies.
# cause.consent | 2 | OpenID Connect Core §3.1.2.6
Consent is required
The user or an administrator has not allowed these permissions yet, and the request did not let them decide.
Send the request without prompt=none, or ask an administrator to consent.
# cause.session | 2 | OpenID Connect Core §3.1.2.6
The provider has no session of this browser
The session has ended, or the browser blocks cookies of the provider, for example in a frame.
Navigate the whole window to the provider. Do not renew tokens in a hidden frame.
# cause.pkce_required | 2 | RFC 7636 §4.4.1
The provider requires PKCE
The authorization request has no code_challenge.
Send a code_challenge with code_challenge_method=S256.
# cause.grant_type | 2 | RFC 6749 §4.1.2.1
The client may not use this flow
The grant type or the response type is not enabled in the registration of the client.
Enable it at the provider, or use response_type=code with grant_type=authorization_code.
# cause.provider_failed | 2 | RFC 6749 §4.1.2.1
The provider failed
An error of the provider, not of your client.
Try again later, with growing pauses.
# cause.request | 2 | RFC 6749 §4.1.2.1
A parameter is missing or wrong
A required parameter is missing, occurs twice, or has a value that the provider does not know.
Compare the parameters with the documentation of the endpoint.
# cause.cors | 2
The browser blocked the request
The endpoint allows no requests of pages (CORS), or the network failed.
Send the request from your server, or register the origin of the page at the provider.
# cause.rejected | 2
The provider rejected the request
The documentation of the provider explains this error.
Compare the request with the documentation of the endpoint.
# cause.code_used | 2 | RFC 6749 §4.1.2
The code is used twice
The callback ran twice: a reload, a double effect of a page, or a proxy that repeats requests.
Exchange the code once, and redirect to a page without the code before anything else is shown.
# cause.redirect_uri_token | 2 | RFC 6749 §4.1.3
The redirect URI differs at the token endpoint
The two values come from different settings, or one ends with a slash.
Use one constant for both requests.
# cause.pkce | 2 | RFC 7636 §4.6
PKCE fails
The verifier of another sign-in was sent, or the challenge was computed in another way.
Store the code_verifier beside the state of its sign-in, and send it with the code.
# cause.code_expired | 2 | RFC 6749 §4.1.2
The code has expired
Codes live for a short time, often 30 to 60 s.
Exchange the code in the request of the callback, before slow work.
# cause.rate_limit | 2 | RFC 6585 §4
The rate limit is reached
The client sends more calls than the provider allows, or does not wait after a 429.
Wait as long as Retry-After or the reset says, and cache what you read.
# cause.missing_scope | 2 | RFC 6750 §3.1
A permission is missing
The user allowed less than the call needs, or the account may not do this.
Request the scope that the response names, and sign in again.
# cause.no_token | 2 | RFC 6750 §3.1
The call has no token
The file has no token of this call. Some browsers leave it out.
Renew the token once. If it fails again, request a token for this resource.
# cause.token_rejected | 2 | RFC 6750 §3.1
The resource rejects the token
The token was revoked, is of another environment, or has another audience than this resource.
Renew the token once. If it fails again, request a token for this resource.
# cause.state_lost | 2 | RFC 6749 §10.12
The state is lost
The provider or a proxy dropped the parameter.
Read the state from the query of the callback, and reject a callback without it.
# cause.other_host | 2 | RFC 6749 §10.12
The callback has another host
The redirect URI names another host than the one that users open.
Open the application at the host of its redirect URI, or register the other one.
# cause.cookie | 2 | RFC 6265 §5.3
The session cookie is not sent to the callback
The browser blocked the cookie, or its Domain, Path or Secure does not fit to the callback.
Set the cookie with SameSite=Lax, Secure and Path=/, on the host of the redirect URI.
# cause.issuer_slash | 2 | RFC 8414 §3.3
The issuer has a slash at its end in one place only
Issuers are compared as texts. The one in the settings of the application differs from that of the provider.
Copy the issuer from the metadata of the provider, with or without its slash.
# cause.clock | 2 | RFC 7519 §4.1.4
The clocks differ
A token that was just issued is not valid yet, or has expired already, by the clock of the application.
Synchronize the clock of the application (NTP), and allow a difference of 60 s.
# cause.callback_rejected | 2 | RFC 6749 §10.12
The application rejects the callback
The provider issued a code. The application lost its session, did not know the state, or its token request failed.
Read the log of the application at this time, and add the back channel with npx tollgate watch.
# dialect.comma_scopes | | RFC 6749 §3.3
Scopes are separated by commas
RFC 6749 separates scopes by spaces. Split the scope of this provider at commas too.
# dialect.expires | | RFC 6749 §5.1
expires is in place of expires_in
The token response names its lifetime expires. Read both names.
# dialect.no_expiry | | RFC 6749 §5.1
The token response names no lifetime
The token may not expire, or the client learns it from a 401 only.
# dialect.text_expires_in | | RFC 6749 §5.1
expires_in is a text
The standard says a number of seconds. Convert it before you add it.
# dialect.form_response | | RFC 6749 §5.1
The token response is a form
The standard says JSON. Some providers send JSON only if the request has Accept: application/json.
# dialect.error_with_200 | | RFC 6749 §5.2
Errors have status 200
The token endpoint says that it failed in the body only. Read error before you use the response.
# dialect.ok_field | | RFC 6749 §5.1
Responses have a field ok
The provider adds ok to each response. Status and access_token are not enough.
# dialect.no_response_type | | RFC 6749 §4.1.1
The authorization request has no response_type
The standard requires it. This provider always returns a code.
# dialect.no_grant_type | | RFC 6749 §4.1.3
The token request has no grant_type
The standard requires it. This provider infers it from the code.
# dialect.token_by_get | | RFC 6749 §3.2
The token request is a GET
The standard requires POST, because URLs are stored in logs.
# dialect.json_token_request | | RFC 6749 §4.1.3
The token request is JSON
The standard requires a form. Most libraries send a form only.
# dialect.token_scheme | | RFC 6750 §2.1
Calls do not use the scheme Bearer
The provider has its own header or scheme for the access token.
# dialect.token_type | | RFC 6749 §7.1
token_type is missing or not Bearer
The standard requires token_type. Send the token as the documentation of the provider says.
# dialect.audience | | RFC 8707 §2
audience names the resource
The standard calls the parameter resource (RFC 8707).
# dialect.user_scope | | RFC 6749 §3.3
user_scope is beside scope
The provider issues separate tokens for the application and the user.
# dialect.other_scopes | | RFC 6749 §5.1
The granted scopes differ from the requested ones
The user or the provider granted other scopes. Read scope of the token response.
# dialect.no_iss | | RFC 9207 §2
The callback has no iss
The parameter is optional (RFC 9207). A client of several providers needs it against mix-up attacks.
# dialect.issuer_slash | | RFC 8414 §3.3
The issuer has a slash at its end in one place only
Issuers are compared as texts, so a client that computes one rejects the other. Take the issuer from the metadata.
# dialect.form_post | | OAuth 2.0 Form Post Response Mode §2
The authorization response is posted
A form of another site posts it, so cookies of the session need SameSite=None.
# dialect.error_in_page | | RFC 6749 §4.1.2.1
Errors are in a page
The provider shows this error to the user, and does not redirect. The application never learns it.
# dialect.rate_limit
Rate limit
No standard has this header.
`;

const severities: readonly Severity[] = [1, 2, 3];
const words = new Map(
	table
		.split('\n# ')
		.slice(1)
		.map((block): [string, FindingWords] => {
			const [head = '', title = '', ...lines] = block.trimEnd().split('\n');
			const [id = '', rank = '', section = '', needs = ''] = head.split('|').map((part) => part.trim());
			const severity = severities.find((one) => String(one) === rank);
			const sections = section === '' ? [] : [section];
			return [id, { id, title, sections, needs, lines, ...(severity === undefined ? {} : { severity }) }];
		})
);

/** @throws RangeError if there is no such finding */
export function wordsOf(id: string): FindingWords {
	const found = words.get(id);
	if (found === undefined) throw new RangeError(`There is no finding ${id}.`);
	return found;
}
