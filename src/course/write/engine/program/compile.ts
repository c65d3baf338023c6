import { transform } from 'sucrase';
import { openTextLine, unclosedBracket, type Bracket } from './brackets.ts';

/** A mistake in the text of a program, found before it runs. */
export class SyntaxMistake extends Error {
	override name = 'SyntaxMistake';

	/**
	 * @param message one or two sentences
	 * @param line where it was noticed, from 1
	 * @param label in a few words
	 * @param opened the bracket that is open there
	 */
	constructor(
		message: string,
		readonly line: number,
		readonly label: string,
		readonly opened?: Bracket
	) {
		super(message);
	}
}

/** Turns a module of ours, which has no mistakes, into the body of a CommonJS function. */
export function toFunctionBody(source: string): string {
	return transform(source, {
		transforms: ['typescript', 'imports'],
		production: true,
		disableESTransforms: true,
		preserveDynamicImport: true
	}).code;
}

/** A module of TypeScript without its types. Lines keep their numbers. */
export function withoutTypes(source: string): string {
	return transform(source, { transforms: ['typescript'], production: true, disableESTransforms: true }).code;
}

/**
 * Turns a module of TypeScript into the body of a CommonJS function. Lines keep their numbers. What removes the types lets some mistakes
 * through, which the engine meets: see `checkSyntax`.
 * @throws SyntaxMistake
 */
export function compile(source: string): string {
	try {
		return toFunctionBody(source);
	} catch (error) {
		throw mistakeOf(source, error);
	}
}

/** What is wrong with a program, in our own words. @param error of a parser, with a place */
export function mistakeOf(source: string, error: unknown): SyntaxMistake {
	const { message, line } = placeOf(error);
	const quote = openTextLine(source);
	if (quote !== undefined && quote <= line)
		return new SyntaxMistake(`The text in line ${quote} has no closing quote.`, quote, 'a quote is missing');
	const bracket = unclosedBracket(source);
	if (bracket !== undefined) return new SyntaxMistake(bracket.text, bracket.line, bracket.label, bracket.opened);
	return new SyntaxMistake(inWords(message, line), line, 'cannot be read');
}

function placeOf(error: unknown): { message: string; line: number } {
	const message = error instanceof Error ? error.message : '';
	return {
		message: message.replace(/ \(\d+:\d+\)$/, ''),
		line: Number(/\((\d+):\d+\)$/.exec(message)?.[1] ?? 1)
	};
}

function inWords(message: string, line: number): string {
	const twice = /^Identifier '(.+)' has already been declared/.exec(message)?.[1];
	if (twice !== undefined) return `“${twice}” is declared before line ${line} already. Use another name there.`;
	if (/\bawait\b/.test(message))
		return `Line ${line} has an await in a function that is not async. Write async before the function.`;
	const expected = /expected "([^"]+)"/.exec(message)?.[1];
	if (expected !== undefined) return `Line ${line} cannot be read. “${expected}” was expected there.`;
	if (message === 'Unterminated string constant') return `The text in line ${line} has no closing quote.`;
	if (message === 'Unterminated template') return `The template that ends in line ${line} has no closing backtick.`;
	if (message.startsWith('Unexpected token'))
		return `Line ${line} cannot be read. Something is missing or too much there.`;
	return `Line ${line} cannot be read: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}
