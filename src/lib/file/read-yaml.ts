import { isAlias, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { shortPlace, type ReadJson } from './read-json.ts';

/** The content of a YAML text, and the lines of its parts, by their places: `steps.0.text`. */
export type ReadYaml = ReadJson & { readonly lines: ReadonlyMap<string, number> };

/** Reads a YAML text. A name that occurs twice, an alias and a tag are mistakes: a file says what it means, and stays as small as it looks. */
export function readYaml(text: string): ReadYaml {
	try {
		return read(text);
	} catch (thrown) {
		if (!(thrown instanceof RangeError)) throw thrown;
		return { reason: 'It is nested too deeply.', lines: new Map() };
	}
}

/** @throws {RangeError} where the text is nested more deeply than the stack of calls */
function read(text: string): ReadYaml {
	const counter = new LineCounter();
	const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, version: '1.2', merge: false });
	const lines = new Map<string, number>();
	const [error] = [...document.errors, ...document.warnings];
	const at = (offset: number) => counter.linePos(offset).line;
	if (error !== undefined)
		return { reason: `It is not YAML: ${error.message.split('\n')[0] ?? ''} (line ${at(error.pos[0])})`, lines };
	let alias: number | undefined;
	visit(document, {
		Alias: (_, node) => void (alias ??= node.range?.[0]),
		Pair(_, pair, path) {
			if (isScalar(pair.key) && pair.key.range) lines.set(placeOf([...path, pair]), at(pair.key.range[0]));
		},
		Node(_, node, path) {
			const place = placeOf([...path, node]);
			if (!isAlias(node) && node.range && !lines.has(place)) lines.set(place, at(node.range[0]));
		}
	});
	if (alias !== undefined) return { reason: `It has an alias in line ${at(alias)}. Write the value itself.`, lines };
	return { content: document.toJS(), mistakes: [], lines };
}

/** The path of the last of these nodes in the document. */
function placeOf(path: readonly unknown[]): string {
	return shortPlace(
		path
			.flatMap((node, index) => {
				const parent = path[index - 1];
				if (typeof node === 'object' && node !== null && 'key' in node && isScalar(node.key))
					return String(node.key.value);
				const items = isNode(parent) && 'items' in parent && Array.isArray(parent.items) ? parent.items : [];
				return isNode(node) && items.includes(node) ? String(items.indexOf(node)) : [];
			})
			.join('.')
	);
}
