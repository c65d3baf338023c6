import { expect, test } from 'vitest';
import type { HarContent } from '#evidence/har/har-reading.ts';
import { harReport } from '#evidence/har/har-report.ts';
import { mergeHar } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar } from './make-har.ts';

function read(har: string): HarContent {
	const reading = readHar(har);
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

const [code, state, token] = ['canary-code-4fG7', 'canary-state-8sK2mN', 'canary-token-2YotnFZFEjr1zCsicMWpAA'];
const redirect_uri = 'https://app.fabrikam.example/callback';
const query = new URLSearchParams({ response_type: 'code', client_id: 'shop', redirect_uri, state }).toString();
const browser = read(
	makeHar([
		{
			at: 0,
			url: `https://auth.example/authorize?${query}`,
			status: 302,
			location: `${redirect_uri}?code=${code}&state=${state}`
		},
		{ at: 1, url: `${redirect_uri}?code=${code}&state=${state}`, status: 500, html: 'Error' }
	])
);
const form = {
	grant_type: 'authorization_code',
	code,
	redirect_uri: `${redirect_uri}/`,
	client_id: 'shop',
	client_secret: 'canary-secret'
};

test('says what is missing in the file of a browser', () => {
	expect(browser.gaps).toEqual([
		{ after: 'file-2', role: 'token', text: 'Token request: not in this file', needs: 'back channel' }
	]);
	expect(browser.findings.find(({ id }) => id === 'file.verifier')).toMatchObject({
		state: 'not_shown',
		needs: 'back channel'
	});
	expect(browser.findings.find(({ state }) => state === 'failed')?.id).toBe('cause.callback_rejected');
});

test('adds the back channel by code and time, and lists what belongs to no sign-in', () => {
	// The clock of the server is an hour behind.
	const back = read(
		makeHar([
			{
				at: -3600,
				url: 'https://auth.example/token',
				headers: { 'user-agent': 'node' },
				form,
				status: 400,
				body: { error: 'invalid_grant', error_description: 'redirect_uri mismatch' }
			},
			{
				at: -3500,
				url: 'https://api.example/other',
				headers: { 'user-agent': 'node', authorization: `Bearer ${token}` },
				body: {}
			}
		])
	);
	const merged = mergeHar(browser, back).content;
	expect(merged.exchanges.map(({ role, from, entry }) => [role, from, entry.seq, entry.flow])).toEqual([
		['authorization', 'browser', 1, 'sign-in 1'],
		['callback', 'browser', 2, 'sign-in 1'],
		['token', 'application', 3, 'sign-in 1'],
		['resource', 'application', 4, undefined]
	]);
	expect(merged.exchanges[2]?.entry.request.body).toContain('code=[code 1]');
	expect(merged.findings.filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual([
		'cause.redirect_uri_token'
	]);
	expect(merged.unmatched).toEqual(['watch-2']);
	const cause = merged.findings.find(({ id }) => id === 'cause.redirect_uri_token');
	expect(cause?.text).toContain(`${redirect_uri}, and the token request ${redirect_uri}/.`);
	const report = harReport(merged, 'a.har', 'markdown');
	expect(report).toContain('## Without a sign-in\n\nExchanges 4');
	expect(report).not.toContain('canary');
});

test('reports without host names', () => {
	for (const format of ['text', 'markdown', 'json'] as const) {
		expect(harReport(browser, 'a.har', format)).toContain('auth.example');
		expect(harReport(browser, 'a.har', format, false)).not.toMatch(/auth\.example|fabrikam/);
	}
});
