/** A bracket in a program. Numbers from 1. */
export type Bracket = { readonly sign: string; readonly line: number; readonly column: number };

/** A bracket without its partner. */
export type UnclosedBracket = {
	/** One or two sentences. */
	readonly text: string;
	/** In a few words. */
	readonly label: string;
	/** The line where it was noticed. */
	readonly line: number;
	/** The bracket that is open there. */
	readonly opened?: Bracket;
};

const partners: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const names: Readonly<Record<string, string>> = {
	'(': 'parenthesis',
	')': 'parenthesis',
	'[': 'square bracket',
	']': 'square bracket',
	'{': 'brace',
	'}': 'brace'
};

/** Comments, texts, regular expressions behind an operator, brackets, semicolons and line ends. */
const token =
	/\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*|[()[\]{};\n]/g;

/** The first line with a text that is not closed in it. Undefined where each is. */
export function openTextLine(source: string): number | undefined {
	const quote = [...source.matchAll(new RegExp(`${token.source}|['"]`, 'g'))].find(({ 0: text }) =>
		/^['"]$/.test(text)
	);
	return quote && source.slice(0, quote.index).split('\n').length;
}

/**
 * The first bracket of a program without a partner. A parser reports the place where it noticed, which is often far away.
 * @returns undefined where all are closed
 */
export function unclosedBracket(source: string): UnclosedBracket | undefined {
	const open: Bracket[] = [];
	let line = 1;
	for (const { 0: text, index } of source.matchAll(token)) {
		const last = open.at(-1);
		if (text in partners) open.push({ sign: text, line, column: index - source.lastIndexOf('\n', index - 1) });
		else if (text === ';' && last?.sign === '(' && !isFor(source, last)) return missing(last, line, 'the semicolon');
		else if (/^[)\]}]$/.test(text)) {
			if (last === undefined)
				return {
					text: `The closing ${names[text]} in line ${line} has no opening one.`,
					label: `${text} has no partner`,
					line
				};
			if (partners[last.sign] !== text) return missing(last, line, `the closing ${names[text]}`);
			open.pop();
		}
		line += text.split('\n').length - 1;
	}
	const last = open.at(-1);
	return last && missing(last, line, 'the end of the program');
}

/** Whether a parenthesis is that of a `for` loop, which has semicolons. */
function isFor(source: string, { line }: Bracket): boolean {
	return /\bfor\s*(await\s*)?\(/.test(source.split('\n')[line - 1] ?? '');
}

function missing(opened: Bracket, line: number, before: string): UnclosedBracket {
	const { sign } = opened;
	const where = opened.line === line ? '' : ` It is opened in line ${opened.line}.`;
	return {
		text: `A closing ${names[sign]} is missing before ${before}.${where}`,
		label: `${partners[sign]} is missing`,
		line,
		opened
	};
}
