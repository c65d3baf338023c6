import { compressed } from '#hosts/kit/compression.ts';
import { handle as handleService, isUnknownSandbox, targetOf } from '#hosts/kit/handler.server.ts';
import { securityHeaders } from '#hosts/security-headers.ts';
import { isServicePath } from '#service/service.ts';
import type { Handle, HandleServerError } from '@sveltejs/kit';

/**
 * Sends spellings of a service path that no route matches, and all paths of an unknown sandbox, to the service. Adds the
 * security headers to every response.
 */
export const handle: Handle = async ({ event, resolve }) => {
	const isOwned = event.route.id === null && isServicePath(targetOf(event));
	const response =
		isOwned || (await isUnknownSandbox(event))
			? await handleService(event)
			: compressed(event.request, await resolve(event));
	for (const [name, value] of securityHeaders(event.url.origin)) {
		if (!response.headers.has(name)) response.headers.set(name, value);
	}
	return response;
};

/** Must not throw: an exception here would end the process (HT-13). The message is the same for every error and contains no secret. */
export const handleError: HandleServerError = ({ error, status, message }) => {
	if (status >= 500)
		console.error(error instanceof Error ? error.stack || error.message : 'Something other than an Error was thrown.');
	return { message };
};
