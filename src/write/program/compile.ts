import { transform } from 'sucrase';
import { unclosedBracket, type Bracket } from './brackets.ts';

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

/**
 * Turns a module of TypeScript into the body of a CommonJS function. Lines keep their numbers.
 * @throws SyntaxMistake
 */
export function compile(source: string): string {
	const bracket = unclosedBracket(source);
	if (bracket !== undefined) throw new SyntaxMistake(bracket.text, bracket.line, bracket.label, bracket.opened);
	try {
		return toFunctionBody(source);
	} catch (error) {
		const { message, line } = placeOf(error);
		throw new SyntaxMistake(inWords(message, line), line, 'cannot be read');
	}
}

function placeOf(error: unknown): { message: string; line: number } {
	const message = error instanceof Error ? error.message : '';
	return {
		message: message.replace(/ \(\d+:\d+\)$/, ''),
		line: Number(/\((\d+):\d+\)$/.exec(message)?.[1] ?? 1)
	};
}

function inWords(message: string, line: number): string {
	const expected = /expected "([^"]+)"/.exec(message)?.[1];
	if (expected !== undefined) return `Line ${line} cannot be read. “${expected}” was expected there.`;
	if (message === 'Unterminated string constant') return `The text in line ${line} has no closing quote.`;
	if (message === 'Unterminated template') return `The template that ends in line ${line} has no closing backtick.`;
	if (message.startsWith('Unexpected token'))
		return `Line ${line} cannot be read. Something is missing or too much there.`;
	return `Line ${line} cannot be read: ${message.charAt(0).toLowerCase()}${message.slice(1)}.`;
}
