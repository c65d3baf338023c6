import type { TrafficEntry } from '#api/control/traffic.ts';

const reasons: Readonly<Record<number, string>> = { 200: 'OK', 400: 'Bad Request', 429: 'Too Many Requests' };

/** The fields that say something about the limit, most important first. */
const fields = [
	'RateLimit-Policy',
	'RateLimit',
	'Retry-After',
	'X-RateLimit-Limit',
	'X-RateLimit-Remaining',
	'X-RateLimit-Reset'
];

/** The first line of a response: `HTTP/1.1 429 Too Many Requests`. */
export function statusLine({ response }: TrafficEntry): string {
	return response === null ? 'No response' : `HTTP/1.1 ${response.status} ${reasons[response.status] ?? ''}`.trim();
}

/** The first three header fields of a response that are about its rate limit. */
export function limitFields({ response }: TrafficEntry): readonly (readonly [name: string, value: string])[] {
	const found = fields.flatMap((name) => {
		const field = response?.headers.find(([other]) => other.toLowerCase() === name.toLowerCase());
		return field === undefined ? [] : [[name, field[1]] as const];
	});
	// Without the newer fields, the older ones say everything.
	const isStandard = found.some(([name]) => name === 'RateLimit');
	return found.filter(([name]) => !isStandard || !/-Limit$|-Reset$/.test(name)).slice(0, 3);
}
