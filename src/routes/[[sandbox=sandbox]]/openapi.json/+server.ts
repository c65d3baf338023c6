import { base } from '$app/paths';
import { readAppLocation } from '#features/shell/app-location.ts';
import { dialectOf } from '#api/dialect.ts';
import type { SandboxStatus } from '#api/control/status.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { fetchWorld, type World } from '#client/world.ts';
import { apiInWorld } from '#client/api-in-world.ts';
import { error, type RequestEvent } from '@sveltejs/kit';
import { compress, type Compressed, respondCompressed } from '#hosts/kit/page-cache.server.ts';
import { openApi } from '#service/openapi/document.ts';
import { documentOfSandbox } from '#service/openapi/sandbox-document.ts';
import { documentOfProvider } from '#service/openapi/provider-document.ts';
import { worldOf } from '#service/provider/providers.ts';

// The static build has a file at its root, of which the service worker makes that of each sandbox. A server renders it, because a
// file has no header for scripts of other origins.
export const prerender = process.env.TOLLGATE_TARGET === 'static' ? 'auto' : false;
export const entries = () => [{}];

const whole = JSON.stringify(openApi);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Access-Control-Allow-Origin': '*' };

/** Making and compressing a document takes longer than the rest of a request. */
const latest = new Map<string, Promise<Compressed>>();
const maxLatest = 50;

/**
 * The OpenAPI document of a sandbox: with its base URL, what its dialect has, and the words of its world. It is public, so scripts of
 * every origin may read it.
 */
export async function GET({ request, url, fetch }: Pick<RequestEvent, 'request' | 'url' | 'fetch'>): Promise<Response> {
	if (__BROWSER_HOST__) return new Response(whole, { headers });
	const { baseUrl } = readAppLocation(url, base);
	const api = new ControlApi(baseUrl, fetch);
	const [status, world, { provider }] = await Promise.all([
		api.request('GET /control/status').catch(() => error(404)),
		fetchWorld(baseUrl, fetch),
		api.request('GET /control/provider').catch(() => error(404))
	]);
	return respondCompressed(request, await documentOf(status, world, provider), { headers });
}

function documentOf(status: SandboxStatus, world: World, own: unknown): Promise<Compressed> {
	const { base_url, dialect, provider, is_strict: strict } = status;
	const key = JSON.stringify([base_url, dialect, provider, strict, world.id]);
	const known = latest.get(key);
	if (known !== undefined) return known;
	const document = documentOfSandbox(apiInWorld(whole, world), base_url, dialectOf({ dialect, strict }), world.kinds);
	const compressed = compress(new TextEncoder().encode(documentOfProvider(document, provider, worldOf(own))));
	if (latest.size === maxLatest) latest.clear();
	latest.set(key, compressed);
	return compressed;
}
