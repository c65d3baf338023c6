import type { HeaderName } from '#api/declare.ts';
import type { ResponseObject } from './document-types.ts';

const whole = { type: 'integer' } as const;
const text = { type: 'string' } as const;

const headers = {
	'X-Request-Id': ['The id of the request in the traffic log.', text],
	'X-RateLimit-Limit': ['Requests per window.', whole],
	'X-RateLimit-Remaining': ['Requests that are left in this window.', whole],
	'X-RateLimit-Reset': ['When the window resets, in Unix seconds.', whole],
	'X-RateLimit-ResetTime': ['The same as a date.', text],
	'WWW-Authenticate': ['The scheme, and the error code if a token was sent.', { type: 'string', pattern: '^OAuth ' }],
	'Retry-After': ['Seconds.', whole],
	Location: ['Where the browser goes.', text],
	'Set-Cookie': ['The cookie of this browser.', text],
	'Content-Disposition': ['The name of the file.', text],
	Allow: ['The methods that the path supports.', text]
} as const satisfies Record<HeaderName | 'X-Request-Id', unknown>;

/** Describes headers that are always in a response, and `X-Request-Id`, which is in all of them. */
export function describeHeaders(names: readonly HeaderName[] = []): NonNullable<ResponseObject['headers']> {
	return Object.fromEntries(
		(['X-Request-Id', ...names] as const).map((name) => {
			const [description, schema] = headers[name];
			return [name, { description, required: true, schema }];
		})
	);
}
