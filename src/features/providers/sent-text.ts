import type { TrafficEntry } from '#api/control/traffic.ts';
import { unescapeHtml } from '#lib/html.ts';

/** The request of an exchange, with its path below the sandbox. */
export function requestText({ request }: Pick<TrafficEntry, 'request'>): string {
	return [`${request.method} ${request.target.replace(/^\/~[^/]+/, '')}`, '', request.body].join('\n');
}

/** The response of an exchange, with the header fields that clients of a provider read. Empty without one. */
export function responseText({ response }: Pick<TrafficEntry, 'response'>): string {
	if (response === null) return '';
	const shown = response.headers.filter(([name]) =>
		/^(?:content-type|x-(?!content-type|request-id|frame)|[\w-]*limit|retry-after|www-auth)/i.test(name)
	);
	return [
		String(response.status),
		...shown.map(([name, value]) => `${name}: ${value}`),
		'',
		bodyText(response.body)
	].join('\n');
}

/** A page is long. What it sends to the application is the fields of its form. */
function bodyText(body: string): string {
	if (!body.startsWith('<!doctype html>')) return body;
	const action = /<form method="post" action="([^"]*)"/.exec(body)?.[1];
	if (action === undefined) return '(a page)';
	const fields = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)];
	const lines = fields.map(([, name = '', value = '']) => `${name}=${unescapeHtml(value)}`);
	return [`(a page whose form is posted to ${unescapeHtml(action)})`, ...lines].join('\n');
}
