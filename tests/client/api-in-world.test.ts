import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { apiInWorld } from '#client/api-in-world.ts';
import type { World } from '#client/world.ts';
import { withArticle } from '#client/words.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { operationIn } from '#features/docs/words-of-operation.ts';
import { openApi } from '#service/openapi/document.ts';
import { readWorld } from '#service/world/read-world.ts';
import { toPublicWorld } from '#service/world/world.ts';
import { demoWorld } from './demo-world.ts';
import bank from '../worlds/bank.json' with { type: 'json' };
import hospital from '../worlds/hospital.json' with { type: 'json' };

const document = JSON.stringify(openApi);
const foreign = /guild|Cartographer|astrolabe|\brace\b|biography|\b(?:a|the|no|your|own) characters?\b(?! `a-z)/gi;
const worldOf = (file: object): World => toPublicWorld(readWorld(file, { digest: (text) => text }));

test.each([
	[bank, 'account'],
	[hospital, 'record']
])('the OpenAPI document of $brand.name has the fields and the noun of its resources', async (file, path) => {
	const text = apiInWorld(document, worldOf(file));
	expect(text.match(foreign) ?? []).toEqual([]);
	const parts = [`"/ws/v2.0/${path}/{character_name}"`, `"summary":"Read ${withArticle(file.resource.singular)}"`];
	const fields = Object.entries(file.resource.fields).map(([name, label]) => `"${name}":{"description":"${label}.`);
	for (const part of [...parts, ...fields]) expect(text.includes(part), part).toBe(true);
	const parsed: unknown = JSON.parse(text);
	expect((await new Validator().validate({ ...Object(parsed) })).valid).toBe(true);
});

test('the demo world keeps its document', () => {
	expect(apiInWorld(document, demoWorld) === document).toBe(true);
});

test('the API reference shows the fields of a world, with markup in labels as text', async () => {
	const labels = { ...bank.resource, fields: { type: '<img src=x>' } };
	const world = worldOf({ ...bank, resource: labels });
	const blocks = (await loadDocPage('api'))?.blocks ?? [];
	const operations = blocks.flatMap((block) => (block.kind === 'operation' ? operationIn(world, block.operation) : []));
	const [response] = operations.find(({ id }) => id === 'character')?.responses ?? [];
	expect(response?.fields.map(({ name }) => name)).toEqual(['name', 'type', 'balance']);
	expect(response?.fields[1]?.description).toBe('&lt;img src=x&gt;. Needs <code>accounts.read</code>.');
	expect(JSON.parse(response?.example ?? '')).toEqual({ name: 'DK50 0040', type: '…', balance: '…' });
});
