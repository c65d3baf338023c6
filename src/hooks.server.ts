import { building, dev } from '$app/environment';
import {
	handle as handleService,
	handleFetched,
	isUnknownSandbox,
	targetOf,
	worldVersion
} from '#hosts/kit/handler.server.ts';
import { renderOnce } from '#hosts/kit/page-cache.server.ts';
import { readEmbedOrigins } from '#hosts/config.server.ts';
import { draftPath, isEmbedPath, openPolicy } from '#hosts/embedding.ts';
import { missingHeaders, securityHeaders } from '#hosts/security-headers.ts';
import { isServicePath } from '#api/service-path.ts';
import type { Handle, HandleFetch, HandleServerError } from '@sveltejs/kit';

/** Adds the security headers to every response. */
export const handle: Handle = async ({ event, resolve }) => {
	const response = await respond({ event, resolve });
	const { headers } = response;
	const policy = headers.get('content-security-policy');
	if (policy !== null && event.route.id?.startsWith('/embed/') === true && isEmbedPath(event.url.pathname)) {
		const isDraft = event.url.pathname === draftPath;
		headers.set('content-security-policy', openPolicy(policy, isDraft ? ["'self'"] : readEmbedOrigins(process.env)));
		if (isDraft) headers.set('x-frame-options', 'SAMEORIGIN');
	}
	const valueOf = (name: string) => headers.get(name) ?? undefined;
	for (const [name, value] of missingHeaders(securityHeaders(event.url.origin), valueOf)) headers.set(name, value);
	return response;
};

/**
 * The server routes below `ws` are the only way to the protocol endpoints. The other paths of the service, spellings that no route
 * matches and all pages of an unknown sandbox go to the service from here.
 */
async function respond({ event, resolve }: Parameters<Handle>[0]): Promise<Response> {
	if (event.route.id?.startsWith('/ws/') === true) return resolve(event);
	const isOwned = event.route.id === null && isServicePath(targetOf(event));
	const isForService = isOwned || (await isUnknownSandbox(event));
	return isForService ? handleService(event) : resolvePage({ event, resolve });
}

/** All unknown paths of a sandbox have the same page. */
async function resolvePage({ event, resolve }: Parameters<Handle>[0]): Promise<Response> {
	const { pathname } = event.url;
	const render = async () => lowerScriptPriority(await resolve(event));
	if (dev || building || event.isDataRequest) return render();
	// The page of a share link, which can end.
	if (event.route.id === '/preset' && event.url.search !== '') return render();
	// No page has a percent sign in its path. Otherwise each spelling of a path would be a separate page.
	if (pathname.includes('%')) return new Response('There is no page at this URL.\n', { status: 404 });
	const [sandbox = ''] = /^\/~[^/]+/.exec(pathname) ?? [];
	const page = event.route.id === null ? `${sandbox} 404` : pathname;
	return renderOnce(event.request, `${page} ${await worldVersion(event)}`, render);
}

/** Lets a browser fetch the font of a page before its scripts, which the first paint does not need. */
function lowerScriptPriority(response: Response): Response {
	const links = response.headers.get('link');
	if (links !== null)
		response.headers.set('link', links.replaceAll('rel="modulepreload"', 'rel="modulepreload"; fetchpriority=low'));
	return response;
}

/** What a page asks the service for while it is rendered does not go through the network. */
export const handleFetch: HandleFetch = ({ request, fetch }) => {
	return isServicePath(new URL(request.url).pathname) ? handleFetched(request) : fetch(request);
};

/** Must not throw: an exception here would end the process (HT-13). The message is the same for every error and contains no secret. */
export const handleError: HandleServerError = ({ error, status, message }) => {
	if (status >= 500)
		console.error(error instanceof Error ? error.stack || error.message : 'Something other than an Error was thrown.');
	return { message };
};
