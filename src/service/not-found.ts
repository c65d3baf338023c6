import { check, endpoint } from './core/runner.ts';
import { recordFailedAttempt } from './checks/attempt-limits.ts';
import { rejectBlacklisted } from './checks/blacklist.ts';
import { Context } from './core/context.ts';
import { ProtocolError } from './core/errors.ts';
import { redirect, requireMethod, respondError } from './core/responses.ts';
import { prefersJson } from './core/negotiation.ts';
import { unknownSandboxPage } from './pages/error-page.ts';
import { methodsOf } from './core/routes.ts';
import { isServicePath } from '#api/service-path.ts';

const rejectPath = check<Context>('service.path_known', () => {
	throw new ProtocolError('not_found', 'There is nothing at this path. Paths are case-sensitive.');
});

const rejectSandbox = check<Context>('sandbox.exists', () => {
	throw new ProtocolError(
		'not_found',
		'This sandbox does not exist or was deleted. Create a new one, or use the root sandbox.'
	);
});

const limitUnknownIds = check<Context>('sandbox.unknown_ids_limited', (context) =>
	recordFailedAttempt(context, 'sandbox_id')
);

const checkMethod = check<Context>('control.method_allowed', (context) => {
	const methods = methodsOf(context.path);
	if (methods.length > 0) requireMethod(context, ...methods);
});

/** Any other path of the service. A blacklisted address gets no response here either. */
export const unknownPath = endpoint(Context, [rejectBlacklisted, rejectPath], respondError);

const rejectUnsimulated = check<Context>('provider.path_simulated', ({ surface }) => {
	if (surface === undefined) return;
	const { name, version } = surface.provider;
	throw new ProtocolError('not_found', `Not simulated by the file ${name}, version ${version}.`);
});

/** A path of a provider that its file does not have. */
export const unsimulatedPath = endpoint(Context, [rejectBlacklisted, rejectUnsimulated, rejectPath], respondError);

/** Any other path or method of the control API, which blacklisted addresses can use. */
export const unknownControl = endpoint(Context, [checkMethod, rejectPath], respondError);

/**
 * Any path below an unknown sandbox: a page where the route is one, else JSON or XML. The page of a lesson exists without its
 * sandbox too, and creates another one.
 */
export const unknownSandbox = endpoint(Context, [limitUnknownIds, rejectSandbox], (context, error) => {
	if (!isPage(context) || prefersJson(context.header('accept'))) return respondError(context, error);
	const { path, options, request } = context;
	const isLesson = error.code === 'not_found' && request.method === 'GET' && /^\/learn\/[a-z-]+$/.test(path);
	return isLesson ? redirect(context, options.origin + path) : unknownSandboxPage(context, error);
});

/** Paths that the service does not handle are pages of the application. */
function isPage({ route, request }: Context): boolean {
	return route.isPage || !isServicePath(request.target);
}
