import { appliesTo, idTokenFaults } from '#api/control/fault-rules.ts';
import type { CompleteFault, Fault } from '#api/control/faults.ts';
import type { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { findClientId, type Sandbox } from './sandbox.ts';
import type { ServiceOptions } from '../core/options.ts';

/** How long a fault lasts at most, in milliseconds of the real clock, and how many a sandbox can have. */
const lifetime = 60 * 60 * 1000;
const maxFaults = 20;

/**
 * When a fault applies: before the request is counted, before its checks, once it is known to be valid, while a successful response is
 * or its ID token is written, or after the request was handled.
 */
export type FaultMoment =
	| 'before_count'
	| 'before_checks'
	| 'valid_request'
	| 'authorization_response'
	| 'token_response'
	| 'id_token'
	| 'after_commit';

/** The faults of a sandbox that have not ended, oldest first. */
export function activeFaults({ state }: Sandbox, { now }: ServiceOptions): readonly Fault[] {
	return state.faults.length === 0 ? state.faults : state.faults.filter(({ until }) => until > now());
}

/**
 * Adds faults to a sandbox, for an hour each at most.
 * @throws ProtocolError `limit_reached` if they are too many; none is added then
 */
export async function addFaults(
	sandbox: Sandbox,
	options: ServiceOptions,
	list: readonly CompleteFault[]
): Promise<void> {
	await add(
		sandbox,
		options,
		list.map((fault) => createFault(options, fault))
	);
}

/**
 * Adds a fault to a sandbox, for an hour at most.
 * @throws ProtocolError `limit_reached` if the sandbox has too many
 */
export async function addFault(sandbox: Sandbox, options: ServiceOptions, fault: CompleteFault): Promise<Fault> {
	const added = createFault(options, fault);
	await add(sandbox, options, [added]);
	return added;
}

function createFault(options: ServiceOptions, fault: CompleteFault): Fault {
	const [id, until] = [base64url(options.random(9)), options.now() + lifetime];
	if (fault.kind === 'status') return { status: 503, ...fault, id, until };
	return fault.kind === 'delay' ? { delay_ms: 1_000, ...fault, id, until } : { ...fault, id, until };
}

async function add(sandbox: Sandbox, options: ServiceOptions, added: readonly Fault[]): Promise<void> {
	const { faults } = await sandbox.updateState((state) => {
		const active = state.faults.filter((fault) => fault.until > options.now());
		return active.length + added.length > maxFaults ? state : { ...state, faults: [...active, ...added] };
	});
	if (added.every((fault) => faults.includes(fault))) return;
	throw new ProtocolError('limit_reached', `A sandbox can have at most ${maxFaults} faults. Delete one first.`);
}

/** Deletes the fault with this id, or all. */
export async function deleteFaults(sandbox: Sandbox, id?: string): Promise<void> {
	await sandbox.updateState((state) => ({
		...state,
		faults: id === undefined ? [] : state.faults.filter((fault) => fault.id !== id)
	}));
}

/** The oldest fault that this request meets at this moment. It is counted as used. All but a delay choose the response. */
export async function takeFault(context: Context, moment: FaultMoment): Promise<Fault | undefined> {
	// The API of a simulated provider has what resources have.
	const name = context.surface?.endpoint?.kind === 'api' ? 'character' : context.route.name;
	const faults = activeFaults(context.sandbox, context.options).filter(
		(fault) => momentOf(fault, name) === moment && appliesTo(fault, name)
	);
	const needsClient = faults.some(({ client_id }) => client_id !== undefined);
	const client_id = needsClient ? (context.client_id ?? (await clientOf(context))) : undefined;
	for (const fault of faults) {
		const concerns = fault.client_id === undefined || fault.client_id === client_id;
		if (concerns && hits(context.options, fault) && (await use(context.sandbox, fault))) {
			context.isSimulated ||= fault.kind !== 'delay';
			return fault;
		}
	}
	return undefined;
}

function clientOf({ request, route, sandbox, options, query }: Context): Promise<string | undefined> {
	const { headers, body } = request;
	return findClientId({ sandbox, options, route: route.name, query, headers, body });
}

function momentOf({ kind, after_commit }: Fault, endpoint: string): FaultMoment {
	if (after_commit) return 'after_commit';
	if (kind === 'rate_limited') return 'before_count';
	if (kind === 'extra_parameters' || kind === 'hard_code') return 'authorization_response';
	if (kind === 'extra_fields') return 'token_response';
	if (idTokenFaults.includes(kind)) return 'id_token';
	if (kind === 'error_text') return 'valid_request';
	return kind === 'oauth_error' && endpoint === 'auth' ? 'valid_request' : 'before_checks';
}

function hits({ random }: ServiceOptions, { percentage }: Fault): boolean {
	if (percentage === 100) return true;
	const [high = 0, low = 0] = random(2);
	return high * 256 + low < (percentage / 100) * 65_536;
}

/** Counts one use. False if other requests had the last one. */
async function use(sandbox: Sandbox, { id, times }: Fault): Promise<boolean> {
	if (times === null) return true;
	let isUsed = false;
	await sandbox.updateState((state) => {
		isUsed = state.faults.some((fault) => fault.id === id);
		const faults = state.faults.flatMap((fault) => {
			if (fault.id !== id || fault.times === null) return [fault];
			return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
		});
		return { ...state, faults };
	});
	return isUsed;
}
