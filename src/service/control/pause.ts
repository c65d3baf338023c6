import { pauseApi } from '#api/control/pause.ts';
import { implement } from './control-endpoint.ts';

/** Messages that wait for a decision. */
export const pauseEndpoints = implement(pauseApi, {
	'GET /control/pause': ({ pauses, sandbox }) => pauses.find(sandbox.id)?.view ?? nothing,
	'PUT /control/pause': ({ pauses, sandbox, networkAddress }, { body }) =>
		pauses.set(sandbox, networkAddress, body.points).view,
	'POST /control/pause/{id}': ({ pauses, sandbox }, { body, path: { id } }) => pauses.decide(sandbox.id, id, body)
});

const nothing = { points: [], held: [], passed: 0 };
