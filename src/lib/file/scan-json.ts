/** A name that an object has twice. A JSON parser takes the last one without a message. */
export type DuplicateName = { readonly place: string; readonly lines: readonly [first: number, second: number] };

/** What a JSON parser does not say, or not in all engines. */
export type JsonScan = {
	/** Why it is not JSON, and where. Repeats no value, which may be a secret. Undefined: it is JSON. */
	readonly mistake?: string;
	readonly duplicates: readonly DuplicateName[];
	/** The line of each part, by its place: `accounts.0.name`. */
	readonly lines: ReadonlyMap<string, number>;
};

/** An object or a list that is not closed yet. */
type Open = {
	readonly close: '}' | ']';
	/** The line of each name so far. */
	readonly names: Map<string, number>;
	/** The name or the index of the current part. */
	part: string | number;
};

/** What can come next. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'separator' | 'end';

/** Parts in deeper objects and lists have no line. */
const deepest = 12;
const spaces = ' \t\n\r';
const delimiters = `${spaces},:{}[]"`;

/** Finds the first mistake of a JSON text, with its line, the names that occur twice, and the lines of all parts. */
export function scanJson(text: string): JsonScan {
	const open: Open[] = [];
	const duplicates: DuplicateName[] = [];
	const lines = new Map<string, number>();
	let expected: Expected = 'value';
	let at = 0;
	let line = 1;
	let lineStart = 0;
	// The schema of a world is less deep, and a place of 50,000 parts is long.
	const addLine = () => open.length <= deepest && lines.set(open.map(({ part }) => part).join('.'), line);
	const mistakeAt = (reason: string) => ({
		mistake: `${reason} in line ${line}, column ${at - lineStart + 1}`,
		duplicates,
		lines
	});
	for (;;) {
		for (; at < text.length && spaces.includes(text.charAt(at)); at++) {
			if (text.charAt(at) !== '\n') continue;
			line++;
			lineStart = at + 1;
		}
		const inner = open.at(-1);
		const char = text.charAt(at);
		const isClose = char === '}' || char === ']';
		if (expected === 'end' && char === '') return { duplicates, lines };
		if (isClose && char === inner?.close && /^(?:first|separator)/.test(expected)) {
			open.pop();
			expected = open.length === 0 ? 'end' : 'separator';
			at++;
		} else if (char === ',' && expected === 'separator' && inner !== undefined) {
			expected = inner.close === '}' ? 'name' : 'value';
			if (typeof inner.part === 'number') inner.part++;
			at++;
		} else if (char === ':' && expected === 'colon') {
			expected = 'value';
			at++;
		} else if (char === '"' && inner !== undefined && /name$/.test(expected)) {
			const end = endOfText(text, at);
			const name = parseScalar(text.slice(at, end));
			if (typeof name !== 'string') return mistakeAt('a name without an end quote, or with a wrong escape sequence,');
			const known = inner.names.get(name);
			inner.part = name;
			if (known !== undefined) duplicates.push({ place: open.map(({ part }) => part).join('.'), lines: [known, line] });
			inner.names.set(name, known ?? line);
			addLine();
			expected = 'colon';
			at = end;
		} else if ((char === '{' || char === '[') && /value$/.test(expected)) {
			if (typeof inner?.part === 'number') addLine();
			open.push({ close: char === '{' ? '}' : ']', names: new Map(), part: char === '{' ? '' : 0 });
			expected = char === '{' ? 'first name' : 'first value';
			at++;
		} else if (/value$/.test(expected) && char !== '' && !',:}]'.includes(char)) {
			const end = char === '"' ? endOfText(text, at) : endOfWord(text, at);
			if (parseScalar(text.slice(at, end)) === undefined)
				return mistakeAt(
					char === '"'
						? 'a text without an end quote, or with a line break or a wrong escape sequence,'
						: 'a value that is no text in double quotes, number, true, false or null'
				);
			if (typeof inner?.part === 'number') addLine();
			expected = open.length === 0 ? 'end' : 'separator';
			at = end;
		} else if (isClose && (expected === 'name' || (expected === 'value' && inner?.close === ']')))
			return mistakeAt(`a comma before ${char}`);
		else return mistakeAt(`no ${describe(expected, inner)}`);
	}
}

/** The words for what is missing. */
function describe(expected: Expected, inner: Open | undefined): string {
	switch (expected) {
		case 'separator':
			return `comma or ${inner?.close ?? ''}`;
		case 'first value':
			return 'value or ]';
		case 'first name':
			return 'name in double quotes or }';
		case 'name':
			return 'name in double quotes';
		default:
			return expected;
	}
}

/** The position after the text in double quotes that starts at `from`. */
function endOfText(text: string, from: number): number {
	let at = from + 1;
	while (at < text.length && text.charAt(at) !== '"' && text.charAt(at) !== '\n')
		at += text.charAt(at) === '\\' ? 2 : 1;
	return at + 1;
}

function endOfWord(text: string, from: number): number {
	let at = from;
	while (at < text.length && !delimiters.includes(text.charAt(at))) at++;
	return at;
}

/** Undefined: it is not JSON. */
function parseScalar(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
