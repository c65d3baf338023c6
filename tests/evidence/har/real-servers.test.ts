import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mergeHar } from '#evidence/har/merge-har.ts';
import { readHar } from '#evidence/har/read-har.ts';

// Recorded from oidc-provider 9 and oauth2-mock-server 8: the browser as HAR, the client by `tollgate watch`. Pages were cut.

function read(name: string) {
	const reading = readHar(readFileSync(join(import.meta.dirname, 'recordings', `${name}.har`), 'utf8'));
	if (reading.kind !== 'read') throw new Error(reading.error);
	return reading;
}

const client = ['token', 'keys', 'userinfo', 'token', 'introspection', 'revocation'];
const pages = ['sign_in', 'sign_in', 'sign_in', 'sign_in', 'sign_in', 'sign_in'];

test.each([
	['oidc-provider', ['metadata', 'application', 'authorization', ...pages, 'callback', ...client], []],
	[
		'oidc-provider-wrong-verifier',
		['metadata', 'application', 'authorization', ...pages, 'callback', 'token'],
		['cause.pkce']
	],
	['oauth2-mock-server', ['metadata', 'application', 'authorization', 'callback', ...client], []]
])('%s: joins both sides, and finds roles and causes', (name, roles, failed) => {
	const { content, unmatched } = mergeHar(read(`${name}.browser`), read(`${name}.watch`));
	expect(content.exchanges.map(({ role }) => role)).toEqual(roles);
	expect(content.findings.filter(({ state }) => state === 'failed').map(({ id }) => id)).toEqual(failed);
	expect(unmatched).toEqual([]);
	expect(content.gaps).toEqual([]);
	expect(content.total).toBe(content.exchanges.length + (failed.length > 0 ? 0 : 1));
	const text = JSON.stringify(content);
	expect(text).not.toContain('canary');
	expect(text).not.toContain('eyJ');
});
