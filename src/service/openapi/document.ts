import { type Operation, operations } from './operations.ts';
import * as accounts from '#api/control/accounts.ts';
import * as applications from '#api/control/applications.ts';
import * as blacklist from '#api/control/tickets.ts';
import * as board from '#api/control/board.ts';
import * as seats from '#api/control/seats.ts';
import * as classes from '#api/control/classes.ts';
import * as clock from '#api/control/clock.ts';
import * as credentials from '#api/control/credentials.ts';
import * as faults from '#api/control/faults.ts';
import * as sandboxes from '#api/control/sandboxes.ts';
import * as settings from '#api/control/settings.ts';
import * as signingKeys from '#api/control/signing-keys.ts';
import * as testCards from '#api/control/test-cards.ts';
import * as tickets from '#api/control/tickets.ts';
import * as traffic from '#api/control/traffic.ts';
import * as preset from '#api/control/preset.ts';
import * as ownerKeys from '#api/control/sandboxes.ts';
import * as shares from '#api/control/shares.ts';
import * as status from '#api/control/status.ts';
import * as world from '#api/control/world.ts';
import * as guide from '#api/world/guide.ts';
import * as account from '#api/protocol/account.ts';
import * as authorization from '#api/protocol/authorization.ts';
import * as character from '#api/protocol/resources.ts';
import * as openid from '#api/protocol/openid.ts';
import * as records from '#api/protocol/resources.ts';
import * as rateLimits from '#api/protocol/rate-limits.ts';
import * as standard from '#api/protocol/standard.ts';
import * as token from '#api/protocol/token.ts';
import { tags } from '#api/declare.ts';
import {
	type OpenApi,
	type OperationObject,
	type Parameter,
	type PathItem,
	referenceName,
	type Schema,
	SchemaConverter,
	type SecurityScheme
} from './json-schema.ts';
import { createExample, describeResponses } from './operation-responses.ts';
import { descriptionOf, exampleOf } from './field-descriptions.ts';
import { referencedSchemas } from './sandbox-document.ts';

/** The ways to send a credential. */
const securitySchemes: Readonly<Record<string, SecurityScheme>> = {
	sandboxKey: {
		type: 'apiKey',
		in: 'header',
		name: 'X-Tollgate-Key',
		description:
			'The key of the sandbox or of the class, or `ADMIN_KEY`. A root sandbox without `ADMIN_KEY` needs none.'
	},
	ownerCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-owner',
		description: 'The browser that created the sandbox has it. A suffix of the name separates sandboxes.'
	},
	classCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-class',
		description: 'The browser that opened the class has it. A suffix of the name separates classes.'
	},
	sessionCookie: {
		type: 'apiKey',
		in: 'cookie',
		name: '__Host-tollgate-session',
		description: 'The browser in which a user signed in has it. A suffix of the name separates sandboxes.'
	},
	accessToken: {
		'x-dialect': 'specification',
		// The registered scheme `oauth` is OAuth 1.0 (RFC 5849), and generators sign requests with it or send nothing.
		type: 'apiKey',
		in: 'header',
		name: 'Authorization',
		description: 'The word `OAuth`, a space and the access token. A sandbox that is not strict also accepts `Bearer`.'
	},
	accessTokenInQuery: {
		'x-dialect': 'specification',
		type: 'apiKey',
		in: 'query',
		name: 'access_token',
		description: 'The access token. Logs and browser histories store it.'
	},
	bearerToken: {
		'x-dialect': 'standard',
		type: 'http',
		scheme: 'bearer',
		description: 'The access token.'
	},
	clientBasic: {
		'x-dialect': 'standard',
		type: 'http',
		scheme: 'basic',
		description: '`client_id` and `client_secret`.'
	}
};

/** The credentials that an operation accepts. An empty object: none is needed. */
function describeSecurity({ isControl, access }: Operation): OperationObject['security'] {
	if (isControl && access === undefined) return [{ sandboxKey: [] }, { ownerCookie: [] }];
	if (access === 'class') return [{ sandboxKey: [] }, { classCookie: [] }];
	if (isControl) return [{}, { sandboxKey: [] }, { ownerCookie: [] }];
	if (access === 'access token') return [{ bearerToken: [] }, { accessToken: [] }, { accessTokenInQuery: [] }];
	if (access === 'client credentials') return [{}, { clientBasic: [] }];
	return access === 'session' ? [{}, { sessionCookie: [] }] : [{}];
}

const schemas = new SchemaConverter([
	accounts,
	applications,
	blacklist,
	board,
	classes,
	seats,
	clock,
	credentials,
	faults,
	sandboxes,
	shares,
	status,
	ownerKeys,
	preset,
	settings,
	signingKeys,
	testCards,
	tickets,
	traffic,
	world,
	guide,
	account,
	authorization,
	character,
	openid,
	rateLimits,
	records,
	standard,
	token.grantRequests,
	token
]);

const description = `A simulated OAuth 2.0 service with rate limits, and the API that controls a sandbox of it.

Every sandbox has this document at its own base URL. Responses to programs are JSON, or XML if \`Accept\` prefers it. A blacklisted address gets no response. The OAuth endpoints and the resources respond to CORS preflights of registered origins. The setting \`dialect\` chooses between the specification and today’s standards. A method that a path does not support gets 405 with \`Allow\`.`;

/**
 * The OpenAPI document of the whole service, built from the schemas that the code validates with. It describes both dialects, with marks;
 * `documentOfSandbox` makes that of a sandbox of it.
 */
export const openApi: OpenApi = createDocument();

function createDocument(): OpenApi {
	const paths = new Map<string, PathItem>();
	for (const operation of operations) {
		const item = { ...paths.get(operation.path), [operation.method.toLowerCase()]: describeOperation(operation) };
		paths.set(operation.path, item);
	}
	const named = referencedSchemas(schemas.named, JSON.stringify([...paths.values()]));
	return {
		openapi: '3.1.1',
		info: { title: 'Tollgate', version: '2.0', description },
		servers: [{ url: './', description: 'The sandbox of this document' }],
		tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
		paths: Object.fromEntries(paths),
		components: { schemas: named, securitySchemes }
	};
}

function describeOperation(operation: Operation): OperationObject {
	const { id, tag, summary, description, body, destroys, dialect } = operation;
	const parameters = [...pathParameters(operation), ...queryParameters(operation)];
	return {
		operationId: id,
		tags: [tag],
		summary,
		description,
		...(parameters.length > 0 && { parameters }),
		requestBody: body && describeBody(body),
		responses: describeResponses(operation, schemas),
		security: describeSecurity(operation),
		'x-destroys': destroys,
		'x-dialect': dialect
	};
}

function describeBody({
	form,
	optional,
	schema,
	example
}: NonNullable<Operation['body']>): NonNullable<OperationObject['requestBody']> {
	const type = form === true ? 'application/x-www-form-urlencoded' : 'application/json';
	const converted = schemas.convert(schema);
	const media = { schema: converted, example: example ?? createExample(converted, schemas.named) };
	return { required: optional !== true, content: { [type]: media } };
}

function pathParameters({ path }: Operation): Parameter[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
		describeParameter(name, 'path', true, { type: 'string' })
	);
}

function queryParameters({ query }: Operation): Parameter[] {
	if (query === undefined) return [];
	const converted = schemas.convert(query);
	const { properties = {}, required = [] } = schemas.named[referenceName(converted) ?? ''] ?? converted;
	return Object.entries(properties).map(([name, schema]) =>
		describeParameter(name, 'query', required.includes(name), typeof schema === 'object' ? schema : {})
	);
}

function describeParameter(name: string, place: 'path' | 'query', required: boolean, schema: Schema): Parameter {
	const { description = descriptionOf('', name), 'x-dialect': dialect, 'x-required-in': requiredIn, ...rest } = schema;
	const value = rest.const ?? exampleOf('', name);
	// Of a field with this name in a body, it can be a number.
	const example = rest.type === 'string' && typeof value === 'number' ? String(value) : value;
	return {
		name,
		in: place,
		required,
		description,
		schema: rest,
		example,
		'x-dialect': dialect,
		'x-required-in': requiredIn
	};
}
