import * as v from 'valibot';
import { declare } from '../declare.ts';
import {
	canFollowCommit,
	faultEndpoints,
	faultErrors,
	faultErrorsOf,
	faultKinds,
	faultKindsOf
} from './fault-rules.ts';
import { instant, text, whole } from './fields.ts';

const fields = {
	kind: v.picklist(faultKinds, 'Choose what happens.'),
	/** Every endpoint that can respond like this without it. */
	endpoint: v.exactOptional(v.picklist(faultEndpoints, 'Choose an endpoint of the list.')),
	/** Every application without it. */
	client_id: v.exactOptional(text(200)),
	/** For `status`. 503 without it. */
	status: v.exactOptional(whole(400, 599)),
	/** For `oauth_error`. */
	error: v.exactOptional(v.picklist(faultErrors, 'Choose an error code of the list.')),
	/** For `delay`, in milliseconds. 1,000 without it. */
	delay_ms: v.exactOptional(whole(1, 30_000))
};

const anyFault = v.strictObject({
	...fields,
	/** How many responses fail; `null`: until it is deleted or its hour is over. */
	times: v.optional(v.nullable(whole(1, 1_000)), 1),
	/** How many of 100 matching requests fail. */
	percentage: v.optional(whole(1, 100), 100),
	/** True: the service handles the request first, and only the response fails. */
	after_commit: v.optional(v.boolean(), false)
});

type AnyFault = v.InferOutput<typeof anyFault>;

/** `POST faults`. */
export const newFault = v.pipe(
	anyFault,
	v.rawCheck(({ dataset, addIssue }) => {
		if (!dataset.typed) return;
		const input = dataset.value;
		for (const [key, message] of problemsOf(input)) {
			addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
		}
	})
);

/** A fault that is still active. */
export const fault = v.object({
	...fields,
	id: v.string(),
	/** How many more responses fail; `null`: all until it ends. */
	times: v.nullable(v.number()),
	percentage: v.number(),
	after_commit: v.boolean(),
	/** When it ends, by the real clock. */
	until: instant
});

/** `GET faults`. */
export const faults = v.object({ faults: v.array(fault) });

export const faultsApi = declare({
	'GET /control/faults': {
		id: 'listFaults',
		tag: 'Settings and faults',
		summary: 'List active faults',
		description: 'Returns the active faults. A fault that has ended is not in the list.',
		responses: { 200: { description: 'The faults.', json: faults } }
	},
	'POST /control/faults': {
		id: 'addFault',
		tag: 'Settings and faults',
		summary: 'Add a fault',
		description: 'Adds a fault. Returns 201 with the fault and its `id`.',
		body: { schema: newFault, example: { kind: 'status', endpoint: 'character', status: 503 } },
		responses: { 201: { description: 'The fault.', json: fault } },
		errors: { 409: 'The sandbox has 20 faults.' }
	},
	'DELETE /control/faults': {
		id: 'clearFaults',
		tag: 'Settings and faults',
		summary: 'Delete all faults',
		description: 'Ends all faults. Later requests are processed as usual.',
		responses: { 200: { description: 'No faults are left.', json: faults } }
	},
	'DELETE /control/faults/{id}': {
		id: 'deleteFault',
		tag: 'Settings and faults',
		summary: 'Delete a fault',
		description: 'Ends one fault. Returns those that are left.',
		responses: { 200: { description: 'The faults that are left.', json: faults } }
	}
});

export type NewFault = v.InferInput<typeof newFault>;
/** The same with its defaults. */
export type CompleteFault = v.InferOutput<typeof newFault>;
export type Fault = v.InferOutput<typeof fault>;

/** The fields that belong to one kind. */
const details = [
	['status', 'status'],
	['error', 'oauth_error'],
	['delay_ms', 'delay']
] as const;

/** What contradicts itself, by field. */
function problemsOf(fault: AnyFault): [keyof AnyFault, string][] {
	const { kind, endpoint, client_id, error, after_commit } = fault;
	const problems: [keyof AnyFault, string][] = [];
	if (endpoint === undefined && client_id === undefined)
		problems.push(['endpoint', 'Choose an endpoint, an application, or both.']);
	if (!faultKindsOf(endpoint).includes(kind))
		problems.push(['kind', `The endpoint ${endpoint ?? ''} has no such response. Choose another kind.`]);
	if (kind === 'oauth_error' && error === undefined) problems.push(['error', 'Choose the error code.']);
	if (error !== undefined && !faultErrorsOf(endpoint).includes(error))
		problems.push(['error', `The endpoint ${endpoint ?? ''} does not use this error code. Choose another one.`]);
	if (after_commit && !canFollowCommit(kind))
		problems.push(['after_commit', `A fault of kind ${kind} rejects the request before it is handled.`]);
	for (const [key, owner] of details) {
		if (fault[key] !== undefined && kind !== owner) problems.push([key, `This field is for the kind ${owner} only.`]);
	}
	return problems;
}
