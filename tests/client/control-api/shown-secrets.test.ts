import { expect, test } from 'vitest';
import { ShownSecrets } from '#client/control-api/shown-secrets.svelte.ts';

test('a secret is found for its sandbox and application only, and a new one replaces it', () => {
	const secrets = new ShownSecrets();
	secrets.keep('https://a.test', 'viewer', 'one');
	secrets.keep('https://a.test/~x', 'viewer', 'two');
	secrets.keep('https://a.test', 'viewer', 'three');
	const found = (baseUrl: string, client_id: string) => secrets.find(baseUrl, client_id);
	expect([found('https://a.test', 'viewer'), found('https://a.test/~x', 'viewer')]).toEqual(['three', 'two']);
	expect(found('https://a.test', 'other')).toBeUndefined();
});
