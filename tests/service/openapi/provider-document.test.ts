import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { dialectOf } from '#api/dialect.ts';
import type { OpenApi } from '#service/openapi/json-schema.ts';
import { openApi } from '#service/openapi/document.ts';
import { documentOfSandbox } from '#service/openapi/sandbox-document.ts';
import { documentOfProvider } from '#service/openapi/provider-document.ts';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { providerNames, worldOf } from '#service/provider/providers.ts';

const whole = JSON.stringify(openApi);
const standard = documentOfSandbox(whole, 'https://tollgate.test', dialectOf({ dialect: 'standard', strict: true }));

function documentOf(provider: string | undefined): OpenApi;
function documentOf(provider: string | undefined): unknown {
	return JSON.parse(documentOfProvider(standard, provider));
}

it.each(providerNames())('is valid OpenAPI 3.1 for a sandbox that speaks like %s', async (provider) => {
	const result = await new Validator().validate(structuredClone({ ...documentOf(provider) }));
	expect(result.errors ?? []).toEqual([]);
});

it('has the endpoints of the provider in place of those that speak like it', () => {
	const paths = Object.keys(documentOf('github').paths);
	expect(paths.filter((path) => path.startsWith('/as/'))).toEqual([
		'/as/github/login/oauth/authorize',
		'/as/github/login/oauth/access_token',
		'/as/github/user',
		'/as/github/user/emails'
	]);
	expect(paths.filter((path) => /^\/ws\/oauth2\/(?:auth|token|revoke|userinfo)\b/.test(path))).toEqual([]);
	expect(paths).toContain('/control/settings');
});

it('has the endpoints of the API that a world describes', () => {
	const document: OpenApi = JSON.parse(documentOfProvider(standard, 'own', worldOf(exampleProvider)));
	expect(document.paths).toHaveProperty('/as/own/oauth/token.post.summary', 'Example Bank: tokens');
});

it('is unchanged for a sandbox that speaks a dialect of our own', () => {
	expect(documentOfProvider(standard, undefined)).toBe(standard);
});
