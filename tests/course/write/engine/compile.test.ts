import { expect, it } from 'vitest';
import { checkSyntax } from '#course/write/engine/program/check-syntax.ts';
import { compile, SyntaxMistake } from '#course/write/engine/program/compile.ts';

function mistakeIn(source: string): SyntaxMistake {
	try {
		compile(source);
		checkSyntax(source);
	} catch (error) {
		if (error instanceof SyntaxMistake) return error;
		throw error;
	}
	throw new Error('There is no mistake.');
}

it('removes types, turns modules into functions, and keeps the lines', () => {
	const lines = compile(
		"import { config } from './surroundings';\ntype A = string;\nexport const f = (a: A): string =>\n  a + config.id;"
	).split('\n');
	expect(lines).toHaveLength(4);
	expect(lines[3]).toContain('_surroundings.config.id');
});

it.each([
	["fetch('a';", 'A closing parenthesis is missing before the semicolon.', [1, 6, 1]],
	[
		'function f() {\n  if (a) {\n}\n',
		'A closing brace is missing before the end of the program. It is opened in line 1.',
		[1, 14, 4]
	],
	['const a = [1, 2);', 'A closing square bracket is missing before the closing parenthesis.', [1, 11, 1]],
	['f());', 'The closing parenthesis in line 1 has no opening one.', [1]],
	["const a = 'b;\n", 'The text in line 1 has no closing quote.', [1]],
	["const a = {\n  b: 'S256 }\n};\nf(a, 'c');\n", 'The text in line 2 has no closing quote.', [2]],
	['const a = 1;\nconst b = 2;\nconst a = 3;', '“a” is declared before line 3 already. Use another name there.', [3]],
	[
		"import { f } from './tollgate-client';\nfunction g() {\n  return await f();\n}",
		'Line 3 has an await in a function that is not async. Write async before the function.',
		[3]
	],
	['const a = ;', 'Line 1 cannot be read. Something is missing or too much there.', [1]]
])('says in words what is wrong with %j', (source, text, at) => {
	const mistake = mistakeIn(source);
	expect(mistake.message).toBe(text);
	const { line, opened } = mistake;
	expect(opened === undefined ? [line] : [opened.line, opened.column, line]).toEqual(at);
});

it.each([
	'await f();',
	"return1(/'/.test(`a ${f(`it's`)}`));",
	'for (let a = 0; a < 3; a++) {}',
	'const a = /[(]/;',
	'const a = `${f({})}`;',
	"// don't (\nf();",
	"f('(');"
])('accepts %j', (source) => {
	expect(() => compile(source)).not.toThrow();
	expect(() => checkSyntax(source)).not.toThrow();
});
