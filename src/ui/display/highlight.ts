/** Kind of a piece of code, for its color. */
export type Kind = 'plain' | 'name' | 'text' | 'number' | 'word' | 'mark' | 'quiet';
export type Token = { readonly kind: Kind; readonly text: string };
export type Language = 'http' | 'json' | 'xml' | 'form' | 'shell' | 'ts' | 'text';

type Rule = readonly [pattern: RegExp, kind: Kind];

const rules: Record<Exclude<Language, 'http' | 'text'>, readonly Rule[]> = {
	json: [
		[/"(?:[^"\\]|\\.)*"(?=\s*:)/y, 'name'],
		[/"(?:[^"\\]|\\.)*"/y, 'text'],
		[/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y, 'number'],
		[/\b(?:true|false|null)\b/y, 'word'],
		[/[{}[\]:,]/y, 'mark']
	],
	xml: [
		[/<!--[^]*?-->|<\?[^]*?\?>/y, 'quiet'],
		[/<\/?[\w:.-]+|\/?>/y, 'word'],
		[/[\w:.-]+(?==["'])/y, 'name'],
		[/(?<==)(?:"[^"]*"|'[^']*')/y, 'text']
	],
	form: [
		[/(?<=^|[?&]|\n)[^=&?\s]+(?==)/y, 'name'],
		[/(?<==)[^&\s]+/y, 'text'],
		[/[?&=]/y, 'mark']
	],
	shell: [
		[/(?<=^|\s)#[^\n]*/y, 'quiet'],
		[/'[^']*'|"(?:[^"\\]|\\.)*"/y, 'text'],
		[/(?<=^|[\n|;(]\s*)(?:curl|npm|npx|node|export|open)(?=\s|$)/y, 'word'],
		[/(?<=\s)--?[\w-]+/y, 'name'],
		[/\$\{?\w+\}?/y, 'number'],
		[/[\\|&;]/y, 'mark']
	],
	ts: [
		[/\/\/[^\n]*|\/\*[^]*?\*\//y, 'quiet'],
		[/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/y, 'text'],
		[
			/\b(?:import|from|export|const|let|function|async|await|return|new|if|else|for|of|throw|try|catch|type|typeof|void|true|false|null|undefined)\b/y,
			'word'
		],
		[/\b\d[\d_]*(?:\.\d+)?\b/y, 'number'],
		[/[\p{L}_$][\p{L}\d_$]*(?=\s*:)/uy, 'name'],
		[/[\p{L}_$][\p{L}\d_$]*/uy, 'plain'],
		[/[{}[\]();,.=<>|&?:]/y, 'mark']
	]
};

/**
 * Splits code into tokens for coloring. Unknown text stays plain. The tokens together are always the input.
 * @param code any text
 * @param language `http` colors the start line and the headers, and the body by its Content-Type
 */
export function highlight(code: string, language: Language): Token[] {
	if (language === 'text') return [{ kind: 'plain', text: code }];
	return language === 'http' ? message(code) : scan(code, rules[language]);
}

function scan(code: string, list: readonly Rule[]): Token[] {
	const tokens: Token[] = [];
	let plain = 0;
	let at = 0;
	while (at < code.length) {
		const hit = match(code, at, list);
		if (hit === undefined) {
			at += 1;
			continue;
		}
		if (plain < at) tokens.push({ kind: 'plain', text: code.slice(plain, at) });
		tokens.push(hit);
		at += hit.text.length;
		plain = at;
	}
	if (plain < at) tokens.push({ kind: 'plain', text: code.slice(plain) });
	return tokens;
}

function match(code: string, at: number, list: readonly Rule[]): Token | undefined {
	for (const [pattern, kind] of list) {
		pattern.lastIndex = at;
		const text = pattern.exec(code)?.[0];
		if (text) return { kind, text };
	}
	return undefined;
}

function message(code: string): Token[] {
	const gap = /\r?\n\r?\n/.exec(code);
	const head = gap === null ? code : code.slice(0, gap.index);
	const tokens = head.split(/(?<=\n)/).flatMap((line, index) => (index === 0 ? startLine(line) : header(line)));
	if (gap === null) return tokens;
	const body = code.slice(gap.index + gap[0].length);
	return [...tokens, { kind: 'plain', text: gap[0] }, ...highlight(body, languageOf(head, body))];
}

function startLine(line: string): Token[] {
	const [, first = '', rest = ''] = /^(\S*)([^]*)$/.exec(line) ?? [];
	return [
		{ kind: 'word', text: first },
		...(first.startsWith('HTTP/') ? scan(rest, [[/\d{3}/y, 'number']]) : scan(rest, rules.form))
	];
}

function header(line: string): Token[] {
	const colon = line.indexOf(':');
	if (colon < 1) return [{ kind: 'plain', text: line }];
	return [
		{ kind: 'name', text: line.slice(0, colon) },
		{ kind: 'mark', text: ':' },
		{ kind: 'text', text: line.slice(colon + 1) }
	];
}

function languageOf(head: string, body: string): Language {
	const type = /^content-type:\s*(\S+)/im.exec(head)?.[1]?.toLowerCase() ?? '';
	if (type.includes('json') || /^\s*[{[]/.test(body)) return 'json';
	if (type.includes('xml') || type.includes('html') || /^\s*</.test(body)) return 'xml';
	return type.includes('urlencoded') ? 'form' : 'text';
}
