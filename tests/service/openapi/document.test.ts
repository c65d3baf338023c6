import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import type { Content } from '#service/openapi/json-schema.ts';
import { openApi } from '#service/openapi/document.ts';
import { describedFields } from '#service/openapi/field-descriptions.ts';
import { createTestService } from '../test-service.ts';
import { DocumentSchemas } from '../../conformance/openapi/document-schemas.ts';

const all = Object.entries(openApi.paths).flatMap(([path, item]) =>
	Object.entries(item).map(([method, operation]) => ({ path, method, ...operation }))
);

it('is valid OpenAPI 3.1', async () => {
	const result = await new Validator().validate(structuredClone({ ...openApi }));
	expect(result.errors ?? []).toEqual([]);
	expect(result.valid).toBe(true);
});

it('names each operation once', () => {
	expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
});

it('has examples that fit their schemas', () => {
	const schemas = new DocumentSchemas(openApi);
	for (const { path, method, requestBody, responses } of all) {
		const check = (content: Content = {}, ...place: string[]) => {
			for (const [type, { example }] of Object.entries(content)) {
				if (example === undefined) continue;
				const wrong = schemas.check(['paths', path, method, ...place, 'content', type, 'schema'], example);
				expect.soft(wrong, `${method} ${path} ${place.join(' ')}: ${JSON.stringify(example)}`).toBeUndefined();
			}
		};
		check(requestBody?.content, 'requestBody');
		for (const [status, { content }] of Object.entries(responses)) check(content, 'responses', status);
	}
});

it('describes every field', () => {
	const missing: string[] = [];
	const visit = (value: unknown, place: string): void => {
		if (typeof value !== 'object' || value === null) return;
		for (const [name, one] of Object.entries(value)) {
			if (name === 'properties' && typeof one === 'object' && one !== null) {
				for (const [field, schema] of Object.entries(one)) {
					if (typeof schema !== 'object' || schema === null || 'description' in schema) continue;
					missing.push(`${place}.${field}`);
				}
			}
			visit(one, place);
		}
	};
	for (const [name, schema] of Object.entries(openApi.components.schemas)) visit(schema, name);
	for (const { operationId, parameters = [] } of all) {
		for (const { name, description } of parameters)
			if (description === undefined) missing.push(`${operationId} ${name}`);
	}
	expect(missing).toEqual([]);
	const text = JSON.stringify(openApi);
	expect(describedFields.filter((name) => !text.includes(`"${name.split('.').at(-1) ?? ''}"`))).toEqual([]);
});

it('allows as many redirect URIs as the service', async () => {
	const at = await createTestService().sandbox();
	const schemas = new DocumentSchemas(openApi);
	const place = ['paths', '/control/applications', 'post', 'requestBody', 'content', 'application/json', 'schema'];
	for (const [count, status] of [
		[10, 201],
		[11, 400]
	] as const) {
		const redirect_uris = Array.from({ length: count }, (_, index) => `https://x.example/${index}`);
		const body = { name: 'x', kind: 'web', redirect_uris };
		expect((await at.control('POST', 'applications', body)).status).toBe(status);
		expect(schemas.check(place, body) === undefined, `${count} redirect URIs`).toBe(status === 201);
	}
});
