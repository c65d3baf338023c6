import { toJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format } from 'oxfmt';
import { expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { observation, same } from '#evidence/lesson-file/observations.ts';
import { relations } from '#evidence/lesson-file/relate-observations.ts';
import { valid } from './files.ts';

const schema = {
	...toJsonSchema(lessonFile, {
		target: 'draft-2020-12',
		// The last schema of a pipe says more than the first.
		typeMode: 'output',
		// What only code can check is left out.
		errorMode: 'ignore',
		definitions: { observation, same }
	}),
	title: 'Tollgate lesson file'
};

it('the published schema is that of the code (vitest -u writes it)', async () => {
	const { code } = await format('lesson.schema.json', JSON.stringify(schema), { useTabs: true, printWidth: 120 });
	await expect(code).toMatchFileSnapshot('../../../static/lesson.schema.json');
});

it('accepts a lesson, and rejects an unknown field', () => {
	const validate = new Ajv2020({ strict: false }).compile(Object.fromEntries(Object.entries(schema)));
	expect(validate(valid), JSON.stringify(validate.errors)).toBe(true);
	expect(validate({ ...valid, titel: 'A' })).toBe(false);
});

it('names all rules of the exam, and all relations', () => {
	const rule = observation.options.find(({ entries }) => 'rule' in entries);
	expect(rule && 'rule' in rule.entries && rule.entries.rule.options).toEqual(allRules.map(({ id }) => id));
	for (const { entries } of observation.options)
		expect(Object.keys(entries.same.wrapped.entries)).toEqual([...relations]);
});
