/** What causes of failed sign-ins say, in the form of `ruleWords`. A cause that only the quoted words tell has a dash. */
export const causeWords = `
# cause.redirect_uri | 2 | RFC 6749 §3.1.2.4
The redirect URI is not registered
The redirect_uri of the request differs from all that are registered: in scheme, host, port, path or a slash at its end.
Register exactly the redirect_uri of the request, or send the registered one.
# cause.redirect_scheme | 2 | RFC 6749 §3.1.2.4
The redirect URI has http, and the application https
A proxy in front of the application ends TLS, and the application does not know that users see https.
Let the application trust X-Forwarded-Proto of the proxy, or set its public address. Register the redirect URI with https.
# cause.spa | 2 | RFC 6749 §3.1.2.4
The redirect URI is registered for another kind of application
A page exchanges the code, and the redirect URI is registered as Web. Only those of a single-page application may be used by a page.
Register the redirect URI for the platform Single-page application, and remove it from Web.
# cause.tenant | 2 | RFC 6749 §5.2
The tenant does not fit the application
The address of the endpoint names another tenant, or a kind of account, for which the application is not registered.
Use the address of the tenant of the application, or register it for the accounts that sign in.
# cause.account | 2 | RFC 6749 §4.1.2.1
The provider does not let this account in
The account is of another organization or locked, or a policy of an administrator blocks it or the application.
Sign in with another account, or ask the administrator of the provider. The client cannot repair this.
# cause.interaction | 2 | OpenID Connect Core §3.1.2.6
The user must do another step at the provider
The provider asks for more than the client can send, for example a second factor.
Send the user to the provider again, without prompt=none.
# cause.embedded_browser | 2 | RFC 8252 §8.12
The provider rejects browsers inside applications
The sign-in was opened in a web view. Its application could read what the user types.
Open the sign-in in the browser of the system, as RFC 8252 describes.
# cause.sign_in_expired | 3 | RFC 6749 §4.1.2.1
The sign-in at the provider expired
The sign-in page was open for too long, or a sign-in in another tab ended first.
Start the sign-in again at once.
# cause.error_page | 2 | RFC 6749 §4.1.2.1
The sign-in ends at an error page of the provider
-
Open the page in the recording. Providers show errors of the redirect URI and the client here, as they cannot redirect.
# cause.literal_value | 2
A parameter is the word for nothing
A variable without a value was turned into text.
Check that the value exists before the request, and do not send the parameter without it.
# cause.no_refresh_token | 2 | RFC 6749 §5.1
No refresh token was issued
-
Request one: access_type=offline at Google, the scope offline_access at OpenID providers.
# cause.csrf | 2 | OAuth 2.0 Form Post Response Mode §2
The CSRF check of the application rejects the callback
The provider posts the callback by a form of its site, and the framework rejects forms of other sites.
Except the path of the callback from the check, as its state protects it, or use response_mode=query.
# cause.state_unknown | 2 | RFC 6749 §10.12
The application does not know the state
The session in which the state was stored is gone, is another one, or was used by an earlier callback.
Store the state in the session of the browser that starts the sign-in, under a separate key.
# cause.callback_twice | 2 | RFC 6749 §4.1.2
The callback was requested twice
A reload, a link preview or a client that repeats requests. The first request used the state and the code up.
Redirect from the callback to another page at once, and redirect a second request there, too.
# cause.wrong_address | 2 | RFC 9110 §15.5.5
There is no such endpoint
The address or the method of the request is not that of an endpoint.
Copy the address from the metadata of the provider, and use the method of its documentation.
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
The endpoint allows no requests of pages at this origin (CORS), or the network failed.
Send the request from your server, or register the origin of the page at the provider.
# cause.rejected | 2
The provider rejected the request
-
Look up the quoted error in the documentation of the provider.
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
The token has fewer permissions than the call needs, or the account may not do this.
Request the scope that the response names, and sign in again.
# cause.no_token | 2 | RFC 6750 §3.1
The call has no token
The file has no token of this call. Some browsers leave it out.
Renew the token once. If it fails again, request a token for this resource.
# cause.token_rejected | 2 | RFC 6750 §3.1
The resource rejects the token
The token was revoked, is of another environment, or has another audience than this resource.
Compare aud of the token with what the resource expects, and request a token for this resource.
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
-
Read the log of the application at this time, and add the back channel with npx tollgate watch.
`;
