import { Fields } from '../form-fields.ts';
import { step } from '../runner.ts';
import { ask } from './interaction.ts';
import type { AuthCall } from './authorization-context.ts';
import { isNavigation } from './navigation.ts';
import { consentIsCovered } from './consent.ts';
import { deliverCode } from './authorization-response.ts';
import { findPending, takePending } from './pending.ts';

/** Goes on with a request that is being held, after its person has signed in. */
export const resumeRequest = step<AuthCall>('whether a held request goes on', '5', async (call) => {
	const fields = new Fields(call.query);
	const id = fields.get('request');
	if (id === undefined || fields.has('client_id')) return call.saw('no: a new request');
	const pending = await findPending(call, id);
	call.saw(`yes: ${call.application.client_id}`);
	if (call.grant !== undefined && consentIsCovered(call) && isNavigation(call)) {
		await takePending(call);
		return deliverCode(call, call.grant);
	}
	const username = call.browser.session?.username;
	if (username !== pending.asked) {
		const digest = call.options.digest(id);
		await call.sandbox.area.update('pending', digest, (now) => now && { ...now, asked: username });
	}
	return ask(call);
});
