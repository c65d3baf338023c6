import { faultsApi } from '#api/control/faults.ts';
import { activeFaults, addFault, deleteFaults } from '../sandbox/faults.ts';
import { ProtocolError } from '../core/errors.ts';
import { implement, type ControlContext } from './control-endpoint.ts';

/** Errors on purpose. */
export const faultsEndpoints = implement(faultsApi, {
	'GET /control/faults': (context) => activeOf(context),
	'POST /control/faults': async ({ sandbox, options }, { body: fault }) => {
		if (fault.client_id !== undefined && (await sandbox.store.get('application', fault.client_id)) === undefined)
			throw new ProtocolError('invalid_request', 'client_id: No application has this client_id.', {
				field: 'client_id'
			});
		return addFault(sandbox, options, fault);
	},
	'DELETE /control/faults': async (context) => {
		await deleteFaults(context.sandbox);
		return activeOf(context);
	},
	// It may have ended in the meantime.
	'DELETE /control/faults/{id}': async (context, { path: { id } }) => {
		await deleteFaults(context.sandbox, id);
		return activeOf(context);
	}
});

function activeOf({ sandbox, options }: ControlContext) {
	return { faults: activeFaults(sandbox, options) };
}
