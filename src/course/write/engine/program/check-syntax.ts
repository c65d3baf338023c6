import { parse } from 'acorn';
import { mistakeOf, withoutTypes } from './compile.ts';

/**
 * Finds the place of a mistake that only the engine noticed, and that the engine reports in generated code. Loaded for such programs only:
 * the parser is as large as a third of the editor.
 * @throws SyntaxMistake
 */
export function checkSyntax(source: string): void {
	try {
		parse(withoutTypes(source), { ecmaVersion: 'latest', sourceType: 'module' });
	} catch (error) {
		throw mistakeOf(source, error);
	}
}
