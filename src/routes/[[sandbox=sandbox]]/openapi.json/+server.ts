import { serveText } from '#hosts/kit/compressed-text.server.ts';
import { openApi } from '#service/openapi/document.ts';

// The static build has a file at its root. A server renders it, because a file has no header for scripts of other origins.
export const prerender = process.env.TOLLGATE_TARGET === 'static' ? 'auto' : false;
export const entries = () => [{}];

const respond = serveText(JSON.stringify(openApi), {
	'Content-Type': 'application/json; charset=utf-8',
	'Access-Control-Allow-Origin': '*'
});

/** The OpenAPI document. Its server is relative: the sandbox whose base URL it was loaded below. It is public, so scripts of every origin may read it. */
export function GET({ request }: { readonly request: Request }): Response {
	return respond(request);
}
