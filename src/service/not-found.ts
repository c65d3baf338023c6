import { answerError, requireMethod } from './responses.ts';
import { Call } from './context.ts';
import { ProtocolError } from './errors.ts';
import { refuseBlacklisted } from './checks/blacklist.ts';
import { countGuess } from './checks/attempt-limits.ts';
import { wantsData } from './negotiation.ts';
import { missingSandboxPage } from './pages/unknown-sandbox-page.ts';
import { endpoint, step, type Endpoint } from './runner.ts';
import { ownsTarget } from './service.ts';

const noSuchPath = step<Call>('the path is one of the service', '4', () => {
	throw new ProtocolError(
		'not_found',
		'The service has nothing at this path. Paths are compared exactly, letter case too.'
	);
});

const noSuchSandbox = step<Call>('the sandbox exists', 'design §1', () => {
	throw new ProtocolError(
		'not_found',
		'There is no such sandbox (any more). Create one, or use the one at the origin.'
	);
});

/** Any other path: silent for a blacklisted address like the rest of the service. */
export const missingPath = endpoint(Call, [refuseBlacklisted, noSuchPath], answerError);

/**
 * Any other path of the control API, which stays reachable; and its paths when called by another method (RFC 9110, section
 * 15.5.6).
 * @param methodsOf the methods that a path takes
 */
export function missingControl(methodsOf: (path: string) => readonly string[]): Endpoint {
	const takeMethod = step<Call>('the method is one that the control takes', 'RFC 9110 §15.5.6', (call) => {
		const methods = methodsOf(call.path);
		if (methods.length > 0) requireMethod(call, ...methods);
	});
	return endpoint(Call, [takeMethod, noSuchPath], answerError);
}

const noGuessing = step<Call>('the address does not try ids out', 'design §1', (call) =>
	countGuess(call, `id ${call.address}`)
);

const forPrograms = endpoint(Call, [noGuessing, noSuchSandbox], answerError);

const forPeople = endpoint(Call, [noGuessing, noSuchSandbox], (call, error) =>
	wantsData(call.header('accept')) ? answerError(call, error) : missingSandboxPage(call, error)
);

const pages: readonly string[] = ['auth', 'account', 'applications', 'support'];

/**
 * Any path of a sandbox that does not exist, or no longer: a page where one would stand, the application's own too.
 * @param name of the route that would have answered
 * @param target path and query as sent
 */
export function missingSandbox(name: string, target: string): Endpoint {
	return pages.includes(name) || !ownsTarget(target) ? forPeople : forPrograms;
}
