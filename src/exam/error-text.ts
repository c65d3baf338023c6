import type { ErrorTextFate } from '#api/exam.ts';
import { errorTextEnd, errorTextStart } from '#api/error-text.ts';
import { decodePercent } from '#lib/percent.ts';
import { htmlTokens, type HtmlTag } from './html-tokens.ts';

const addresses = ['href', 'action', 'formaction', 'src', 'xlink:href', 'data'];

/** What a page did with the description of an error. @param isHtml false: the browser shows its text as it is */
export function errorTextIn(page: string, isHtml: boolean): ErrorTextFate {
	const seen = page.includes(errorTextEnd) ? 'escaped' : page.includes('canary') ? 'cut' : 'absent';
	if (!isHtml || seen === 'absent') return seen;
	for (const token of htmlTokens(page)) {
		if (token.kind === 'start') {
			const fate = fateIn(token);
			if (fate !== undefined) return fate;
		} else if (token.kind === 'text' && token.element === 'script' && leavesString(token.text)) return 'script';
	}
	return seen;
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
		if (key.startsWith('on') && leavesString(value)) return 'script';
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
		const quote = quoteAt(code, at);
		const end = code.indexOf(errorTextEnd, at);
		const text = code.slice(at, end < 0 ? undefined : end);
		if (quote !== '' && text.replace(/\\[^]/g, '').includes(quote)) return true;
	}
	return false;
}

/** The quote of the string that a position is in; empty outside of strings. */
function quoteAt(code: string, position: number): string {
	let quote = '';
	for (let at = 0; at < position; at++) {
		const character = code[at] ?? '';
		if (quote === '') {
			const comment = /^\/(?:\/.*|\*[^]*?\*\/)/.exec(character === '/' ? code.slice(at) : '')?.[0];
			if (comment !== undefined) at += comment.length - 1;
			else if (/["'`]/.test(character)) quote = character;
		} else if (character === '\\') at++;
		else if (character === quote || (character === '\n' && quote !== '`')) quote = '';
	}
	return quote;
}
