import type { RequestParts } from './request-parts.ts';
import type { Template } from './template.ts';

type Pairs = readonly (readonly [name: string, value: Template])[];

/** A request as a call of fetch in Node. Secrets come from the environment. */
export function toFetch({ method, url, headers, form, body }: RequestParts): string {
	const options = [
		...(method === 'GET' ? [] : [`  method: ${scriptString([{ text: method }])},`]),
		...(headers.length === 0 ? [] : [`  headers: ${pairs(headers, '  ')},`]),
		...(form === undefined ? [] : [`  body: new URLSearchParams(${pairs(form, '  ')}),`]),
		...(body.length === 0 ? [] : [`  body: ${scriptString(body)},`]),
		`  redirect: 'manual'`
	];
	return `const response = await fetch(${scriptString(url)}, {\n${options.join('\n')}\n});\nconsole.log(response.status, await response.text());`;
}

/** Pairs as an object, or as a list if an object cannot have them: a name occurs twice, or is `__proto__`. */
export function pairs(list: Pairs, indent: string): string {
	const names = new Set(list.map(([name]) => name.toLowerCase()));
	const isObject = names.size === list.length && !names.has('__proto__');
	const lines = list.map(([name, value]) => {
		const quoted = scriptString([{ text: name }]);
		const key = /^[a-z_]\w*$/i.test(name) ? name : quoted;
		return `${indent}  ${isObject ? `${key}: ${scriptString(value)}` : `[${quoted}, ${scriptString(value)}]`}`;
	});
	const [open, close] = isObject ? '{}' : '[]';
	return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** A JavaScript expression for a string: a literal, a variable, or a template with variables. */
export function scriptString(template: Template): string {
	const [only] = template;
	if (only === undefined) return "''";
	if (template.length === 1) return 'variable' in only ? environment(only.variable) : `'${escape(only.text, "'")}'`;
	const parts = template.map((part) =>
		'variable' in part ? `\${${environment(part.variable)}}` : escape(part.text, '`').replaceAll('$', '\\$')
	);
	return `\`${parts.join('')}\``;
}

/** Escapes text for a string literal of JavaScript or Python. */
export function escape(text: string, quote: string): string {
	return text
		.replaceAll('\\', '\\\\')
		.replaceAll(quote, `\\${quote}`)
		.replaceAll('\n', '\\n')
		.replaceAll('\r', '\\r')
		.replace(
			/[\p{Cc}\p{Cs}\u2028\u2029]/gu,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
		);
}

function environment(variable: string): string {
	return `process.env.${variable}`;
}
