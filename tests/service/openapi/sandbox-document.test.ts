import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { dialectNames, dialectOf } from '#api/dialect.ts';
import type { OpenApi } from '#service/openapi/json-schema.ts';
import { openApi } from '#service/openapi/document.ts';
import { documentOfSandbox } from '#service/openapi/sandbox-document.ts';

const baseUrl = 'https://tollgate.test/~abc';
const whole = JSON.stringify(openApi);

function documentOf(dialect: (typeof dialectNames)[number], strict?: boolean): OpenApi;
function documentOf(dialect: (typeof dialectNames)[number], strict = true): unknown {
	return JSON.parse(documentOfSandbox(whole, baseUrl, dialectOf({ dialect, strict })));
}

const specification = documentOf('specification');
const standard = documentOf('standard');
const authorize = (document: OpenApi) => document.paths['/ws/oauth2/auth/']?.get?.parameters ?? [];
const names = (document: OpenApi) => authorize(document).map(({ name }) => name);
const required = (document: OpenApi) =>
	authorize(document)
		.filter((parameter) => parameter.required)
		.map(({ name }) => name);

describe.each(dialectNames)('the document of a sandbox in the dialect %s', (dialect) => {
	const document = documentOf(dialect);

	it('lists schemas in the same order in every language of the machine', () => {
		const listed = Object.keys(document.components.schemas);
		expect(listed).toEqual([...listed].sort());
	});

	it('is valid OpenAPI 3.1 without marks', async () => {
		const result = await new Validator().validate(structuredClone({ ...document }));
		expect(result.errors ?? []).toEqual([]);
		expect(JSON.stringify(document)).not.toMatch(/"x-(?:dialect|required-in|said-by|descriptions)"/);
	});

	it('has the base URL as its server, so that paths are appended without a second slash', () => {
		expect(document.servers).toEqual([{ url: baseUrl, description: 'This sandbox' }]);
	});

	it('names only credentials and schemas that it has', () => {
		const schemes = Object.keys(document.components.securitySchemes);
		const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
		const used = operations.flatMap(({ security }) => security.flatMap((requirement) => Object.keys(requirement)));
		expect([...new Set(used)].sort()).toEqual(schemes.sort());
		expect(operations.filter(({ security }) => security.length === 0)).toEqual([]);
		const references = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
		expect([...new Set(references)].sort()).toEqual(Object.keys(document.components.schemas).sort());
	});
});

it('has the access token as the dialect takes it', () => {
	expect(standard.paths['/ws/v2.0/ratelimits']?.get?.security).toEqual([{ bearerToken: [] }]);
	expect(standard.components.securitySchemes.bearerToken).toMatchObject({ type: 'http', scheme: 'bearer' });
	expect(specification.paths['/ws/v2.0/ratelimits']?.get?.security).toEqual([
		{ accessToken: [] },
		{ accessTokenInQuery: [] }
	]);
	expect(specification.components.securitySchemes.accessToken).toMatchObject({ type: 'apiKey', name: 'Authorization' });
});

it('has the operations, parameters, fields and headers of its dialect', () => {
	expect(Object.keys(specification.paths['/ws/oauth2/revoke'] ?? {})).toEqual(['get']);
	expect(Object.keys(standard.paths['/ws/oauth2/revoke'] ?? {})).toEqual(['post']);
	expect(Object.keys(specification.paths).filter((path) => path.includes('well-known'))).toEqual([]);
	expect(names(standard)).toContain('nonce');
	expect(names(specification)).not.toContain('nonce');
	expect(required(specification)).toEqual(['response_type', 'client_id', 'redirect_uri', 'scope']);
	expect(required(standard)).toContain('code_challenge');
	expect(specification.components.schemas.TokenResponse?.properties).not.toHaveProperty('id_token');
	expect(standard.components.schemas.TokenResponse?.properties).toHaveProperty('id_token');
	expect(specification.components.schemas).not.toHaveProperty('ClientCredentialsRequest');
	expect(standard.components.schemas).toHaveProperty('ClientCredentialsRequest');
	const limits = (document: OpenApi) => document.paths['/ws/v2.0/ratelimits']?.get?.responses;
	expect(limits(standard)?.[200]?.headers).toHaveProperty('RateLimit');
	expect(limits(specification)?.[200]?.headers).not.toHaveProperty('RateLimit');
	expect(limits(standard)?.[429]?.description).toContain('rate_limit_exceeded');
	expect(limits(specification)?.[400]?.description).toContain('rate_limit_exceeded');
	expect(limits(standard)?.[400]?.description).not.toContain('rate_limit_exceeded');
});

it('has the token type and the fields of its dialect, in the example too', () => {
	const types = (document: OpenApi) => document.components.schemas.TokenResponse?.properties?.token_type;
	const example = (document: OpenApi) =>
		document.paths['/ws/oauth2/token/']?.post?.responses[200]?.content?.['application/json']?.example;
	expect(types(specification)).toMatchObject({ enum: ['OAuth'] });
	expect(types(standard)).toMatchObject({ enum: ['Bearer'] });
	expect(types(documentOf('specification', false))).toMatchObject({ enum: ['Bearer'] });
	expect(example(specification)).toMatchObject({ token_type: 'OAuth' });
	expect(example(specification)).not.toHaveProperty('id_token');
	expect(example(standard)).toMatchObject({ token_type: 'Bearer', id_token: 'ID_TOKEN' });
});

it('has examples of parameters that are what is sent', () => {
	const operations = Object.values(standard.paths).flatMap((item) => Object.values(item));
	const wrong = operations
		.flatMap(({ parameters = [] }) => parameters)
		.filter(({ schema, example }) => schema.type === 'string' && !['string', 'undefined'].includes(typeof example));
	expect(wrong).toEqual([]);
});
