import type { TrafficEntry } from '#api/control/traffic.ts';

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
	return [String(response.status), ...shown.map(([name, value]) => `${name}: ${value}`), '', response.body].join('\n');
}
