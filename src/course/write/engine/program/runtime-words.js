// How values and errors of a program are shown: the errors of an engine in the same words in each browser. Evaluated as a text, like `runtime.js`.

(function defineWords() {
	const maxText = 10_000;

	/** @param {unknown} value */
	function describe(value, depth = 0) {
		if (typeof value === 'string') return depth === 0 ? value : `'${value}'`;
		if (typeof value === 'function') return `[function ${value.name}]`;
		if (typeof value !== 'object' || value === null) return String(value);
		if (value instanceof Error) return `${value.name}: ${inOwnWords(value)}`;
		if (value instanceof URL) return value.href;
		if (value instanceof Response) return `Response { status: ${value.status} }`;
		if (depth > 3) return '…';
		/** @type {string[]} */
		const parts = [];
		const entries =
			value instanceof Map || value instanceof Headers || value instanceof URLSearchParams
				? [...value]
				: Object.entries(value);
		for (const [name, one] of entries.slice(0, 50))
			parts.push(Array.isArray(value) ? describe(one, depth + 1) : `${name}: ${describe(one, depth + 1)}`);
		if (Array.isArray(value)) return `[${parts.join(', ')}]`;
		return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
	}

	/** @param {unknown} value */
	function describeShort(value) {
		try {
			return describe(value).slice(0, maxText);
		} catch {
			return '[object]';
		}
	}

	/** A copy without functions, or undefined if there is none. @param {unknown} value */
	function copyOf(value) {
		if (value instanceof URL) return value.href;
		try {
			return structuredClone(value);
		} catch {
			try {
				/** @type {unknown} */
				const copy = JSON.parse(JSON.stringify(value));
				return copy;
			} catch {
				return undefined;
			}
		}
	}

	/** @param {Error} error */
	function inOwnWords({ name, message }) {
		// The names that the compiler gives to modules.
		const said = message
			.replace(/\(0\s*,\s*(_\w+\.\w+)\)/g, '$1')
			.replace(/\b_(?:surroundings|tollgateclient|oauth4webapi)\d*\./g, '');
		if (!/^(?:Type|Reference|Syntax|Range|Internal)Error$/.test(name)) return said;
		/** @type {readonly (readonly [RegExp, string])[]} */
		const words = [
			[
				/^Cannot read properties of (undefined|null) \(reading '(.+)'\)$/,
				'“$2” cannot be read, because the value is $1.'
			],
			[
				/^Cannot set properties of (undefined|null) \(setting '(.+)'\)$/,
				'“$2” cannot be set, because the value is $1.'
			],
			[
				/^Cannot destructure property '(.+?)' of .* as it is (undefined|null)\.?$/,
				'“$1” cannot be read, because the value is $2.'
			],
			[/^can't access property "(.+?)", .* is (undefined|null)$/, '“$1” cannot be read, because the value is $2.'],
			[
				/^(undefined|null) is not an object \(evaluating '.*\.(\w+)'\)$/,
				'“$2” cannot be read, because the value is $1.'
			],
			[/^(undefined|null) has no properties$/, 'The value is $1, so nothing can be read from it.'],
			[/^.* is (undefined|null)$/, 'The value is $1, so nothing can be read from it.'],
			[
				/^Right side of assignment cannot be destructured$/,
				'The value is undefined or null, so nothing can be read from it.'
			],
			[/^(\S+) is not a function\b.*$/, '“$1” is not a function.'],
			[/^(?:Can't find variable: (\S+)|(\S+) is not defined)$/, 'There is no “$1$2” here.'],
			[
				/^(?:Cannot access|can't access lexical declaration) '(.+?)' before initialization$/,
				'“$1” is used before its declaration.'
			],
			[
				/^(?:Assignment to constant variable\.|invalid assignment to const .*)$/,
				'A constant cannot get another value.'
			],
			[/^.*(?:is not valid JSON|JSON\.parse|JSON Parse error|end of JSON input).*$/, 'The text is not JSON.'],
			[
				/^.*(?:body stream already read|already been (?:consumed|read)|disturbed or locked|Body is unusable).*$/,
				'The body of the response was read before.'
			],
			[/^(?:Maximum call stack size exceeded\.?|too much recursion)$/, 'A function calls itself without an end.']
		];
		const found = words.find(([pattern]) => pattern.test(said));
		return found === undefined ? said : said.replace(...found);
	}

	return { maxText, copyOf, describeShort, inOwnWords };
})();
