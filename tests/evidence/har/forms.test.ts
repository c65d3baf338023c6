import { describe, expect, test } from 'vitest';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { harReport } from '#evidence/har/har-report.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { callbackForms } from './forms/callbacks.ts';
import { clientForms } from './forms/clients.ts';
import { morePageForms } from './forms/more-provider-pages.ts';
import { pageForms } from './forms/provider-pages.ts';
import { tokenForms } from './forms/provider-tokens.ts';
import { recordedBy } from './recorders.ts';

/** Files whose cause is not found yet. */
const pending: readonly string[] = [
	'Google, redirect_uri_mismatch, body of the page lost',
	'Google, deleted client',
	'Google, browser in an application',
	'Google, only users of the organization',
	'Entra, a page redeems the code of a Web redirect URI',
	'Entra, account of another tenant',
	'Entra, blocked by Conditional Access',
	'Entra, refresh needs a second factor',
	'Cognito, redirect_mismatch',
	'GitHub, redirect URI of another application, as a page',
	'LinkedIn, redirect URI',
	'Discord, redirect URI, in the API of its page',
	'Keycloak behind a proxy that ends TLS',
	'Keycloak, wrong secret',
	'Keycloak, sign-in left open too long',
	'Auth0, wrong secret',
	'X, no credentials',
	'X, wrong code',
	'EVE, scope missing, then the error limit',
	'Too many token requests',
	'Facebook, other redirect URI at the token endpoint',
	'Okta, redirect URI, as JSON',
	'Apple, redirect URI',
	'Hydra, redirect URI',
	'Zitadel, redirect URI, as JSON',
	'Shopify, redirect URI',
	'an API that names the audience it expects',
	'a provider whose page has no known words',
	'the provider names the verifier, and the file has no authorization request',
	'a page posts the code to its own server twice',
	'CORS in Firefox, which records the response',
	'CORS seen by a proxy',
	'no refresh token at Google, and an expired token',
	'silent renewal without a session, by a message to the page',
	'the CSRF check of SvelteKit rejects the form of Apple',
	'Authlib does not know the state',
	'NextAuth redirects to its error page',
	'better-auth, the same callback twice',
	'a form posts the callback, as Chrome saves it by default',
	'a form posts the callback, in a private window of Firefox',
	'the clock of the browser is 600 s behind',
	'two sign-ins with one nonce, the first was left open',
	'two sign-ins with one state, the first was left open',
	'a client that sends undefined as its refresh token',
	'a sign-in that works, of a server with a browser',
	'a sign-in that works, of a page',
	'a sign-in page, and nothing after it',
	'a page gets the code, and nothing after it',
	'MSAL, whose state is JSON'
];

const forms = [...pageForms, ...morePageForms, ...tokenForms, ...clientForms, ...callbackForms];

function read(har: string): HarContent {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

test('there are files of all recorders', () => {
	expect(new Set(forms.map(({ recorder }) => recorder)).size).toBe(8);
	expect(forms.length).toBeGreaterThanOrEqual(40);
});

describe.each(forms)('$recorder: $name', ({ name, recorder, entries, first, says, never, also = [], outcome }) => {
	const content = () => read(recordedBy(recorder, entries));

	const run = pending.includes(name) ? test.fails : test;
	run('has the right first cause', () => {
		const found = content();
		const failed = found.findings.filter(({ state }) => state === 'failed');
		expect(failed[0]?.id).toBe(first);
		expect(failed.map(({ id }) => id)).toEqual(expect.arrayContaining([...also]));
		const { text = '', cause = '', fix = '' } = failed[0] ?? {};
		if (says !== undefined) expect(`${text} ${cause} ${fix}`).toMatch(says);
		if (never !== undefined) expect(harReport(found, 'a.har')).not.toMatch(never);
		if (outcome !== undefined) expect(found.findings.find(({ id }) => id === 'file.outcome')?.state).toBe(outcome);
	});

	test('keeps no secret', () => {
		const text = JSON.stringify(content());
		expect([...text.matchAll(/canary\w{4,}/gi)].map(([value]) => value)).toEqual([]);
	});
});
