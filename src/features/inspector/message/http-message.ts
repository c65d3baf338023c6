import { decodePercent } from '#lib/percent.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { mapPlain, moveReferences, plainText, sliceText, splitText, type MessageText } from '#evidence/message-text.ts';

/** A parameter of a query or a form, decoded. */
export type Parameter = readonly [name: string, value: MessageText];
type Headers = TrafficEntry['request']['headers'];

/** Path and query of a target. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
	const mark = target.indexOf('?');
	return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** The query of a target. */
export function queryOf(target: MessageText): MessageText {
	return sliceText(target, splitTarget(target.text).path.length + 1);
}

/** The parameters of a query or a form, in order. Text that is not encoded is unchanged. */
export function readParameters(text: MessageText): Parameter[] {
	if (text.text === '') return [];
	return splitText(text, '&').map((pair) => {
		const equals = pair.text.indexOf('=');
		const [name, value] =
			equals < 0 ? [pair.text, plainText('')] : [pair.text.slice(0, equals), sliceText(pair, equals + 1)];
		return [decoded(name), mapPlain(value, decoded)];
	});
}

function decoded(text: string): string {
	return decodePercent(text, true) ?? text;
}

/** The first value of a header. */
export function headerOf(headers: Headers, name: string): string | undefined {
	return headers.find(([one]) => one.toLowerCase() === name)?.[1];
}

/** How a body is written, by its Content-Type. */
export type BodyFormat = 'json' | 'xml' | 'form' | 'html' | 'text';

/** @param headers of the message */
export function bodyFormat(headers: Headers): BodyFormat {
	const type = (headerOf(headers, 'content-type') ?? '').toLowerCase();
	if (/[/+]json\b/.test(type)) return 'json';
	if (/[/+]xml\b/.test(type) && !type.includes('html')) return 'xml';
	if (type.includes('x-www-form-urlencoded')) return 'form';
	return type.includes('html') ? 'html' : 'text';
}

/** JSON or XML with line breaks and indents. Undefined where the body is not well-formed, for example because it was cut off. */
export function prettyBody(body: MessageText, format: BodyFormat): MessageText | undefined {
	const pretty = format === 'xml' ? prettyXml(body.text) : format === 'json' ? prettyJson(body.text) : undefined;
	return pretty === undefined ? undefined : moveReferences(body, pretty);
}

/** The members of a JSON object. Undefined for anything else. */
export function readMembers(body: MessageText): Parameter[] | undefined {
	const pretty = prettyBody(body, 'json');
	if (pretty?.text.startsWith('{') !== true) return undefined;
	const starts = [...pretty.text.matchAll(/^ {2}"((?:[^"\\]|\\.)*)": /gm)];
	return starts.map(({ 0: start, 1: name = '', index }, at) => {
		const member = pretty.text.slice(index, starts[at + 1]?.index ?? -1).replace(/,?\s*$/, '');
		return [name, sliceText(pretty, index + start.length, index + member.length)];
	});
}

/** Only the white space between the tokens changes. */
function prettyJson(body: string): string | undefined {
	try {
		JSON.parse(body);
	} catch {
		return undefined;
	}
	let depth = 0;
	const line = () => `\n${'  '.repeat(depth)}`;
	return body.replace(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/g, (token) => {
		if (token.startsWith('"')) return token;
		if (token === '{' || token === '[') {
			depth++;
			return token + line();
		}
		if (token === '}' || token === ']') {
			depth--;
			return line() + token;
		}
		if (token === ',') return token + line();
		return token === ':' ? ': ' : token.replace(/\s/g, '');
	});
}

function prettyXml(body: string): string | undefined {
	const parts = body.match(/<[^>]*>|[^<]+/g) ?? [];
	const lines: string[] = [];
	let depth = 0;
	for (const [at, part] of parts.entries()) {
		if (part.trim() === '') continue;
		const closes = part.startsWith('</');
		if (closes) depth--;
		if (depth < 0) return undefined;
		const last = lines.length - 1;
		const isText = !part.startsWith('<');
		// Text, and the end tag after it, stay on the line of the start tag.
		if (last >= 0 && (isText || (closes && isLeafEnd(parts, at)))) lines[last] = `${lines[last] ?? ''}${part.trim()}`;
		else lines.push('  '.repeat(depth) + part);
		if (!isText && !closes && !/^<[?!]|\/>$/.test(part)) depth++;
	}
	return depth === 0 && lines.length > 0 ? lines.join('\n') : undefined;
}

/** Whether the end tag at an index follows its start tag, with at most a text between. */
function isLeafEnd(parts: readonly string[], at: number): boolean {
	const before = parts[at - 1] ?? '';
	const start = before.startsWith('<') ? before : (parts[at - 2] ?? '');
	return /^<[^/?!]/.test(start) && !start.endsWith('/>');
}
