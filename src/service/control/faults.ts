import { newFault } from '#wire/control/faults.ts';
import * as faults from '../faults.ts';
import { ProtocolError } from '../errors.ts';
import { respondJson } from '../responses.ts';
import { protectedEndpoint, type ControlContext } from './control-endpoint.ts';

/** `GET faults`: the faults that have not ended. */
export const listFaults = protectedEndpoint(listOf);

/** `POST faults`: adds one. */
export const addFault = protectedEndpoint(async (context) => {
	const { sandbox, options } = context;
	const fault = context.read(newFault);
	if (fault.client_id !== undefined && (await sandbox.store.get('application', fault.client_id)) === undefined)
		throw new ProtocolError('invalid_request', 'client_id: No application has this client_id.', { field: 'client_id' });
	const [added] = await faults.addFaults(sandbox, options, [fault]);
	return respondJson(context, 201, added);
});

/** `DELETE faults`: deletes all. */
export const deleteFaults = protectedEndpoint(async (context) => {
	await faults.deleteFaults(context.sandbox);
	return listOf(context);
});

/** `DELETE faults/<id>`: deletes one. It may have ended in the meantime. */
export const deleteFault = protectedEndpoint(async (context) => {
	await faults.deleteFaults(context.sandbox, context.segments[1] ?? '');
	return listOf(context);
});

function listOf({ sandbox, options }: ControlContext): object {
	return { faults: faults.activeFaults(sandbox, options) };
}
