import type { RequestParts, Template } from './template.ts';

/** A request as a curl command that sends the path unchanged. Secrets are shell variables. */
export function toCurl({ method, url, headers, form, body }: RequestParts): string {
	const hasBody = form !== undefined || body.length > 0;
	const lines = [
		`curl -i --globoff --path-as-is${method === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${shellArgument([{ text: method }])}`} ${shellArgument(url)}`,
		...headers.map(([name, value]) => `-H ${shellArgument([{ text: `${name}: ` }, ...value])}`),
		...(form ?? []).map(([name, value]) => `--data-urlencode ${shellArgument([{ text: `${name}=` }, ...value])}`),
		...(body.length > 0 ? [`--data-raw ${shellArgument(body)}`] : [])
	];
	return lines.join(' \\\n  ');
}

/** One argument of a POSIX shell: quoted text and quoted variables, joined. */
export function shellArgument(template: Template): string {
	const words: string[] = [];
	let text = '';
	const flush = () => {
		if (text !== '') words.push(shellQuote(text));
		text = '';
	};
	for (const part of template) {
		if ('text' in part) text += part.text;
		else {
			flush();
			words.push(`"$${part.variable}"`);
		}
	}
	flush();
	return words.join('') || "''";
}

function shellQuote(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
