import { base } from '$app/paths';
import { readAppLocation } from '#features/shell/app-location.ts';
import { fetchWorld } from '#client/world.ts';
import { apiInWorld } from '#client/api-in-world.ts';
import type { RequestEvent } from '@sveltejs/kit';
import { compress, respondCompressed } from '#hosts/kit/compression.server.ts';
import { openApi } from '#service/openapi/document.ts';

// The static build has a file at its root. A server renders it, because a file has no header for scripts of other origins.
export const prerender = process.env.TOLLGATE_TARGET === 'static' ? 'auto' : false;
export const entries = () => [{}];

const demo = JSON.stringify(openApi);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' };
const demoBody = compress(new TextEncoder().encode(demo));
const respondDemo = async (request: Request) => respondCompressed(request, await demoBody, { headers });

/** The OpenAPI document. Its server is relative: the sandbox whose base URL it was loaded below. Its examples are of that sandbox's world. It is public, so scripts of every origin may read it. */
export async function GET({ request, url, fetch }: Pick<RequestEvent, 'request' | 'url' | 'fetch'>): Promise<Response> {
	if (__BROWSER_HOST__) return respondDemo(request);
	const world = await fetchWorld(readAppLocation(url, base).baseUrl, fetch);
	const text = apiInWorld(demo, world);
	return text === demo ? respondDemo(request) : new Response(text, { headers });
}
