import { openApi } from '#service/openapi/document.ts';

// `auto`: the one at the root is a file, the others are rendered on request.
export const prerender = 'auto';
export const entries = () => [{}];

/** The OpenAPI document. Its server is relative: the sandbox whose base URL it was loaded below. */
export function GET(): Response {
	return new Response(JSON.stringify(openApi), { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}
