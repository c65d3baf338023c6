import { escape } from './javascript.ts';
import type { RequestParts } from './request-parts.ts';
import { variablesOf, type Template } from './template.ts';

/** A request as Python with requests. Secrets come from the environment. */
export function toPython({ method, url, headers, form, body }: RequestParts): string {
	const values = [url, body, ...headers.map(([, value]) => value), ...(form ?? []).map(([, value]) => value)];
	const lines = [
		`    ${pythonString([{ text: method }])}, ${pythonString(url)},`,
		...(headers.length === 0
			? []
			: [
					`    headers={${headers.map(([name, value]) => `\n        ${pythonString([{ text: name }])}: ${pythonString(value)},`).join('')}\n    },`
				]),
		...(form === undefined
			? []
			: [
					`    data=[${form.map(([name, value]) => `\n        (${pythonString([{ text: name }])}, ${pythonString(value)}),`).join('')}\n    ],`
				]),
		...(body.length === 0 ? [] : [`    data=(${pythonString(body)}).encode(),`]),
		'    allow_redirects=False, timeout=10,'
	];
	const imports = variablesOf(values).length === 0 ? 'import requests' : 'import os\nimport requests';
	return `${imports}\n\nresponse = requests.request(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`;
}

/** A Python expression for a string: literals and variables, joined. */
export function pythonString(template: Template): string {
	const parts = template.map((part) =>
		'variable' in part ? `os.environ['${part.variable}']` : `'${escape(part.text, "'")}'`
	);
	return parts.join(' + ') || "''";
}
