import { answerError, requireMethod } from './answers.ts';
import { Call } from './call.ts';
import { ProtocolError } from './errors.ts';
import { refuseBlacklisted } from './gates/blacklist.ts';
import { endpoint, step, type Endpoint } from './runner.ts';

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

/** Any path of a sandbox that does not exist, or no longer. */
export const missingSandbox = endpoint(Call, [noSuchSandbox], answerError);
