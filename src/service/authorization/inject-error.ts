import { check, when } from '../core/check.ts';
import { describeFault, faultError } from '../checks/fault-responses.ts';
import { hasFaults } from '../checks/faults.ts';
import { ProtocolError } from '../core/errors.ts';
import { takeFault } from '../sandbox/faults.ts';
import type { AuthorizationContext } from './authorization-context.ts';
import { respondWithDenied } from './authorization-response.ts';

/** Applies a fault that sends an error to the application. Requests that are not valid get their own error. */
export const injectError = when(hasFaults, [
	check<AuthorizationContext>('fault.error_not_injected', async (context) => {
		const fault = await takeFault(context, 'valid_request');
		if (fault === undefined) return;
		context.note(describeFault(fault));
		if (fault.error === 'access_denied') return respondWithDenied(context);
		const { code, message } = faultError(context, fault);
		// A redirect cannot carry a status, and RFC 6749 has codes for server errors for that reason (section 4.1.2.1).
		throw new ProtocolError(code, message, { status: 400 });
	})
]);
