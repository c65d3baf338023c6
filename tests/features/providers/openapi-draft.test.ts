import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { draftOfOpenApi } from '#features/providers/own/openapi-draft.ts';
import { readOwnFile } from '#features/providers/own/own-file.ts';

const error = { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } };
const json = (schema: object) => ({ 'application/json': { schema } });

const bank = {
	openapi: '3.1.0',
	info: { title: 'Harbor Bank', version: '2' },
	externalDocs: { url: 'https://docs.harbor.example/api' },
	servers: [{ url: 'https://{region}.harbor.example/v2', variables: { region: { default: 'api' } } }],
	security: [{ login: ['accounts:read'] }],
	paths: {
		'/accounts/{accountId}': {
			get: {
				responses: {
					200: {
						headers: { 'X-RateLimit-Limit': { schema: { type: 'integer', example: 500 } } },
						content: json({ $ref: '#/components/schemas/Account' })
					},
					401: { content: json(error) },
					404: { content: json(error) },
					429: {
						headers: { 'Retry-After': { schema: { type: 'integer' } }, 'X-RateLimit-Remaining': {} },
						content: json(error)
					}
				}
			},
			delete: { responses: {} }
		},
		'/status': { get: { security: [], responses: {} } }
	},
	components: {
		schemas: {
			Account: {
				type: 'object',
				properties: {
					name: { type: 'string' },
					email: { type: 'string' },
					balance: { type: 'number', example: 12.5 },
					parent: { $ref: '#/components/schemas/Account' }
				}
			}
		},
		securitySchemes: {
			login: {
				type: 'oauth2',
				flows: {
					authorizationCode: {
						authorizationUrl: 'https://login.harbor.example/authorize?tenant=a',
						tokenUrl: 'https://login.harbor.example/token',
						refreshUrl: 'https://login.harbor.example/refresh',
						scopes: { 'accounts:read': 'Read accounts', 'accounts:write': 'Change accounts' }
					},
					clientCredentials: { tokenUrl: 'https://login.harbor.example/token', scopes: {} }
				}
			},
			key: { type: 'apiKey', in: 'header', name: 'X-Key' }
		}
	}
};
const asJson = JSON.stringify(bank, undefined, 2);
const lineOf = (text: string, part: string) => text.split('\n').findIndex((line) => line.includes(part)) + 1;

async function draft(text: string) {
	const made = await draftOfOpenApi(text, '2026-12-01');
	if ('reason' in made) throw new Error(made.reason);
	return made;
}

it.for([
	['JSON', asJson],
	['YAML', stringify(bank, { aliasDuplicateObjects: false })]
] as const)('makes a draft of a document in %s, and lists what to check with its line', async ([, text]) => {
	const { file, notes } = await draft(text);
	expect(file).toMatchObject({
		title: 'Harbor Bank',
		exampleScope: 'accounts:read accounts:write',
		sources: [{ url: 'https://docs.harbor.example/api', read: '2026-12-01', kind: 'documented' }],
		dialect: {
			endpoints: [
				{ kind: 'authorize', url: 'https://login.harbor.example/authorize' },
				{ kind: 'token', url: 'https://login.harbor.example/token' },
				{ kind: 'token', url: 'https://login.harbor.example/refresh' },
				{
					kind: 'api',
					url: 'https://api.harbor.example/v2/accounts/{account_id}',
					body: { name: '{user_name}', email: '{user_email}', balance: 12.5 },
					scopes: ['accounts:read']
				}
			],
			scopes: { known: ['accounts:read', 'accounts:write'], unknown: 'rejected' },
			errors: { api: { body: { code: '{error}', message: '{error_description}' } } },
			rateLimit: {
				requests: 500,
				status: 429,
				headers: { 'X-RateLimit-Limit': '{limit}' },
				limitedHeaders: { 'retry-after': '{reset_after}', 'X-RateLimit-Remaining': '{remaining}' },
				body: { code: '{error}', message: '{error_description}' }
			}
		}
	});
	expect(readOwnFile(JSON.stringify(file, undefined, 2))).toMatchObject({ file });
	const key = text === asJson ? '"key":' : 'key:';
	expect(notes.find(({ what }) => what.includes('apiKey'))).toEqual({
		line: lineOf(text, key),
		what: 'Left out: the security scheme key (apiKey).'
	});
	expect(notes.map(({ what }) => what)).toEqual([
		'Left out: DELETE /accounts/{accountId}. Only GET is simulated.',
		'Left out: responses with 404 of /accounts/{accountId}.',
		'From the user who signed in: name, email of GET /accounts/{accountId}.',
		'The document does not say rateLimit.window. The draft has 60.',
		'Left out: GET /status, which needs no token.',
		'Left out: the query of https://login.harbor.example/authorize?tenant=a.',
		'Left out: the flow clientCredentials of login.',
		'Left out: the security scheme key (apiKey).'
	]);
});

it('reads the token endpoint where it is a path of the document', async () => {
	const responses = {
		200: {
			content: json({
				properties: { access_token: { type: 'string' }, expires_in: { type: 'integer' }, owner: { enum: ['bank'] } }
			})
		},
		422: { content: json(error) }
	};
	const login = { post: { responses } };
	const { file } = await draft(
		JSON.stringify({ ...bank, servers: [{ url: 'https://login.harbor.example' }], paths: { '/token': login } })
	);
	expect(file.dialect).toMatchObject({
		tokenResponse: { body: { access_token: '{access_token}', expires_in: '{expires_in}', owner: 'bank' } },
		errors: { token: { status: 422, body: { code: '{error}', message: '{error_description}' } } }
	});
	expect(readOwnFile(JSON.stringify(file))).toMatchObject({ file });
});

it.for([
	['{\n"openapi": "3.0.0",\n}', /line 3/],
	['openapi: 3.0.0\ninfo: [a\n', /line \d/i],
	['{"swagger": "2.0"}', /^Line 1 says Swagger 2\. Convert it to OpenAPI 3 first\.$/],
	['openapi: 4.0.0', /^Line 1 is not version 3/],
	['{"format": "tollgate-world"}', /has no field "openapi" at the top/],
	['hello', /It is no OpenAPI document/],
	['', /It is no OpenAPI document/]
] as const)('says why %j is no document that it reads', async ([text, reason]) => {
	expect(await draftOfOpenApi(text, '2026-12-01')).toEqual({ reason: expect.stringMatching(reason) });
});

it('ends with schemas that contain themselves, and with parts that are not what OpenAPI has', async () => {
	const loop = { $ref: '#/components/schemas/Loop' };
	const get = { responses: { 200: { content: json(loop) }, 401: null } };
	const odd = {
		openapi: '3.0.0',
		servers: 'x',
		paths: { '/a': { get }, '/b': null, '/c/{a}{b}': { get }, '/d': { $ref: 'other.yaml#/d' } },
		components: {
			schemas: { Loop: { allOf: Array.from({ length: 30 }, () => loop), properties: { a: loop } } },
			securitySchemes: []
		}
	};
	const { file, notes } = await draft(JSON.stringify(odd));
	expect(readOwnFile(JSON.stringify(file))).toMatchObject({ file });
	expect(notes.map(({ what }) => what)).toEqual(
		expect.arrayContaining([
			'No https URL of a server without a port. The draft has https://api.example.com.',
			'Left out: /c/{a}{b}. Its form is not possible.',
			'Left out: other.yaml#/d, which is in another file.'
		])
	);
});
