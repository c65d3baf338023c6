import { toJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import demo from '#service/world/demo-world.json' with { type: 'json' };
import { worldFile } from '#api/world/world-file.ts';
import { fieldValue } from '#api/world/world-fields.ts';
import partner from '../../static/partner-world.json' with { type: 'json' };

const schema = {
	...toJsonSchema(worldFile, {
		target: 'draft-2020-12',
		// The last schema of a pipe says more than the first.
		typeMode: 'output',
		// What only code can check is left out.
		errorMode: 'ignore',
		definitions: { fieldValue }
	}),
	title: 'Tollgate world file'
};

it('the published schema is that of the code (vitest -u writes it)', async () => {
	const { code } = await format('world.schema.json', JSON.stringify(schema), { useTabs: true, printWidth: 120 });
	await expect(code).toMatchFileSnapshot('../../static/world.schema.json');
});

it('accepts the demo world and the example, and rejects an unknown field', () => {
	const validate = new Ajv2020({ strict: false }).compile(Object.fromEntries(Object.entries(schema)));
	for (const world of [demo, partner]) expect(validate(world), JSON.stringify(validate.errors)).toBe(true);
	expect(validate({ ...demo, characers: [] })).toBe(false);
	expect(validate({ ...demo, characters: [{ name: 'A', player: 'b', fields: { a: null } }] })).toBe(false);
});
