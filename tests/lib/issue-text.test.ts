import * as v from 'valibot';
import { expect, test } from 'vitest';
import { issueText } from '#service/control/control-endpoint.ts';
import { newShare } from '#api/control/shares.ts';

function textOf(schema: v.GenericSchema, value: unknown): string | undefined {
	const [issue] = v.safeParse(schema, value).issues ?? [];
	return issue && issueText(issue);
}

test('a check without a message does not say what the library says', () => {
	expect(textOf(v.pipe(v.string(), v.minLength(8)), 'abcd')).toBe('Use at least 8 characters.');
	expect(textOf(v.pipe(v.string(), v.maxLength(1)), 'abcd')).toBe('Use at most 1 character.');
	expect(textOf(v.pipe(v.array(v.number()), v.minLength(1)), [])).toBe('Use at least 1 item.');
	expect(textOf(v.string(), 3)).toBe('Use a text.');
	expect(textOf(v.array(v.string()), 'secret')).toBe('Use a list.');
	expect(textOf(v.picklist(['web', 'installed']), 'secret')).toBe('Use web or installed.');
	expect(textOf(v.strictObject({ a: v.string() }), {})).toBe('This field is required.');
	expect(textOf(v.strictObject({}), { a: 1 })).toBe('There is no such field. Remove it.');
	expect(textOf(v.string('Enter a text.'), 3)).toBe('Enter a text.');
});

test('a short password of a share link is named in words', () => {
	const preset = { format: 'tollgate-preset', version: 1 };
	expect(textOf(newShare, { preset, days: 7, password: 'abcd' })).toBe('Use at least 8 characters.');
});
