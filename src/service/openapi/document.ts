import * as accounts from '#api/control/accounts.ts';
import * as applications from '#api/control/applications.ts';
import * as blacklist from '#api/control/blacklist.ts';
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
import * as ownerKeys from '#api/control/owner-keys.ts';
import * as shares from '#api/control/shares.ts';
import * as status from '#api/control/status.ts';
import * as world from '#api/control/world.ts';
import * as guide from '#api/world/guide.ts';
import { tags } from '#api/declare.ts';
import * as account from '#api/protocol/account.ts';
import * as authorization from '#api/protocol/authorization.ts';
import * as character from '#api/protocol/character.ts';
import * as openid from '#api/protocol/openid.ts';
import * as records from '#api/protocol/records.ts';
import * as rateLimits from '#api/protocol/rate-limits.ts';
import * as standard from '#api/protocol/standard.ts';
import * as token from '#api/protocol/token.ts';
import type { OpenApi, OperationObject, Parameter, PathItem } from './document-types.ts';
import { createExample } from './examples.ts';
import { descriptionOf, exampleOf } from './field-descriptions.ts';
import { referenceName, SchemaConverter, type Schema } from './json-schema.ts';
import { describeResponses } from './operation-responses.ts';
import { operations, type Operation } from './operations.ts';
import { referencedSchemas } from './sandbox-document.ts';
import { describeSecurity, securitySchemes } from './security.ts';

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
