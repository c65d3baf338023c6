/** Kind of a piece of code, for its color. */
export type Kind = 'plain' | 'name' | 'text' | 'number' | 'word' | 'mark' | 'quiet';
/** `start`: where it begins in the code. */
export type Token = { readonly kind: Kind; readonly text: string; readonly start: number };
export type Language = 'json' | 'xml' | 'shell' | 'ts' | 'python' | 'text';

type Rule = readonly [pattern: RegExp, kind: Kind];

const rules: Record<Exclude<Language, 'text'>, readonly Rule[]> = {
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
			/\b(?:import|from|export|const|let|async|await|return|new|if|else|for|of|throw|try|catch|type|typeof|void|true|false|null|undefined|package|func|var|struct|defer|range|nil|using|static|string|function|echo|exit|out|private|public)\b/y,
			'word'
		],
		[/\b\d[\d_]*(?:\.\d+)?\b/y, 'number'],
		[/[\p{L}_$][\p{L}\d_$]*(?=\s*:)/uy, 'name'],
		[/[\p{L}_$][\p{L}\d_$]*/uy, 'plain'],
		[/[{}[\]();,.=<>|&?:]/y, 'mark']
	],
	python: [
		[/#[^\n]*/y, 'quiet'],
		[/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y, 'text'],
		[
			/\b(?:import|from|def|class|return|if|elif|else|end|for|in|unless|raise|abort|require|not|and|or|do|nil|None|True|False)\b/y,
			'word'
		],
		[/\b\d[\d_]*(?:\.\d+)?\b/y, 'number'],
		[/[\p{L}_$][\p{L}\d_$]*/uy, 'plain'],
		[/[{}[\]();,.=<>|&?:]/y, 'mark']
	]
};

/**
 * Splits code into tokens for coloring. Unknown text stays plain. The tokens together are always the input.
 * @param code any text
 */
export function highlight(code: string, language: Language): Token[] {
	const list = language === 'text' ? [] : rules[language];
	const tokens: Token[] = [];
	let plain = 0;
	let at = 0;
	while (at < code.length) {
		const hit = match(code, at, list);
		if (hit === undefined) {
			at += 1;
			continue;
		}
		if (plain < at) tokens.push({ kind: 'plain', text: code.slice(plain, at), start: plain });
		tokens.push(hit);
		at += hit.text.length;
		plain = at;
	}
	if (plain < at) tokens.push({ kind: 'plain', text: code.slice(plain), start: plain });
	return tokens;
}

function match(code: string, at: number, list: readonly Rule[]): Token | undefined {
	for (const [pattern, kind] of list) {
		pattern.lastIndex = at;
		const text = pattern.exec(code)?.[0];
		if (text) return { kind, text, start: at };
	}
	return undefined;
}
