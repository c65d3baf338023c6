import type { ErrorTextFate } from '#api/exam.ts';
import { errorTextEnd, errorTextStart } from '#api/error-text.ts';
import { decodePercent } from '#lib/percent.ts';
import { htmlTokens, type HtmlTag } from './html-tokens.ts';

const addresses = ['href', 'action', 'formaction', 'src', 'xlink:href', 'data'];

/** What a page did with the description of an error. @param isHtml false: the browser shows its text as it is */
export function errorTextIn(page: string, isHtml: boolean): ErrorTextFate {
	const seen = page.includes(errorTextEnd) ? 'escaped' : page.includes('canary') ? 'cut' : 'absent';
	if (!isHtml || seen === 'absent') return seen;
	let script = '';
	for (const token of htmlTokens(page)) {
		if (token.kind === 'start') {
			const fate = fateIn(token);
			if (fate !== undefined) return fate;
			script = token.attributes.get('type') ?? '';
		} else if (token.kind === 'text' && token.element === 'script') {
			if (leavesString(token.text)) return 'script';
			const fate = scriptTypes.test(script) ? fateInScript(token.text) : undefined;
			if (fate !== undefined) return fate;
		}
	}
	return seen;
}

/** Types of scripts that a browser runs. */
const scriptTypes = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/i;
/** What in a script takes a string as HTML, right before it. */
const htmlSink =
	/(?:\.(?:inner|outer)HTML\s*\+?=|\bdocument\.write(?:ln)?\(|\.insertAdjacentHTML\(\s*["'`]\w+["'`]\s*,|\.html\(|__html:)\s*$/;

/** What a script does with the description where that ends no string. */
function fateInScript(code: string): ErrorTextFate | undefined {
	for (let at = code.indexOf(errorTextStart); at >= 0; at = code.indexOf(errorTextStart, at + 1)) {
		const end = code.indexOf(errorTextEnd, at);
		if (end < 0) return undefined;
		const [quote, from] = stringAt(code, at);
		const text = code.slice(at, end).replace(/\\(?:u00|x)3c/gi, '<');
		if (quote !== '' && text.includes('<img') && htmlSink.test(code.slice(0, from))) return 'markup';
		// The signs around must be those of code, too.
		const isCode = /(?:^|[=(,[:?|&+;{}])\s*$/.test(code.slice(0, at));
		if (quote === '' && isCode && /^\s*(?:[),;\]}:]|$)/.test(code.slice(end + errorTextEnd.length))) return 'code';
	}
	return undefined;
}

function fateIn({ name, attributes }: HtmlTag): ErrorTextFate | undefined {
	if (name === 'img' && attributes.get('src')?.includes('canary=') === true) return 'tag';
	for (const [key, value] of attributes) {
		if (key === 'onmouseover' && value.startsWith('canary()')) return 'attribute';
		if (addresses.includes(key) && name !== 'img' && value.trim().toLowerCase().startsWith(errorTextStart))
			return 'link';
		if (addresses.includes(key) && leavesString(scriptIn(value))) return 'script';
		// A frame reads this attribute as a separate page.
		const fate = name === 'iframe' && key === 'srcdoc' ? errorTextIn(value, true) : 'escaped';
		if (!['absent', 'cut', 'escaped'].includes(fate)) return fate;
		if (!key.startsWith('on')) continue;
		const inHandler = leavesString(value) ? 'script' : fateInScript(value);
		if (inHandler !== undefined) return inHandler;
	}
	return undefined;
}

/** The program in an address that runs one (HTML, section 7.4.2.3.2); empty in others. */
function scriptIn(address: string): string {
	const [, code = ''] = /^\s*javascript:(.*)$/is.exec(address) ?? [];
	return decodePercent(code, false) ?? code;
}

/** Whether the description ends the string of JavaScript that it is written to. */
function leavesString(code: string): boolean {
	for (let at = code.indexOf(errorTextStart); at >= 0; at = code.indexOf(errorTextStart, at + 1)) {
		const [quote] = stringAt(code, at);
		const end = code.indexOf(errorTextEnd, at);
		const text = code.slice(at, end < 0 ? undefined : end);
		if (quote.trim() !== '' && text.replace(/\\[^]/g, '').includes(quote)) return true;
	}
	return false;
}

const commentAt = /^\/(?:\/.*|\*[^]*?\*\/)/;

/** The regular expression that begins at a slash. After a value, the slash divides. */
const expressionAt = (code: string, at: number): readonly string[] =>
	/(?:^|[=(,:[!&|?{};+]|\breturn)\s*$/.test(code.slice(Math.max(0, at - 100), at))
		? (/^\/(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//.exec(code.slice(at)) ?? [])
		: [];

/** The quote of the string that a position is in, and where that begins; empty outside of strings. In a comment: a space. */
function stringAt(code: string, position: number): readonly [quote: string, from: number] {
	let [quote, from] = ['', 0];
	for (let at = 0; at < position; at++) {
		const character = code[at] ?? '';
		if (quote === '') {
			const [skipped] = character === '/' ? (commentAt.exec(code.slice(at)) ?? expressionAt(code, at)) : [];
			if (skipped !== undefined) at += skipped.length - 1;
			else if (/["'`]/.test(character)) [quote, from] = [character, at];
			if (at >= position) return [' ', at];
		} else if (character === '\\') at++;
		else if (character === quote || (character === '\n' && quote !== '`')) quote = '';
	}
	return [quote, from];
}
