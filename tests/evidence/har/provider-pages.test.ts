import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { authorize, begin } from './forms/form.ts';
import { recordedBy } from './recorders.ts';

// Errors in the words of providers, by their documentation and public reports. All other values are invented.

const page = (text: string) =>
	`<!doctype html><html><head><title>Error</title><script>var a={"redirect_uri":"https://x"}</script></head><body><div>${text}</div></body></html>`;

function firstCause(har: string): string | undefined {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading.findings.find(({ state }) => state === 'failed')?.id;
}

const pages: readonly (readonly [provider: string, cause: string, text: string, status: number])[] = [
	[
		'oidc-provider',
		'redirect_uri',
		'<h1>oops! something went wrong</h1><pre><strong>error</strong>: invalid_redirect_uri</pre><pre>redirect_uri did not match any of the client&#39;s registered redirect_uris</pre>',
		400
	],
	[
		'dropbox',
		'redirect_uri',
		'<h2>Error (400)</h2><p>It seems the app you were using submitted a bad request.</p><p>Invalid redirect_uri "https://app.x/cb": It must exactly match one of the redirect URIs you’ve pre-configured for your app (including the path).</p>',
		400
	],
	[
		'okta html',
		'redirect_uri',
		"<h2>400</h2><p>Your request resulted in an error. The 'redirect_uri' parameter must be a Login redirect URI in the client app settings: https://a</p>",
		400
	],
	[
		'authentik',
		'redirect_uri',
		'<h1>Redirect URI Error</h1><p>The request fails due to a missing, invalid, or mismatching redirection URI (redirect_uri).</p>',
		400
	],
	['authentik2', 'redirect_uri', '<ak-flow-card>Redirect URI Error</ak-flow-card>', 400],
	[
		'atlassian',
		'redirect_uri',
		'<h1>Something went wrong</h1><p>redirect_uri is not registered for client: abc</p>',
		400
	],
	['zoom', 'redirect_uri', '<p>Invalid redirect url (4,700)</p>', 200],
	['zoom2', 'redirect_uri', '<p>Invalid redirect: https://app.x/callback (4,700)</p>', 200],
	[
		'hubspot',
		'redirect_uri',
		"<h1>Authorization failed because the redirect URL provided doesn't match this app's registered redirect URL.</h1>",
		200
	],
	[
		'facebook',
		'redirect_uri',
		'<div>URL Blocked</div><div>This redirect failed because the redirect URI is not whitelisted in the app’s Client OAuth Settings.</div>',
		200
	],
	[
		'facebook2',
		'redirect_uri',
		"<div>Can't Load URL</div><div>The domain of this URL isn't included in the app's domains.</div>",
		200
	],
	['gitlab', 'redirect_uri', '<h3>An error has occurred</h3><p>The redirect URI included is not valid.</p>', 200],
	[
		'twitch',
		'redirect_uri',
		'<pre>{"status":400,"message":"Parameter redirect_uri does not match registered URI"}</pre>',
		400
	],
	[
		'auth0',
		'redirect_uri',
		'<h1>Oops!, something went wrong</h1><p>Callback URL mismatch.</p><p>The provided redirect_uri is not in the list of allowed callback URLs.</p>',
		403
	],
	['keycloak', 'redirect_uri', '<p class="instruction">Invalid parameter: redirect_uri</p>', 400],
	[
		'salesforce',
		'redirect_uri',
		'<p>error=redirect_uri_mismatch&error_description=redirect_uri%20must%20match%20configuration</p>',
		400
	],
	[
		'entra',
		'redirect_uri',
		'<script>$Config={"strServiceExceptionMessage":"AADSTS50011: The redirect URI ..."}</script>',
		200
	],
	[
		'google testing',
		'account',
		'<h1>Access blocked: Canary has not completed the Google verification process</h1><p>Error 403: access_denied</p>',
		403
	],
	['spotify', 'redirect_uri', 'INVALID_CLIENT: Invalid redirect URI', 400],
	['spotify2', 'client', 'INVALID_CLIENT: Invalid client', 400],
	[
		'reddit',
		'redirect_uri',
		'<h1>bad request (reddit.com)</h1><p>you sent an invalid request</p><p>— invalid redirect_uri parameter.</p>',
		400
	],
	[
		'strava',
		'redirect_uri',
		'{"message":"Bad Request","errors":[{"resource":"Application","field":"redirect_uri","code":"invalid"}]}',
		400
	],
	['keycloak client', 'client', '<p class="instruction">Client not found.</p>', 400],
	[
		'keycloak cookie',
		'session',
		'<p class="instruction">Cookie not found. Please make sure cookies are enabled in your browser.</p>',
		400
	],
	[
		'keycloak expired',
		'sign_in_expired',
		'<p id="instruction1" class="instruction">Page has expired. To restart the login process Click here .</p>',
		400
	]
];

test.each(pages)('a page of %s means %s', (_, cause, text, status) => {
	const content: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
	const shown = content === undefined ? { html: page(text) } : { body: content };
	expect(firstCause(recordedBy('Firefox', [begin(), authorize({ status, location: '', ...shown })]))).toBe(
		`cause.${cause}`
	);
});
