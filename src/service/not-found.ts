import { respondError, requireMethod } from './responses.ts';
import { Context } from './context.ts';
import { ProtocolError } from './errors.ts';
import { refuseBlacklisted } from './checks/blacklist.ts';
import { recordFailedAttempt } from './checks/attempt-limits.ts';
import { prefersJson } from './negotiation.ts';
import { unknownSandboxPage } from './pages/unknown-sandbox-page.ts';
import { check } from './check.ts';
import { endpoint, type Endpoint } from './runner.ts';
import { isServicePath } from './service.ts';

const rejectPath = check<Context>('service.path_known', 'The path exists', '4', () => {
	throw new ProtocolError(
		'not_found',
		'The service has nothing at this path. Paths are compared exactly, letter case too.'
	);
});

const rejectSandbox = check<Context>('sandbox.exists', 'The sandbox exists', '', () => {
	throw new ProtocolError(
		'not_found',
		'There is no such sandbox (any more). Create one, or use the one at the origin.'
	);
});

/** Any other path: silent for a blacklisted address like the rest of the service. */
export const unknownPath = endpoint(Context, [refuseBlacklisted, rejectPath], respondError);

/**
 * Any other path of the control API, which stays reachable; and its paths when called by another method (RFC 9110, section
 * 15.5.6).
 * @param methodsOf the methods that a path takes
 */
export function unknownControl(methodsOf: (path: string) => readonly string[]): Endpoint {
	const checkMethod = check<Context>(
		'control.method_allowed',
		'The method is allowed',
		'RFC 9110 §15.5.6',
		(context) => {
			const methods = methodsOf(context.path);
			if (methods.length > 0) requireMethod(context, ...methods);
		}
	);
	return endpoint(Context, [checkMethod, rejectPath], respondError);
}

const limitUnknownIds = check<Context>(
	'sandbox.unknown_ids_limited',
	'The address has not requested too many unknown sandboxes',
	'',
	(context) => recordFailedAttempt(context, `sandbox_id ${context.address}`)
);

const apiVariant = endpoint(Context, [limitUnknownIds, rejectSandbox], respondError);

const htmlVariant = endpoint(Context, [limitUnknownIds, rejectSandbox], (context, error) =>
	prefersJson(context.header('accept')) ? respondError(context, error) : unknownSandboxPage(context, error)
);

const pages: readonly string[] = ['auth', 'account', 'applications', 'support'];

/**
 * Any path of a sandbox that does not exist, or no longer: a page where one would stand, the application's own too.
 * @param name of the route that would have answered
 * @param target path and query as sent
 */
export function unknownSandbox(name: string, target: string): Endpoint {
	return pages.includes(name) || !isServicePath(target) ? htmlVariant : apiVariant;
}
