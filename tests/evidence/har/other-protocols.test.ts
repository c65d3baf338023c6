import { expect, test } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';
import { makeHar, type MadeEntry } from './make-har.ts';

const form = { at: 0, url: 'https://app.example/saml/acs', form: { SAMLResponse: 'PHNhbWw+', RelayState: 'a' } };

test.each<readonly [protocol: string, entry: MadeEntry]>([
	['SAML', form],
	['SAML', { at: 0, url: 'https://idp.example/sso?SAMLRequest=fZBBa4QwEIX', html: '<form></form>' }],
	['WS-Federation', { at: 0, url: 'https://idp.example/wsfed?wa=wsignin1.0&wtrealm=https%3A%2F%2Fapp.example' }],
	['OAuth 1.0', { at: 0, url: 'https://api.example/oauth/authenticate?oauth_token=hdk48Djdsa' }],
	['OpenID 2.0', { at: 0, url: 'https://op.example/server?openid.mode=checkid_setup' }],
	['CAS', { at: 0, url: 'https://app.example/?ticket=ST-1856339-aA5Yuvrxzpv8Tau1cYQ7' }]
])('names %s in a file without OAuth', (protocol, entry) => {
	expect(readHar(makeHar([entry]))).toMatchObject({
		kind: 'unreadable',
		error: `The file has a sign-in by ${protocol}, and no request of OAuth 2.`,
		expected: expect.stringMatching(/^a request of OAuth 2/)
	});
});

test('says that a file of GraphQL or of pages has no request of OAuth', () => {
	const graphql: MadeEntry = {
		at: 0,
		url: 'https://app.example/graphql',
		json: { query: '{ me { name } }' },
		body: { data: {} }
	};
	expect(readHar(makeHar([graphql]))).toMatchObject({
		error: 'The file has no request of OAuth.',
		found: '1 other request'
	});
});

test('each problem says what was expected there', () => {
	const expected = ['', '\0', '[]', '{"log":{"entries":[]}}', makeHar([form])].map((text) => {
		const reading = readHar(text);
		return reading.kind === 'unreadable' ? reading.expected : '';
	});
	expect(new Set(expected).size).toBe(4);
});
