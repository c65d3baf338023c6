import { stringify } from 'yaml';
import { describe, expect, it } from 'vitest';
import { readYaml } from '#lib/file/read-yaml.ts';
import { checkLessonFile, isYaml, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import { text, valid } from './files.ts';

const yaml = stringify(valid);
const check = (file: string) => {
	const checked = checkLessonFile(file, readYaml);
	return 'mistakes' in checked ? checked.mistakes.map(mistakeText) : checked.file;
};

describe('a lesson file in YAML', () => {
	it('says the same as one in JSON, which stays valid', () => {
		expect(check(yaml)).toEqual(valid);
		expect(check(text(valid))).toEqual(valid);
		expect([isYaml(yaml), isYaml(text(valid)), isYaml(' [')]).toEqual([true, false, false]);
	});

	it('has the lines of its mistakes', () => {
		const line = (part: string) => yaml.slice(0, yaml.indexOf(part)).split('\n').length;
		expect(check(yaml.replace('kind: code_exchanged', 'kind: code_swapped'))).toEqual([
			expect.stringMatching(`^line ${line('kind: code_exchanged')}, steps.0.conditions.0.shows.kind: Use a kind`)
		]);
		expect(check(yaml.replace('minutes: 10', 'minutes: 0'))).toEqual([
			`line ${line('minutes: 10')}, minutes: Enter a whole number from 1 to 120.`
		]);
	});

	it.each([
		['no YAML', 'format: [', /^It is not YAML: .* \(line 1\)$/],
		['a name twice', `${yaml}\nminutes: 3\n`, /^It is not YAML: Map keys must be unique/],
		[
			'aliases, which could grow to any size',
			'a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]',
			/^It has an alias in line 2/
		],
		['a tag', 'format: !!js/function "x"', /^It is not YAML: Unresolved tag/],
		['a text', 'tollgate-lesson', /^It has no fields/],
		['20,000 levels', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /^It is (?:nested too deeply|not YAML)/],
		['a prototype', `${yaml}\n__proto__: { isAdmin: true }\n`, /__proto__: The name "__proto__" is reserved/]
	])('is rejected with %s', (_, file, reason) => {
		expect(check(file)).toEqual([expect.stringMatching(reason)]);
	});
});
