/**
 * What rules and differences say. The first line of each: id, severity, section of a standard, and what a rule needs. Then its title
 * and its lines.
 */
export const ruleWords = `
# file.state_returned | 1 | RFC 6749 §4.1.2 | a callback with a state
The state comes back unchanged
The response belongs to another sign-in, or something between changed the URL.
Start the sign-in again. Accept a callback only if its state is that of this browser.
The callback has another state than the authorization request.
# file.outcome | | | the end of a sign-in
The sign-in works
-
# file.state_fresh | 3 | RFC 9700 §2.1 | two sign-ins with a state
Each sign-in has its own state
The state is a constant, or is computed from something that two sign-ins share, such as the session.
Create a random state for each sign-in, and store it in the session of the browser.
Two sign-ins of this file have the same state.
# file.nonce_fresh | 2 | OpenID Connect Core §15.5.2 | two sign-ins with a nonce
Each sign-in has its own nonce
The nonce is a constant, so an ID token of one sign-in passes in another.
Create a random nonce for each sign-in, and compare it with that of the ID token.
Two sign-ins of this file have the same nonce.
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
A request of the sign-in, or its redirect URI, has no encryption.
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
