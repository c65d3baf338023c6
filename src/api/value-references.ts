import type { TrafficEntry } from './control/traffic.ts';
import { hidden } from './redact.ts';

/** The kinds of values that have a label. */
export const valueKinds = [
	'code',
	'state',
	'code verifier',
	'access token',
	'refresh token',
	'token',
	'client secret',
	'interaction',
	'CSRF token',
	'device code',
	'user code',
	'request URI'
] as const;
export type ValueKind = (typeof valueKinds)[number];

/** Those that a file of another provider has besides. */
const foreignKinds = 'nonce|ID token|assertion|request URI|session|email|user|subject';

const valueLabel = new RegExp(`^(?:${valueKinds.join('|')}|${foreignKinds}) \\d+$`);

/** Whether a text is the label of a value: `code 3`. An exported file can contain others. */
export function isValueLabel(text: string): boolean {
	return valueLabel.test(text);
}

/** How many references an entry can have. A request could otherwise repeat one value thousands of times. */
const maxReferences = 200;

export type UnreferencedEntry = Omit<TrafficEntry, 'references'>;

/**
 * Changes each text of the messages and the trace. Headers and lines without a change are those of the entry.
 * @param change returns the new text; `pointer` is its JSON Pointer (RFC 6901)
 */
export function mapTexts(
	entry: UnreferencedEntry,
	change: (text: string, pointer: string) => string
): UnreferencedEntry {
	const { request, response, trace } = entry;
	const headersOf = (message: 'request' | 'response', headers: TrafficEntry['request']['headers']) =>
		headers.map((header, at): readonly [string, string] => {
			const pointer = `/${message}/headers/${at}`;
			const [name, value] = [change(header[0], `${pointer}/0`), change(header[1], `${pointer}/1`)];
			return name === header[0] && value === header[1] ? header : [name, value];
		});
	return {
		...entry,
		request: {
			method: change(request.method, '/request/method'),
			target: change(request.target, '/request/target'),
			headers: headersOf('request', request.headers),
			body: change(request.body, '/request/body')
		},
		response: response && {
			status: response.status,
			headers: headersOf('response', response.headers),
			body: change(response.body, '/response/body')
		},
		trace: trace.map((line, at) => {
			const detail = change(line.detail, `/trace/${at}/detail`);
			const found = line.found && change(line.found, `/trace/${at}/found`);
			const expected = line.expected && change(line.expected, `/trace/${at}/expected`);
			if (detail === line.detail && found === line.found && expected === line.expected) return line;
			const changed = { ...line, detail };
			if (found !== undefined) changed.found = found;
			if (expected !== undefined) changed.expected = expected;
			return changed;
		})
	};
}

/**
 * Writes the preview of a value in each place that has a mark, and refers to the value there.
 * @param marks global pattern of the marks
 * @param indexOf the index of the value of a mark; −1 if a text only looks like a mark
 */
export function addReferences(
	entry: UnreferencedEntry,
	marks: RegExp,
	indexOf: (mark: RegExpExecArray) => number
): TrafficEntry {
	const references: TrafficEntry['references'] = [];
	if (entry.values.length === 0) return { ...entry, references };
	const replaced = mapTexts(entry, (text, pointer) => {
		if (text.search(marks) < 0) return text;
		let result = '';
		let end = 0;
		for (const mark of text.matchAll(marks)) {
			const value = indexOf(mark);
			if (value < 0) continue;
			const preview = entry.values[value]?.preview || hidden;
			result += text.slice(end, mark.index);
			if (references.length < maxReferences)
				references.push({ pointer, start: result.length, end: result.length + preview.length, value });
			result += preview;
			end = mark.index + mark[0].length;
		}
		return result + text.slice(end);
	});
	return { ...replaced, references };
}
